`default_nettype none

module terse (
  input  wire       clk,
  input  wire       rst,
  input  wire       step,
  input  wire [7:0] word,
  output reg  [2:0] count,
  output wire [7:0] last,
  output wire [7:0] sum
);
  reg  [5:0] kept;

  wire [7:0] total_1 = {word[6:0], 1'b0};
  wire [7:0] total_2 = {total_1[6:0], 1'b1};
  wire [7:0] total = {total_2[6:0], 1'b0} ^ 8'd2;
  assign sum = total ^ total_2;
  assign last = {2'd0, kept};

  always @(posedge clk) begin
    if (step) begin
      count <= count + 3'd1;
      kept <= word[5:0];
    end
    if (rst) count <= 3'd5;
  end

  // Inputs that this configuration does not use.
  wire unused = &{1'b0, word[7], total_1[7]};
endmodule

`default_nettype wire
