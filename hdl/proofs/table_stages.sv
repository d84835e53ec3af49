// The first stages of the parallel table. An operation is decided four cycles after it enters, unchanged. What it
// learns of the four operations ahead is true of them, whatever is in flight: whether they are for the same set, look
// up the same path, or have changed the set.
//: inside hpp_parallel_table
//: configuration [geometry]
//: configuration sets = 2
//: configuration ways = 2
//: configuration max-branches = 1
//: configuration event-bits = 3
//: configuration event-counter-bits = 3
//: configuration accumulator-bits = 8
//: configuration lookup = "parallel"
//: steps 4
//: within 8
//: instead wire index_set = index_folded_start ^ path_outcomes ^ path_length; => wire index_set = $anyseq;
//: join pairs_1 = stages.encounters_0.tag_match_pairs
//: join pairs_2 = stages.encounters_1.tag_match_pairs
//: join pairs_3 = stages.encounters_2.tag_match_pairs
//: join pairs_4 = stages.encounters_3.tag_match_pairs
//: damaged repeats_2 <= is_near & tag_match_same & path_1 & path_ahead_1; => repeats_2 <= is_near & tag_match_same & path_1;
//: damaged repeats_2 <= is_near & tag_match_same & path_1 & path_ahead_1; => repeats_2 <= tag_match_same & path_1 & path_ahead_1;
//: damaged near3_3 <= near3_2; => near3_3 <= near2_3;
//: damaged assign follows4_2 = near4_2 & changed_6; => assign follows4_2 = near4_2 & changed_5;
//: damaged (tag_match_differences[30:0] | tag_match_differences[31:1]) => tag_match_differences[30:0]
//: damaged if (clear_0) tag_1 <= 32'd0; => if (1'b0) tag_1 <= 32'd0;
//: damaged if (path_0) counts_0 <= count_0; => if (1'b1) counts_0 <= count_0;
`define CLAIM assert
localparam SET_BITS = 1, TAG_BITS = 32, EVENT_BITS = 3;
//: include operations.svh

// The comparison of tags after its first cycle.
(* keep *) wire [TAG_BITS-1:0] pairs_1, pairs_2, pairs_3, pairs_4;
always @* if (age >= 3'd4 & path_a) begin
  met: assert ({!(|pairs_1), !(|pairs_2), !(|pairs_3), !(|pairs_4)} == {tag_a == tag_b, tag_a == tag_c, tag_a == tag_d, tag_a == tag_e});
end
