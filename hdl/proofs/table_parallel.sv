// The parallel table against a table that does each operation in a single step, when it is four cycles old. Any set
// holds the same paths with the same accumulators at any moment, whatever is in flight. Hits, replacements and
// saturation are reported alike. The stored order, after a repair in flight, is that of the accumulators, and one way
// is the least.
//: inside hpp_parallel_table
//: configuration [geometry]
//: damaged wire changed2 = near2_3 & wrote_5; => wire changed2 = 1'b0;
//: damaged (near4_2 & wrote_6 & repeats4_2); => 1'b0;
//: damaged !(near4_2 & wrote_6); => 1'b1;
//: damaged if (!found | repeats1_2 | repeats2_2 | repeats3_2) hit_count <= 8'd0; => if (!found | repeats1_2 | repeats2_2) hit_count <= 8'd0;
//: damaged BELOW ? not_less_stage_5 : greater_stage_5; => greater_stage_5;
//: damaged wire [31:0] tag_match_differences = stored_1 ^ tag_1; => wire [31:0] tag_match_differences = stored_1 ^ {tag_1[31:1], 1'b0};
//: damaged if (repeats_3) found_if_lower = changes_4; => 
//: damaged if (repeats_4) hit_ways = way_5; => 
//: damaged else if (inserts & follows_4) insert_if_lower = rest_5; => 
//: damaged if (over_stage_4) accumulator_4 = 8'hff; => 
//: damaged else if (follows3_3) row_4 <= repaired_stage_6; => 
//: damaged else if (stages_near4_2 & wrote_6) full_3 <= !cleared_6; => 
//: damaged if (stages_clear_4) way_5 <= 2'd1; => 
`define FULL {COUNT_BITS{1'b1}}
//: include table_parallel.svh
