// DPB, DPX9B, SDPB and SDPX9B: the 18 Kbit block RAM of Gowin's parts, with two ports that read or write, or one that writes and one
// that reads, in bytes of eight bits or of nine.
//
// Written from what Yosys maps onto the cells and how (gowin/brams.txt, brams_map.v), because it carries them as black boxes only.
// Gowin describes them in UG285, "BSRAM and SSRAM User Guide".
//
// 512 rows of four bytes. An access of four, two or one byte reaches whole bytes, one of 4, 2 or 1 bits a part of a byte of
// eight; address bits 13:5 are the row, the lower ones the place in it. Of a write of four and of two bytes the lowest address
// pins are enables of bytes.
//
// Harsher than the cell where the description leaves something open, so that nothing can come to depend on it:
//   - contents and outputs at the start are random, whatever INIT_RAM says;
//   - a bit read at the edge at which the other side writes it comes out random;
//   - a bit written from both sides at one edge becomes random;
//   - what a side shows after a write of its own is the word before with WRITE_MODE 0, else random.
//
// Both sides run on CLKA. Not modelled, and refused: output registers, block selects other than 000, resets that are not synchronous.
module hpp_gowin_bsram #(
  parameter integer BYTE = 9,
  parameter integer WIDTH_A = 36,
  parameter integer WIDTH_B = 36,
  parameter KEEPS_A = 1'b1,
  parameter KEEPS_B = 1'b1
) (
  input  wire clk, active_a, active_b, write_a, write_b, reset_a, reset_b,
  input  wire [13:0] address_a, address_b,
  input  wire [35:0] data_a, data_b,
  output reg  [35:0] word_a, word_b
);
  // Where in its row an access begins.
  function integer place(input integer width, input [13:0] address);
    if (width == 4 * BYTE) place = 0;
    else if (width == 2 * BYTE) place = 2 * BYTE * address[4];
    else if (width == BYTE) place = BYTE * address[4:3];
    else if (width == 4) place = 4 * address[4:2];
    else if (width == 2) place = 2 * address[4:1];
    else place = 32'(address[4:0]);
  endfunction

  // The bits of a row that an access reaches; of a write, those of the bytes it enables.
  function [35:0] reach(input integer width, input [13:0] address, input write);
    integer at;
    reg [35:0] bits;
    begin
      bits = 0;
      for (at = 0; at < width; at = at + 1)
        bits[at] = !write || width < 2 * BYTE || address[at / BYTE];
      reach = bits << place(width, address);
    end
  endfunction

  function [35:0] noise(input [35:0] bits);
    noise = bits & {4'($urandom), $urandom};
  endfunction

  reg [35:0] cells [0:511];
  integer first;
  initial begin
    for (first = 0; first < 512; first = first + 1) cells[first] = noise(~36'h0);
    word_a = noise(~36'h0);
    word_b = noise(~36'h0);
  end

  wire [35:0] written_a = active_a && write_a ? reach(WIDTH_A, address_a, 1) : 36'h0;
  wire [35:0] written_b = active_b && write_b ? reach(WIDTH_B, address_b, 1) : 36'h0;
  wire [35:0] value_a = data_a << place(WIDTH_A, address_a);
  wire [35:0] value_b = data_b << place(WIDTH_B, address_b);
  wire [8:0] row_a = address_a[13:5];
  wire [8:0] row_b = address_b[13:5];
  wire same_row = row_a == row_b;

  reg [35:0] read_a, read_b, clash_a, clash_b;
  always @(posedge clk) begin
    clash_a = same_row ? written_b : 36'h0;
    clash_b = same_row ? written_a : 36'h0;
    read_a = cells[row_a] & ~clash_a | noise(clash_a);
    read_b = cells[row_b] & ~clash_b | noise(clash_b);
    if (reset_a) word_a <= 0;
    else if (active_a && !write_a) word_a <= (read_a & reach(WIDTH_A, address_a, 0)) >> place(WIDTH_A, address_a);
    else if (active_a && !KEEPS_A) word_a <= noise(~36'h0);
    if (reset_b) word_b <= 0;
    else if (active_b && !write_b) word_b <= (read_b & reach(WIDTH_B, address_b, 0)) >> place(WIDTH_B, address_b);
    else if (active_b && !KEEPS_B) word_b <= noise(~36'h0);
    cells[row_a] = cells[row_a] & ~written_a | value_a & written_a;
    cells[row_b] = cells[row_b] & ~written_b | value_b & written_b;
    if (same_row) cells[row_a] = cells[row_a] & ~(written_a & written_b) | noise(written_a & written_b);
  end
endmodule

module hpp_dpb (
  input  wire CLKA, CEA, OCEA, WREA, RESETA, CLKB, CEB, OCEB, WREB, RESETB,
  input  wire [13:0] ADA, ADB,
  input  wire [15:0] DIA, DIB,
  input  wire [2:0] BLKSELA, BLKSELB,
  output wire [15:0] DOA, DOB
);
  parameter READ_MODE0 = 1'b0;
  parameter READ_MODE1 = 1'b0;
  parameter WRITE_MODE0 = 2'b00;
  parameter WRITE_MODE1 = 2'b00;
  parameter integer BIT_WIDTH_0 = 16;
  parameter integer BIT_WIDTH_1 = 16;
  parameter BLK_SEL_0 = 3'b000;
  parameter BLK_SEL_1 = 3'b000;
  parameter RESET_MODE = "SYNC";
  // The contents that a bitstream would load: not used.
  parameter [255:0] INIT_RAM_00 = 0, INIT_RAM_01 = 0, INIT_RAM_02 = 0, INIT_RAM_03 = 0;
  parameter [255:0] INIT_RAM_04 = 0, INIT_RAM_05 = 0, INIT_RAM_06 = 0, INIT_RAM_07 = 0;
  parameter [255:0] INIT_RAM_08 = 0, INIT_RAM_09 = 0, INIT_RAM_0A = 0, INIT_RAM_0B = 0;
  parameter [255:0] INIT_RAM_0C = 0, INIT_RAM_0D = 0, INIT_RAM_0E = 0, INIT_RAM_0F = 0;
  parameter [255:0] INIT_RAM_10 = 0, INIT_RAM_11 = 0, INIT_RAM_12 = 0, INIT_RAM_13 = 0;
  parameter [255:0] INIT_RAM_14 = 0, INIT_RAM_15 = 0, INIT_RAM_16 = 0, INIT_RAM_17 = 0;
  parameter [255:0] INIT_RAM_18 = 0, INIT_RAM_19 = 0, INIT_RAM_1A = 0, INIT_RAM_1B = 0;
  parameter [255:0] INIT_RAM_1C = 0, INIT_RAM_1D = 0, INIT_RAM_1E = 0, INIT_RAM_1F = 0;
  parameter [255:0] INIT_RAM_20 = 0, INIT_RAM_21 = 0, INIT_RAM_22 = 0, INIT_RAM_23 = 0;
  parameter [255:0] INIT_RAM_24 = 0, INIT_RAM_25 = 0, INIT_RAM_26 = 0, INIT_RAM_27 = 0;
  parameter [255:0] INIT_RAM_28 = 0, INIT_RAM_29 = 0, INIT_RAM_2A = 0, INIT_RAM_2B = 0;
  parameter [255:0] INIT_RAM_2C = 0, INIT_RAM_2D = 0, INIT_RAM_2E = 0, INIT_RAM_2F = 0;
  parameter [255:0] INIT_RAM_30 = 0, INIT_RAM_31 = 0, INIT_RAM_32 = 0, INIT_RAM_33 = 0;
  parameter [255:0] INIT_RAM_34 = 0, INIT_RAM_35 = 0, INIT_RAM_36 = 0, INIT_RAM_37 = 0;
  parameter [255:0] INIT_RAM_38 = 0, INIT_RAM_39 = 0, INIT_RAM_3A = 0, INIT_RAM_3B = 0;
  parameter [255:0] INIT_RAM_3C = 0, INIT_RAM_3D = 0, INIT_RAM_3E = 0, INIT_RAM_3F = 0;

  initial begin
    if (READ_MODE0 != 0 || READ_MODE1 != 0) $fatal(1, "DPB: output registers are not modelled");
    if (BLK_SEL_0 != 0 || BLK_SEL_1 != 0) $fatal(1, "DPB: only block select 000 is modelled");
  end
  always @(posedge CLKA) if (RESET_MODE != "SYNC" && (RESETA || RESETB))
    $fatal(1, "DPB: only synchronous resets are modelled");

  wire [35:0] word_a, word_b;
  hpp_gowin_bsram #(
    .BYTE(8), .WIDTH_A(BIT_WIDTH_0), .WIDTH_B(BIT_WIDTH_1), .KEEPS_A(WRITE_MODE0 == 0), .KEEPS_B(WRITE_MODE1 == 0)
  ) ram (
    .clk(CLKA), .active_a(CEA && BLKSELA == 0), .active_b(CEB && BLKSELB == 0), .write_a(WREA), .write_b(WREB),
    .reset_a(RESETA), .reset_b(RESETB), .address_a(ADA), .address_b(ADB),
    .data_a({20'h0, DIA}), .data_b({20'h0, DIB}), .word_a(word_a), .word_b(word_b)
  );
  assign DOA = word_a[15:0];
  assign DOB = word_b[15:0];

  wire unused = &{1'b0, OCEA, OCEB, CLKB, word_a[35:16], word_b[35:16]};
endmodule

module hpp_dpx9b (
  input  wire CLKA, CEA, OCEA, WREA, RESETA, CLKB, CEB, OCEB, WREB, RESETB,
  input  wire [13:0] ADA, ADB,
  input  wire [17:0] DIA, DIB,
  input  wire [2:0] BLKSELA, BLKSELB,
  output wire [17:0] DOA, DOB
);
  parameter READ_MODE0 = 1'b0;
  parameter READ_MODE1 = 1'b0;
  parameter WRITE_MODE0 = 2'b00;
  parameter WRITE_MODE1 = 2'b00;
  parameter integer BIT_WIDTH_0 = 18;
  parameter integer BIT_WIDTH_1 = 18;
  parameter BLK_SEL_0 = 3'b000;
  parameter BLK_SEL_1 = 3'b000;
  parameter RESET_MODE = "SYNC";
  // The contents that a bitstream would load: not used.
  parameter [287:0] INIT_RAM_00 = 0, INIT_RAM_01 = 0, INIT_RAM_02 = 0, INIT_RAM_03 = 0;
  parameter [287:0] INIT_RAM_04 = 0, INIT_RAM_05 = 0, INIT_RAM_06 = 0, INIT_RAM_07 = 0;
  parameter [287:0] INIT_RAM_08 = 0, INIT_RAM_09 = 0, INIT_RAM_0A = 0, INIT_RAM_0B = 0;
  parameter [287:0] INIT_RAM_0C = 0, INIT_RAM_0D = 0, INIT_RAM_0E = 0, INIT_RAM_0F = 0;
  parameter [287:0] INIT_RAM_10 = 0, INIT_RAM_11 = 0, INIT_RAM_12 = 0, INIT_RAM_13 = 0;
  parameter [287:0] INIT_RAM_14 = 0, INIT_RAM_15 = 0, INIT_RAM_16 = 0, INIT_RAM_17 = 0;
  parameter [287:0] INIT_RAM_18 = 0, INIT_RAM_19 = 0, INIT_RAM_1A = 0, INIT_RAM_1B = 0;
  parameter [287:0] INIT_RAM_1C = 0, INIT_RAM_1D = 0, INIT_RAM_1E = 0, INIT_RAM_1F = 0;
  parameter [287:0] INIT_RAM_20 = 0, INIT_RAM_21 = 0, INIT_RAM_22 = 0, INIT_RAM_23 = 0;
  parameter [287:0] INIT_RAM_24 = 0, INIT_RAM_25 = 0, INIT_RAM_26 = 0, INIT_RAM_27 = 0;
  parameter [287:0] INIT_RAM_28 = 0, INIT_RAM_29 = 0, INIT_RAM_2A = 0, INIT_RAM_2B = 0;
  parameter [287:0] INIT_RAM_2C = 0, INIT_RAM_2D = 0, INIT_RAM_2E = 0, INIT_RAM_2F = 0;
  parameter [287:0] INIT_RAM_30 = 0, INIT_RAM_31 = 0, INIT_RAM_32 = 0, INIT_RAM_33 = 0;
  parameter [287:0] INIT_RAM_34 = 0, INIT_RAM_35 = 0, INIT_RAM_36 = 0, INIT_RAM_37 = 0;
  parameter [287:0] INIT_RAM_38 = 0, INIT_RAM_39 = 0, INIT_RAM_3A = 0, INIT_RAM_3B = 0;
  parameter [287:0] INIT_RAM_3C = 0, INIT_RAM_3D = 0, INIT_RAM_3E = 0, INIT_RAM_3F = 0;

  initial begin
    if (READ_MODE0 != 0 || READ_MODE1 != 0) $fatal(1, "DPX9B: output registers are not modelled");
    if (BLK_SEL_0 != 0 || BLK_SEL_1 != 0) $fatal(1, "DPX9B: only block select 000 is modelled");
  end
  always @(posedge CLKA) if (RESET_MODE != "SYNC" && (RESETA || RESETB))
    $fatal(1, "DPX9B: only synchronous resets are modelled");

  wire [35:0] word_a, word_b;
  hpp_gowin_bsram #(
    .BYTE(9), .WIDTH_A(BIT_WIDTH_0), .WIDTH_B(BIT_WIDTH_1), .KEEPS_A(WRITE_MODE0 == 0), .KEEPS_B(WRITE_MODE1 == 0)
  ) ram (
    .clk(CLKA), .active_a(CEA && BLKSELA == 0), .active_b(CEB && BLKSELB == 0), .write_a(WREA), .write_b(WREB),
    .reset_a(RESETA), .reset_b(RESETB), .address_a(ADA), .address_b(ADB),
    .data_a({18'h0, DIA}), .data_b({18'h0, DIB}), .word_a(word_a), .word_b(word_b)
  );
  assign DOA = word_a[17:0];
  assign DOB = word_b[17:0];

  wire unused = &{1'b0, OCEA, OCEB, CLKB, word_a[35:18], word_b[35:18]};
endmodule

module hpp_sdpb (
  input  wire CLKA, CEA, RESETA, CLKB, CEB, OCE, RESETB,
  input  wire [13:0] ADA, ADB,
  input  wire [31:0] DI,
  input  wire [2:0] BLKSELA, BLKSELB,
  output wire [31:0] DO
);
  parameter READ_MODE = 1'b0;
  parameter integer BIT_WIDTH_0 = 32;
  parameter integer BIT_WIDTH_1 = 32;
  parameter BLK_SEL_0 = 3'b000;
  parameter BLK_SEL_1 = 3'b000;
  parameter RESET_MODE = "SYNC";
  // The contents that a bitstream would load: not used.
  parameter [255:0] INIT_RAM_00 = 0, INIT_RAM_01 = 0, INIT_RAM_02 = 0, INIT_RAM_03 = 0;
  parameter [255:0] INIT_RAM_04 = 0, INIT_RAM_05 = 0, INIT_RAM_06 = 0, INIT_RAM_07 = 0;
  parameter [255:0] INIT_RAM_08 = 0, INIT_RAM_09 = 0, INIT_RAM_0A = 0, INIT_RAM_0B = 0;
  parameter [255:0] INIT_RAM_0C = 0, INIT_RAM_0D = 0, INIT_RAM_0E = 0, INIT_RAM_0F = 0;
  parameter [255:0] INIT_RAM_10 = 0, INIT_RAM_11 = 0, INIT_RAM_12 = 0, INIT_RAM_13 = 0;
  parameter [255:0] INIT_RAM_14 = 0, INIT_RAM_15 = 0, INIT_RAM_16 = 0, INIT_RAM_17 = 0;
  parameter [255:0] INIT_RAM_18 = 0, INIT_RAM_19 = 0, INIT_RAM_1A = 0, INIT_RAM_1B = 0;
  parameter [255:0] INIT_RAM_1C = 0, INIT_RAM_1D = 0, INIT_RAM_1E = 0, INIT_RAM_1F = 0;
  parameter [255:0] INIT_RAM_20 = 0, INIT_RAM_21 = 0, INIT_RAM_22 = 0, INIT_RAM_23 = 0;
  parameter [255:0] INIT_RAM_24 = 0, INIT_RAM_25 = 0, INIT_RAM_26 = 0, INIT_RAM_27 = 0;
  parameter [255:0] INIT_RAM_28 = 0, INIT_RAM_29 = 0, INIT_RAM_2A = 0, INIT_RAM_2B = 0;
  parameter [255:0] INIT_RAM_2C = 0, INIT_RAM_2D = 0, INIT_RAM_2E = 0, INIT_RAM_2F = 0;
  parameter [255:0] INIT_RAM_30 = 0, INIT_RAM_31 = 0, INIT_RAM_32 = 0, INIT_RAM_33 = 0;
  parameter [255:0] INIT_RAM_34 = 0, INIT_RAM_35 = 0, INIT_RAM_36 = 0, INIT_RAM_37 = 0;
  parameter [255:0] INIT_RAM_38 = 0, INIT_RAM_39 = 0, INIT_RAM_3A = 0, INIT_RAM_3B = 0;
  parameter [255:0] INIT_RAM_3C = 0, INIT_RAM_3D = 0, INIT_RAM_3E = 0, INIT_RAM_3F = 0;

  initial begin
    if (READ_MODE != 0) $fatal(1, "SDPB: output registers are not modelled");
    if (BLK_SEL_0 != 0 || BLK_SEL_1 != 0) $fatal(1, "SDPB: only block select 000 is modelled");
  end
  always @(posedge CLKA) if (RESET_MODE != "SYNC" && RESETB)
    $fatal(1, "SDPB: only synchronous resets are modelled");

  wire [35:0] none, word;
  hpp_gowin_bsram #(.BYTE(8), .WIDTH_A(BIT_WIDTH_0), .WIDTH_B(BIT_WIDTH_1)) ram (
    .clk(CLKA), .active_a(CEA && BLKSELA == 0), .active_b(CEB && BLKSELB == 0), .write_a(1'b1), .write_b(1'b0),
    .reset_a(1'b1), .reset_b(RESETB), .address_a(ADA), .address_b(ADB),
    .data_a({4'h0, DI}), .data_b(36'h0), .word_a(none), .word_b(word)
  );
  assign DO = word[31:0];

  wire unused = &{1'b0, OCE, CLKB, RESETA, none, word[35:32]};
endmodule

module hpp_sdpx9b (
  input  wire CLKA, CEA, RESETA, CLKB, CEB, OCE, RESETB,
  input  wire [13:0] ADA, ADB,
  input  wire [35:0] DI,
  input  wire [2:0] BLKSELA, BLKSELB,
  output wire [35:0] DO
);
  parameter READ_MODE = 1'b0;
  parameter integer BIT_WIDTH_0 = 36;
  parameter integer BIT_WIDTH_1 = 36;
  parameter BLK_SEL_0 = 3'b000;
  parameter BLK_SEL_1 = 3'b000;
  parameter RESET_MODE = "SYNC";
  // The contents that a bitstream would load: not used.
  parameter [287:0] INIT_RAM_00 = 0, INIT_RAM_01 = 0, INIT_RAM_02 = 0, INIT_RAM_03 = 0;
  parameter [287:0] INIT_RAM_04 = 0, INIT_RAM_05 = 0, INIT_RAM_06 = 0, INIT_RAM_07 = 0;
  parameter [287:0] INIT_RAM_08 = 0, INIT_RAM_09 = 0, INIT_RAM_0A = 0, INIT_RAM_0B = 0;
  parameter [287:0] INIT_RAM_0C = 0, INIT_RAM_0D = 0, INIT_RAM_0E = 0, INIT_RAM_0F = 0;
  parameter [287:0] INIT_RAM_10 = 0, INIT_RAM_11 = 0, INIT_RAM_12 = 0, INIT_RAM_13 = 0;
  parameter [287:0] INIT_RAM_14 = 0, INIT_RAM_15 = 0, INIT_RAM_16 = 0, INIT_RAM_17 = 0;
  parameter [287:0] INIT_RAM_18 = 0, INIT_RAM_19 = 0, INIT_RAM_1A = 0, INIT_RAM_1B = 0;
  parameter [287:0] INIT_RAM_1C = 0, INIT_RAM_1D = 0, INIT_RAM_1E = 0, INIT_RAM_1F = 0;
  parameter [287:0] INIT_RAM_20 = 0, INIT_RAM_21 = 0, INIT_RAM_22 = 0, INIT_RAM_23 = 0;
  parameter [287:0] INIT_RAM_24 = 0, INIT_RAM_25 = 0, INIT_RAM_26 = 0, INIT_RAM_27 = 0;
  parameter [287:0] INIT_RAM_28 = 0, INIT_RAM_29 = 0, INIT_RAM_2A = 0, INIT_RAM_2B = 0;
  parameter [287:0] INIT_RAM_2C = 0, INIT_RAM_2D = 0, INIT_RAM_2E = 0, INIT_RAM_2F = 0;
  parameter [287:0] INIT_RAM_30 = 0, INIT_RAM_31 = 0, INIT_RAM_32 = 0, INIT_RAM_33 = 0;
  parameter [287:0] INIT_RAM_34 = 0, INIT_RAM_35 = 0, INIT_RAM_36 = 0, INIT_RAM_37 = 0;
  parameter [287:0] INIT_RAM_38 = 0, INIT_RAM_39 = 0, INIT_RAM_3A = 0, INIT_RAM_3B = 0;
  parameter [287:0] INIT_RAM_3C = 0, INIT_RAM_3D = 0, INIT_RAM_3E = 0, INIT_RAM_3F = 0;

  initial begin
    if (READ_MODE != 0) $fatal(1, "SDPX9B: output registers are not modelled");
    if (BLK_SEL_0 != 0 || BLK_SEL_1 != 0) $fatal(1, "SDPX9B: only block select 000 is modelled");
  end
  always @(posedge CLKA) if (RESET_MODE != "SYNC" && RESETB)
    $fatal(1, "SDPX9B: only synchronous resets are modelled");

  wire [35:0] none, word;
  hpp_gowin_bsram #(.BYTE(9), .WIDTH_A(BIT_WIDTH_0), .WIDTH_B(BIT_WIDTH_1)) ram (
    .clk(CLKA), .active_a(CEA && BLKSELA == 0), .active_b(CEB && BLKSELB == 0), .write_a(1'b1), .write_b(1'b0),
    .reset_a(1'b1), .reset_b(RESETB), .address_a(ADA), .address_b(ADB),
    .data_a(DI), .data_b(36'h0), .word_a(none), .word_b(word)
  );
  assign DO = word;

  wire unused = &{1'b0, OCE, CLKB, RESETA, none};
endmodule
