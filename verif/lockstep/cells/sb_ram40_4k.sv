// SB_RAM40_4K: the 4 Kbit block RAM of the iCE40, for the simulation of netlists.
//
// Yosys's own model of the cell, harsher where the cell promises nothing:
//   - contents at the start are random where INIT is undefined (Verilator draws undefined constants with --x-assign unique);
//   - a bit read at the edge at which it is written comes out random.
//
// Not modelled, and refused: a write of another width than the reads.
module hpp_sb_ram40_4k (
  output wire [15:0] RDATA,
  input  wire        RCLK, RCLKE, RE,
  input  wire [10:0] RADDR,
  input  wire        WCLK, WCLKE, WE,
  input  wire [10:0] WADDR,
  input  wire [15:0] MASK,
  input  wire [15:0] WDATA
);
  parameter [1:0] READ_MODE = 0;
  parameter [1:0] WRITE_MODE = 0;

  // The contents that a bitstream loads.
  parameter [255:0] INIT_0 = 0, INIT_1 = 0, INIT_2 = 0, INIT_3 = 0;
  parameter [255:0] INIT_4 = 0, INIT_5 = 0, INIT_6 = 0, INIT_7 = 0;
  parameter [255:0] INIT_8 = 0, INIT_9 = 0, INIT_A = 0, INIT_B = 0;
  parameter [255:0] INIT_C = 0, INIT_D = 0, INIT_E = 0, INIT_F = 0;

  wire [15:0] word;
  always @(posedge WCLK)
    if (WE && WCLKE && READ_MODE != WRITE_MODE) $fatal(1, "SB_RAM40_4K: reading and writing different widths is not modelled");

  SB_RAM40_4K #(
    .READ_MODE(READ_MODE), .WRITE_MODE(WRITE_MODE),
    .INIT_0(INIT_0), .INIT_1(INIT_1), .INIT_2(INIT_2), .INIT_3(INIT_3),
    .INIT_4(INIT_4), .INIT_5(INIT_5), .INIT_6(INIT_6), .INIT_7(INIT_7),
    .INIT_8(INIT_8), .INIT_9(INIT_9), .INIT_A(INIT_A), .INIT_B(INIT_B),
    .INIT_C(INIT_C), .INIT_D(INIT_D), .INIT_E(INIT_E), .INIT_F(INIT_F)
  ) cell_model (
    .RDATA(word), .RCLK(RCLK), .RCLKE(RCLKE), .RE(RE), .RADDR(RADDR),
    .WCLK(WCLK), .WCLKE(WCLKE), .WE(WE), .WADDR(WADDR), .MASK(MASK), .WDATA(WDATA)
  );

  // 256 words of 16 bits, 512 of 8, 1024 of 4 or 2048 of 2: 8 to 11 address bits count.
  wire [10:0] counted = 11'h7ff >> (3 - READ_MODE);
  wire clash = RE && RCLKE && WE && WCLKE && (RADDR & counted) == (WADDR & counted);
  reg [15:0] noise;
  always @(posedge RCLK)
    if (RE && RCLKE) noise <= clash ? 16'($urandom) & (READ_MODE == 0 ? ~MASK : 16'hffff) : 16'h0;
  assign RDATA = word ^ noise;
endmodule
