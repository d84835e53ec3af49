// The sequential table against a table that does each path in a single step, at the end of its lookup. Any set holds
// the same paths with the same accumulators at any moment, also during a clear. Hits, replacements and saturation are
// reported alike. A lookup ends at most WAYS + 2 cycles after its first cycle.
//: inside hpp_sequential_table
//: configuration [geometry]
//: damaged (count_2 < least_least) => (count_2 <= least_least)
//: damaged (!way | (count_2 < least_least)) => (count_2 < least_least)
//: damaged assign replacement = least_takes & filled_2; => assign replacement = least_takes;
//: damaged wire least_takes = misses & (|path_count); => wire least_takes = misses;
//: damaged wire done = hit | misses; => wire done = misses;
//: damaged last <= searching & (step == 2'd2); => last <= searching;
//: damaged if (!hit) new_count = {5'd0, path_count}; =>
//: damaged wire least_least_way = common_0 ? way : least_place; => wire least_least_way = least_place;
//: damaged wire clears = clearing & !busy; => wire clears = clearing;
//: damaged if (over) new_count = 8'hff; => 
//: damaged if (clears) new_count = 8'd0; =>
//: damaged wire [1:0] write_cell = clears ? walk_entry : changed_number; => wire [1:0] write_cell = changed_number;
//: damaged wire begins = path_valid & !freeze & !clearing; => wire begins = path_valid & !freeze;
//: damaged clears ? {1'b0, layout_tag[30:0]} : layout_tag; => layout_tag;
//: damaged wire compares = compared | again; => wire compares = busy;
//: damaged again <= begins & rests & known; => again <= begins & known;
`define FULL 8'hff
`define SATURATES saturated
//: include table_sequential.svh
