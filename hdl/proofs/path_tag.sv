// The tag and the set of a path: two paths with the same tag and set are equal.
//: around
//: circuit set_index
//: circuit tag_of_path
//: steps 1
//: within 1
//: damaged wire [6:0] folded_start = start[6:0] ^ start[13:7] => wire [6:0] folded_start = start[13:7]
//: damaged wire [6:0] folded_start = start[6:0] => wire [6:0] folded_start = start[7:1]
//: damaged assign set = folded_start ^ outcomes[6:0] => assign set = {folded_start[6:1], 1'b0} ^ outcomes[6:0]
//: damaged assign tag = {1'b1, length, => assign tag = {1'b1, 6'd0,
module path_tag_proof (
  input wire        clk,
  input wire [29:0] start_a, start_b,
  input wire [31:0] outcomes_a, outcomes_b,
  input wire [5:0]  length_a, length_b
);
  wire [6:0] set_a, set_b;
  wire [61:0] tag_a, tag_b;
  hpp_set_index index_a (.start(start_a), .outcomes(outcomes_a), .length(length_a), .set(set_a));
  hpp_set_index index_b (.start(start_b), .outcomes(outcomes_b), .length(length_b), .set(set_b));
  hpp_tag_of_path layout_a (.start(start_a), .outcomes(outcomes_a), .length(length_a), .tag(tag_a));
  hpp_tag_of_path layout_b (.start(start_b), .outcomes(outcomes_b), .length(length_b), .tag(tag_b));
  always @* if ({set_a, tag_a} == {set_b, tag_b})
    one_path: assert ({start_a, outcomes_a, length_a} == {start_b, outcomes_b, length_b});
endmodule
