`default_nettype none

// Every operator once.
module arith (
  input  wire [12:0] a,
  input  wire [12:0] b,
  input  wire [2:0]  n,
  input  wire        flag,
  output wire [12:0] sum,
  output wire        carry,
  output wire        difference_is_less,
  output wire [28:0] joined,
  output wire [12:0] taken_apart,
  output wire [3:0]  field,
  output wire [3:0]  moving,
  output wire        chosen,
  output wire [12:0] replaced,
  output wire [12:0] shifted,
  output reg  [7:0]  flags,
  output wire [3:0]  twice
);
  assign sum = a + b;
  wire [13:0] whole_0 = {1'b0, a} + {1'b0, b};
  assign carry = whole_0[13];
  assign difference_is_less = ({51'd0, a} - {51'd0, b}) < {51'd0, b};
  assign joined = {n, b, a};
  assign taken_apart = joined[25:13];
  assign field = a[6:3] ^ b[6:3];
  wire [12:0] whole_1 = a >> n;
  assign moving = whole_1[3:0];
  assign chosen = a[{1'b0, n}];
  assign replaced = (a & ~{5'd0, 8'd1 << n}) | {5'd0, {7'd0, flag} << n};
  assign shifted = (a << n) - (b >> n);

  always @* begin
    flags = 8'd0;
    if (a == 13'h4d) flags = flags | 8'd1;
    if ((|(~b)) & (b > 13'd5)) flags = flags | 8'd2;
    if ((^a) ^ flag) flags = {1'b1, flags[6:0]};
  end

  assign twice = whole_0[6:3] + {1'b0, n};

  // Inputs that this configuration does not use.
  wire unused = &{1'b0, whole_0[12:7], whole_0[2:0], whole_1[12:4]};
endmodule

`default_nettype wire
