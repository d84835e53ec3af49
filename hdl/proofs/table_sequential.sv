// The sequential table, as one that does each path in a single step when it is done with it: a set, any, holds the same paths with the same
// accumulators at any moment, also while it is emptied; hits, replacements and saturation are told alike, and no path takes more than
// two cycles beyond its ways.
//: inside hpp_sequential_table
//: configuration [geometry]
//: damaged wire less = count_stage < least; => wire less = count_stage <= least;
//: damaged wire done = looking & (hit | ends); => wire done = looking & ends;
//: damaged ends <= looking & (step == 2'd2); => ends <= looking;
//: damaged if (!compares) begin => if (!looking) begin
//: damaged wire clears = clearing & !looking; => wire clears = clearing;
//: damaged if (over) new_count = 8'hff; => 
//: damaged wire vacant = vacancy | !filled_stage; => wire vacant = !filled_stage;
//: damaged wire inserts = done & !hit & (|path_count); => wire inserts = done & !hit;
//: damaged wire [3:0] changed_cell = looking ? changed_number : {2'd0, walk_entry}; => wire [3:0] changed_cell = changed_number;
//: damaged wire begins = path_valid & !freeze & !clearing; => wire begins = path_valid & !freeze;
//: damaged looking ? layout_tag : {1'b0, layout_tag[30:0]}; => layout_tag;
//: damaged assign hit = (compares | again) & tag_match_same; => assign hit = looking & tag_match_same;
//: damaged again <= begins & reread; => again <= begins;
`define FULL 8'hff
`define SATURATES saturated
//: include table_sequential.svh
