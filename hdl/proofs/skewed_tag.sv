// The tag and the rows of a skewed table. Two paths with the same tag and start bits are equal, and the path is read
// back unchanged. Two paths that share rows in two ways share them in all. Any other two paths share a row in at most
// one way.
//: around
//: circuit tag_of_path
//: circuit path_of_tag
//: circuit way_row
//: configuration [geometry]
//: configuration replacement = "rrip"
//: steps 1
//: within 1
//: damaged assign tag = {1'b1, length, outcomes, start[29:7]}; => assign tag = {1'b1, length, outcomes | {31'd0, outcomes[31]}, start[29:7]};
//: damaged assign tag = {1'b1, length, outcomes, start[29:7]}; => assign tag = {1'b1, 1'b0, length[4:0], outcomes, start[29:7]};
//: damaged assign start_low = start[6:0]; => assign start_low = start[7:1];
//: damaged assign outcomes = tag[54:23]; => assign outcomes = tag[55:24];
//: damaged assign next_y = y[6] ? ({y[5:0], 1'b0} ^ 7'd3) : {y[5:0], 1'b0}; => assign next_y = y[6] ? {y[5:0], 1'b0} : {y[5:0], 1'b0};
//: damaged assign next_y = y[6] ? ({y[5:0], 1'b0} ^ 7'd3) : {y[5:0], 1'b0}; => assign next_y = y[6] ? ({y[5:0], 1'b0} ^ 7'd127) : {y[5:0], 1'b0};
module skewed_tag_proof (
  input wire        clk,
  input wire [29:0] start_a, start_b,
  input wire [31:0] outcomes_a, outcomes_b,
  input wire [5:0]  length_a, length_b,
  input wire [6:0]  x_a, x_b, first_y_a, first_y_b
);
  // Tags.
  wire [61:0] tag_a, tag_b;
  wire [6:0] start_low_a, start_low_b;
  wire filled_a;
  wire [29:0] start_read;
  wire [31:0] outcomes_read;
  wire [5:0] length_read;
  hpp_tag_of_path layout_a (.start(start_a), .outcomes(outcomes_a), .length(length_a), .tag(tag_a), .start_low(start_low_a));
  hpp_tag_of_path layout_b (.start(start_b), .outcomes(outcomes_b), .length(length_b), .tag(tag_b), .start_low(start_low_b));
  hpp_path_of_tag read (.tag(tag_a), .start_low(start_low_a), .filled(filled_a), .start(start_read), .outcomes(outcomes_read), .length(length_read));
  always @* begin
    if ({tag_a, start_low_a} == {tag_b, start_low_b}) one_path: assert ({start_a, outcomes_a, length_a} == {start_b, outcomes_b, length_b});
    read_back: assert ({filled_a, start_read, outcomes_read, length_read} == {1'b1, start_a, outcomes_a, length_a});
  end

  // Rows, for any two words from which they are computed.
  localparam WAYS = 4;
  wire [7*WAYS+6:0] y_a, y_b;
  assign y_a[6:0] = first_y_a;
  assign y_b[6:0] = first_y_b;
  wire [WAYS-1:0] meets;
  genvar i;
  generate
    for (i = 0; i < WAYS; i = i + 1) begin : ways
      wire [6:0] row_a, row_b;
      hpp_way_row place_a (.x(x_a), .y(y_a[7*i +: 7]), .row(row_a), .next_y(y_a[7*i+7 +: 7]));
      hpp_way_row place_b (.x(x_b), .y(y_b[7*i +: 7]), .row(row_b), .next_y(y_b[7*i+7 +: 7]));
      assign meets[i] = row_a == row_b;
    end
  endgenerate
  always @* if ((meets & (meets - 1'b1)) != 0) in_all_or_in_one: assert (&meets);
endmodule
