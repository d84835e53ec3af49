// DP16KD: the 18 Kbit block RAM of the ECP5, for the simulation of netlists.
//
// Written from the public description (Lattice, "ECP5 and ECP5-5G Memory Usage Guide", sections on true and pseudo dual
// port RAM) and from the port mapping that Yosys makes for it, because Yosys carries the cell as a black box only.
//
// 512 rows of 36 bits. An access of 36, 18 or 9 bits reaches whole bytes of nine bits, one of 4, 2 or 1 a part of the low
// eight bits of a byte; address bits 13:5 are the row, the lower ones the place in it. With 36 bits the pins of both sides
// make one word: A writes, B reads. Widths of 18 and 36 take their byte enables from the lowest address pins.
//
// Harsher than the cell where the description leaves something open, so that nothing can come to depend on it:
//   - contents at the start are random unless INITVAL has a 1 anywhere: Yosys also writes 0 for what is undefined;
//   - a bit read at the edge at which the other side writes it comes out random;
//   - a bit written from both sides at one edge becomes random;
//   - what a side shows after a write of its own is the word before with WRITEMODE "NORMAL", else random.
//
// Both sides run on one clock, which a side that is not used lacks. Not modelled, and refused: output registers, inverted clocks, chip selects other than 000.
module hpp_dp16kd (
  input  wire DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9,
  input  wire DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0,
  input  wire ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0,
  input  wire CEA, OCEA, CLKA, WEA, RSTA, CSA2, CSA1, CSA0,
  output wire DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9,
  output wire DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0,
  input  wire DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9,
  input  wire DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0,
  input  wire ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0,
  input  wire CEB, OCEB, CLKB, WEB, RSTB, CSB2, CSB1, CSB0,
  output wire DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9,
  output wire DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0
);
  parameter integer DATA_WIDTH_A = 18;
  parameter integer DATA_WIDTH_B = 18;
  parameter REGMODE_A = "NOREG";
  parameter REGMODE_B = "NOREG";
  parameter RESETMODE = "SYNC";
  parameter ASYNC_RESET_RELEASE = "SYNC";
  parameter CSDECODE_A = "0b000";
  parameter CSDECODE_B = "0b000";
  parameter WRITEMODE_A = "NORMAL";
  parameter WRITEMODE_B = "NORMAL";
  parameter CLKAMUX = "CLKA";
  parameter CLKBMUX = "CLKB";
  parameter GSR = "ENABLED";
  // The contents that a bitstream loads: half a row of 18 bits in each 20 bits.
  parameter [319:0] INITVAL_00 = 0, INITVAL_01 = 0, INITVAL_02 = 0, INITVAL_03 = 0;
  parameter [319:0] INITVAL_04 = 0, INITVAL_05 = 0, INITVAL_06 = 0, INITVAL_07 = 0;
  parameter [319:0] INITVAL_08 = 0, INITVAL_09 = 0, INITVAL_0A = 0, INITVAL_0B = 0;
  parameter [319:0] INITVAL_0C = 0, INITVAL_0D = 0, INITVAL_0E = 0, INITVAL_0F = 0;
  parameter [319:0] INITVAL_10 = 0, INITVAL_11 = 0, INITVAL_12 = 0, INITVAL_13 = 0;
  parameter [319:0] INITVAL_14 = 0, INITVAL_15 = 0, INITVAL_16 = 0, INITVAL_17 = 0;
  parameter [319:0] INITVAL_18 = 0, INITVAL_19 = 0, INITVAL_1A = 0, INITVAL_1B = 0;
  parameter [319:0] INITVAL_1C = 0, INITVAL_1D = 0, INITVAL_1E = 0, INITVAL_1F = 0;
  parameter [319:0] INITVAL_20 = 0, INITVAL_21 = 0, INITVAL_22 = 0, INITVAL_23 = 0;
  parameter [319:0] INITVAL_24 = 0, INITVAL_25 = 0, INITVAL_26 = 0, INITVAL_27 = 0;
  parameter [319:0] INITVAL_28 = 0, INITVAL_29 = 0, INITVAL_2A = 0, INITVAL_2B = 0;
  parameter [319:0] INITVAL_2C = 0, INITVAL_2D = 0, INITVAL_2E = 0, INITVAL_2F = 0;
  parameter [319:0] INITVAL_30 = 0, INITVAL_31 = 0, INITVAL_32 = 0, INITVAL_33 = 0;
  parameter [319:0] INITVAL_34 = 0, INITVAL_35 = 0, INITVAL_36 = 0, INITVAL_37 = 0;
  parameter [319:0] INITVAL_38 = 0, INITVAL_39 = 0, INITVAL_3A = 0, INITVAL_3B = 0;
  parameter [319:0] INITVAL_3C = 0, INITVAL_3D = 0, INITVAL_3E = 0, INITVAL_3F = 0;

  wire [17:0] dia = {DIA17, DIA16, DIA15, DIA14, DIA13, DIA12, DIA11, DIA10, DIA9, DIA8, DIA7, DIA6, DIA5, DIA4, DIA3, DIA2, DIA1, DIA0};
  wire [17:0] dib = {DIB17, DIB16, DIB15, DIB14, DIB13, DIB12, DIB11, DIB10, DIB9, DIB8, DIB7, DIB6, DIB5, DIB4, DIB3, DIB2, DIB1, DIB0};
  wire [13:0] ada = {ADA13, ADA12, ADA11, ADA10, ADA9, ADA8, ADA7, ADA6, ADA5, ADA4, ADA3, ADA2, ADA1, ADA0};
  wire [13:0] adb = {ADB13, ADB12, ADB11, ADB10, ADB9, ADB8, ADB7, ADB6, ADB5, ADB4, ADB3, ADB2, ADB1, ADB0};
  wire [17:0] doa, dob;
  assign {DOA17, DOA16, DOA15, DOA14, DOA13, DOA12, DOA11, DOA10, DOA9, DOA8, DOA7, DOA6, DOA5, DOA4, DOA3, DOA2, DOA1, DOA0} = doa;
  assign {DOB17, DOB16, DOB15, DOB14, DOB13, DOB12, DOB11, DOB10, DOB9, DOB8, DOB7, DOB6, DOB5, DOB4, DOB3, DOB2, DOB1, DOB0} = dob;

  initial begin
    if (REGMODE_A != "NOREG" || REGMODE_B != "NOREG") $fatal(1, "DP16KD: output registers are not modelled");
    if (CLKAMUX != "CLKA" || CLKBMUX != "CLKB") $fatal(1, "DP16KD: inverted clocks are not modelled");
    if (CSDECODE_A != "0b000" || CSDECODE_B != "0b000") $fatal(1, "DP16KD: only chip select 000 is modelled");
  end

  // The bits of a row that an access reaches; of a write, those of the bytes it enables.
  function [35:0] reach(input integer width, input [13:0] address, input write);
    reg [35:0] bits;
    begin
      bits = ~36'h0 >> (36 - width);
      if (write && width == 36) bits = {{9{address[3]}}, {9{address[2]}}, {9{address[1]}}, {9{address[0]}}};
      if (write && width == 18) bits = {18'h0, {9{address[1]}}, {9{address[0]}}};
      reach = bits << place(width, address);
    end
  endfunction

  // Where in its row an access begins.
  function integer place(input integer width, input [13:0] address);
    case (width)
      36: place = 0;
      18: place = 18 * address[4];
      9: place = 9 * address[4:3];
      4: place = 9 * address[4:3] + 4 * address[2];
      2: place = 9 * address[4:3] + 2 * address[2:1];
      default: place = 9 * address[4:3] + address[2:0];
    endcase
  endfunction

  function [35:0] noise(input [35:0] bits);
    noise = bits & {4'($urandom), $urandom};
  endfunction

  reg [35:0] cells [0:511];
  reg [20479:0] contents;
  integer first;
  initial begin
    contents = {
      INITVAL_3F, INITVAL_3E, INITVAL_3D, INITVAL_3C, INITVAL_3B, INITVAL_3A, INITVAL_39, INITVAL_38,
      INITVAL_37, INITVAL_36, INITVAL_35, INITVAL_34, INITVAL_33, INITVAL_32, INITVAL_31, INITVAL_30,
      INITVAL_2F, INITVAL_2E, INITVAL_2D, INITVAL_2C, INITVAL_2B, INITVAL_2A, INITVAL_29, INITVAL_28,
      INITVAL_27, INITVAL_26, INITVAL_25, INITVAL_24, INITVAL_23, INITVAL_22, INITVAL_21, INITVAL_20,
      INITVAL_1F, INITVAL_1E, INITVAL_1D, INITVAL_1C, INITVAL_1B, INITVAL_1A, INITVAL_19, INITVAL_18,
      INITVAL_17, INITVAL_16, INITVAL_15, INITVAL_14, INITVAL_13, INITVAL_12, INITVAL_11, INITVAL_10,
      INITVAL_0F, INITVAL_0E, INITVAL_0D, INITVAL_0C, INITVAL_0B, INITVAL_0A, INITVAL_09, INITVAL_08,
      INITVAL_07, INITVAL_06, INITVAL_05, INITVAL_04, INITVAL_03, INITVAL_02, INITVAL_01, INITVAL_00
    };
    for (first = 0; first < 512; first = first + 1)
      cells[first] = |contents ? {contents[40 * first + 20 +: 18], contents[40 * first +: 18]} : noise(~36'h0);
  end

  wire active_a = CEA && {CSA2, CSA1, CSA0} == 0;
  wire active_b = CEB && {CSB2, CSB1, CSB0} == 0;
  wire [35:0] write_a = active_a && WEA ? reach(DATA_WIDTH_A, ada, 1) : 36'h0;
  wire [35:0] write_b = active_b && WEB ? reach(DATA_WIDTH_B, adb, 1) : 36'h0;
  wire [35:0] data_a = {DATA_WIDTH_A == 36 ? dib : 18'h0, dia} << place(DATA_WIDTH_A, ada);
  wire [35:0] data_b = {18'h0, dib} << place(DATA_WIDTH_B, adb);
  wire same_row = ada[13:5] == adb[13:5];

  reg [35:0] word_a, word_b, clash_a, clash_b;
  reg [17:0] out_a;
  reg [35:0] out_b;
  wire clock = CLKA | CLKB;
  always @(posedge clock) begin
    clash_a = same_row ? write_b : 36'h0;
    clash_b = same_row ? write_a : 36'h0;
    word_a = cells[ada[13:5]] & ~clash_a | noise(clash_a);
    word_b = cells[adb[13:5]] & ~clash_b | noise(clash_b);
    if (RSTA) out_a <= 0;
    else if (active_a && !WEA) out_a <= 18'((word_a & reach(DATA_WIDTH_A, ada, 0)) >> place(DATA_WIDTH_A, ada));
    else if (active_a && WRITEMODE_A != "NORMAL") out_a <= 18'(noise(~36'h0));
    if (RSTB) out_b <= 0;
    else if (active_b && !WEB) out_b <= (word_b & reach(DATA_WIDTH_B, adb, 0)) >> place(DATA_WIDTH_B, adb);
    else if (active_b && WRITEMODE_B != "NORMAL") out_b <= noise(~36'h0);
    cells[ada[13:5]] = cells[ada[13:5]] & ~write_a | data_a & write_a;
    cells[adb[13:5]] = cells[adb[13:5]] & ~write_b | data_b & write_b;
    if (same_row) cells[ada[13:5]] = cells[ada[13:5]] & ~(write_a & write_b) | noise(write_a & write_b);
  end

  assign doa = DATA_WIDTH_B == 36 ? out_b[17:0] : out_a;
  assign dob = DATA_WIDTH_B == 36 ? out_b[35:18] : out_b[17:0];

  wire unused = &{1'b0, OCEA, OCEB, RESETMODE, ASYNC_RESET_RELEASE, GSR};
endmodule
