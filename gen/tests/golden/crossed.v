`default_nettype none

module top (
  input  wire [15:0] a,
  output wire [15:0] y,
  output wire [15:0] z
);
  wire [15:0] inner_twice_0 = a + a;
  assign y = inner_twice_0 & (inner_twice_0 - 16'd5);
  wire [15:0] inner_twice = a - 16'd3;
  assign z = inner_twice & (inner_twice ^ y);
endmodule

`default_nettype wire
