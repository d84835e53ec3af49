// The ring of a table with shadows, and its pipeline. The paths that enter leave in the order in which they came, each once and as it was: the one
// in the last stage is the ring's oldest, or the one that was judged, which the ring shows meanwhile; those that are dropped, because it changes
// the table or is judged, come again in that order. There is room for four more while the core is asked to hold.
//: inside hpp_skewed_table
//: configuration [geometry]
//: configuration replacement = "shadow"
//: slow
//: steps 2
//: damaged if (back) read_next = new_oldest; => if (back) read_next = oldest;
//: damaged if (back) read_next = new_oldest; => if (back & !done) read_next = new_oldest;
//: damaged .write_enable(put), => .write_enable(1'b1),
//: damaged valid <= write_pointer != read_next; => valid <= (write_pointer != read_next) | put;
//: damaged assign hold = occupancy >= 6'h1c; => assign hold = occupancy >= 6'h1d;
//: damaged wire ring_done = (path_4 & !judges_4) | admission_0_done; => wire ring_done = path_4 | admission_0_done;
//: damaged wire ring_next_path = issues | admission_0_done; => wire ring_next_path = issues;
//: damaged path_2 <= path_1 & !ring_back; => path_2 <= path_1;
`define CLAIM assert
`define BUSY admission_0_busy
`define COUNT_4 count_of_4
`define DONE admission_0_done
`define LEAVES (admission_0_done ? judged : {count_of_4, tag_4})
// What the path in the last stage has counted, which a judgement makes its estimate of.
reg [2:0] count_of_4;
always @(posedge clk) count_of_4 <= count_3;
//: include skewed.svh
//: include skewed_order.svh
