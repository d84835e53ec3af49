// The serial table, as one that does each path in a single step when it leaves the buffer: a set, any, holds the same paths with the same
// accumulators at any moment, also while it is emptied; hits, replacements and saturation are told alike, and no path takes more than
// two cycles beyond its ways.
//: inside hpp_serial_table
//: configuration [geometry]
//: damaged wire less = count_stage < least; => wire less = count_stage <= least;
//: damaged wire done = buffer_valid & (hit | (step == 2'd3)); => wire done = buffer_valid & (step == 2'd3);
//: damaged if (!compares) begin => if (!buffer_valid) begin
//: damaged wire clears = clearing & !buffer_occupied; => wire clears = clearing;
//: damaged if (over) new_count = 8'hff; => 
//: damaged wire vacant = vacancy | !filled_stage; => wire vacant = !filled_stage;
//: damaged wire inserts = done & !hit & (|buffer_count); => wire inserts = done & !hit;
//: damaged wire [3:0] changed_cell = buffer_valid ? changed_number : {2'd0, walk_entry}; => wire [3:0] changed_cell = changed_number;
//: damaged assign hit = compares & tag_match_same; => assign hit = buffer_valid & tag_match_same;
`define FULL 8'hff
`define SATURATES saturated
//: include table_serial.svh
