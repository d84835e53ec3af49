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
  wire [15:0] mixes_0_sum;
  wire        mixes_0_less;
  wire [15:0] mixes_1_sum;
  wire        mixes_1_less;

  // Adds a constant.
  wire [15:0] steps_0_y = a + 16'd1;
  assign y = steps_0_y + 16'd2;
  wire [15:0] mix_total = a ^ b;
  assign x = {12'd0, mix_total[3:0] & 4'd10} ^ mixes_0_sum ^ mixes_1_sum;
  assign less = mixes_0_less | mixes_1_less;

  top_mix mixes_0 (
    .clk(clk),
    .rst(rst),
    .a({8'd0, b[7:0]}),
    .b(y),
    .sum(mixes_0_sum),
    .less(mixes_0_less)
  );

  top_mix mixes_1 (
    .clk(clk),
    .rst(rst),
    .a({8'd0, b[7:0]}),
    .b(y),
    .sum(mixes_1_sum),
    .less(mixes_1_less)
  );

  // Inputs that this configuration does not use.
  wire unused = &{1'b0, mix_total[15:4]};
endmodule

// Keeps a masked sum.
module top_mix (
  input  wire        clk,
  input  wire        rst,
  input  wire [15:0] a,
  input  wire [15:0] b,
  output reg  [15:0] sum,
  output wire        less
);
  wire [16:0] total = {1'b0, a} + {1'b0, b};
  assign less = a < b;

  always @(posedge clk) begin
    if (less | total[16]) sum <= {8'd0, total[7:0]};
    if (rst) sum <= 16'd1;
  end

  // Inputs that this configuration does not use.
  wire unused = &{1'b0, total[15:8]};
endmodule

`default_nettype wire
