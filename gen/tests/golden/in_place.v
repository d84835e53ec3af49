`default_nettype none

module top (
  input  wire        clk,
  input  wire        rst,
  input  wire [15:0] a,
  input  wire [15:0] b,
  output wire [15:0] x,
  output wire [15:0] y,
  output wire        less
);
  reg  [15:0] mixes_0_sum;

  // Adds a constant.
  wire [15:0] steps_0_y = a + 16'd1;
  assign y = steps_0_y + 16'd2;
  wire [15:0] mixes_0_a = {8'd0, b[7:0]};
  // Keeps a masked sum.
  wire [16:0] mixes_0_total = {1'b0, mixes_0_a} + {1'b0, y};
  assign less = mixes_0_a < y;
  wire [15:0] mix_total = a ^ b;
  assign x = {12'd0, mix_total[3:0] & 4'd10} ^ mixes_0_sum;

  always @(posedge clk) begin
    if (less | mixes_0_total[16]) mixes_0_sum <= {8'd0, mixes_0_total[7:0]};
    if (rst) mixes_0_sum <= 16'd1;
  end

  // Inputs that this configuration does not use.
  wire unused = &{1'b0, mix_total[15:4], mixes_0_total[15:8]};
endmodule

`default_nettype wire
