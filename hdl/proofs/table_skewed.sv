// The skewed table from which few entries leave (rrip). A path, any, is in one row at most, at any moment and whatever the pipeline holds,
// and its accumulator is what processing the paths one after another gives: each of its counts is added, saturating, from the path that put
// it in until another takes its row or a clear empties it. It is found exactly if it is in; if it is not, it takes the first of its rows
// that is empty, or is judged and takes the row of the first entry with the least value. Values are 1 when an entry is new, 3 when it was found, and less by the least of those that another path was judged among.
//: inside hpp_skewed_table
//: damaged repeats1_2 <= matches_0_same & path_1 & path_2; => repeats1_2 <= matches_0_same & path_1;
//: damaged repeats3_2 <= matches_2_same & path_1 & path_4; => repeats3_2 <= 1'b0;
//: damaged if (!found_2 | repeats_2) count_3 <= 8'd0; => if (!found_2) count_3 <= 8'd0;
//: damaged if (repeats3_2 & !repeats2_2 & !repeats1_2) => if (repeats3_2)
//: damaged if (over_stage_4) accumulator_4 = 8'hff; => 
//: damaged wire ring_back = judges_4 | inserts_4; => wire ring_back = judges_4;
//: damaged path_3 <= path_2 & !ring_back; => path_3 <= path_2;
//: damaged found_4 <= (|hits_3) & path_3 & !ring_back; => found_4 <= (|hits_3);
//: damaged wire [1:0] first_vacant = vacant_4 & ((vacant_4 ^ 2'd3) + 2'd1); => wire [1:0] first_vacant = vacant_4;
//: damaged wire misses_4 = path_4 & !found_4 & some_4; => wire misses_4 = path_4 & !found_4;
//: damaged (!(clear_1 | clear_2 | clear_3)) => (!(clear_1 | clear_2))
//: damaged wire clear_0 = clearing & !ring_occupied; => wire clear_0 = clearing;
//: damaged if (clear_3) tag_4 <= 33'd0; => 
//: damaged way_4 <= least_ways & ((least_ways ^ 2'd3) + 2'd1); => way_4 <= least_ways;
//: damaged wire judges_4 = misses_4 & (!(|vacant_4)); => wire judges_4 = misses_4 & (!(|vacant_4)) & count_4_0[0];
//: damaged vacant_stage_3 <= !tag_stage_2[32]; => vacant_stage_3 <= !tag_stage_2[31];
//: damaged if (found_4) values_write_value = 2'd3; => 
//: damaged values_write_value = value_stage_4 - least_4; => values_write_value = value_stage_4;
//: damaged if (|low) least_ways = low; => 
//: damaged if (|high) least <= 2'd2; => 
//: damaged wire values_write_enable = writes_4 | ages_4; => wire values_write_enable = writes_4;
//: damaged tag_5 <= tag_4; => tag_5 <= tag_3;
//: damaged changed_5 <= |write_count; => changed_5 <= |write_tag;
`define FULL 8'hff
//: include table_skewed.svh
