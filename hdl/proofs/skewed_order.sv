// The ring of a skewed table and its pipeline. The paths that enter leave in the order in which they came, each once and as it was: the one
// in the last stage is the ring's oldest, those behind it follow, and all that are dropped because it changes the table, and itself if it is
// judged, come again in that order. There is room for four more while the core is asked to hold.
//: inside hpp_skewed_table
//: configuration [geometry]
//: configuration replacement = "rrip"
//: steps 1
//: join settling = ageing_0.settling
//: damaged wire [5:0] new_oldest = done ? (oldest + 6'd1) : oldest; => wire [5:0] new_oldest = oldest + 6'd1;
//: damaged if (back) read_next = new_oldest; => if (back) read_next = oldest;
//: damaged if (back) read_next = new_oldest; => if (back & !done) read_next = new_oldest;
//: damaged .read_address(read_next[4:0]), => .read_address(read_pointer[4:0]),
//: damaged .write_enable(put), => .write_enable(1'b1),
//: damaged valid <= write_pointer != read_next; => valid <= (write_pointer != read_next) | put;
//: damaged assign hold = occupancy >= 6'h1c; => assign hold = occupancy >= 6'h1d;
//: damaged wire ring_done = (path_4 & !judges_4) | ageing_0_done; => wire ring_done = path_4 | ageing_0_done;
//: damaged wire ring_next_path = issues | ageing_0_done; => wire ring_next_path = issues;
//: damaged path_2 <= path_1 & !ring_back; => path_2 <= path_1;
//: damaged count_0 <= ring_count; => if (!ageing_0_busy) count_0 <= ring_count;
//: damaged assign done = busy & !settling[0]; => assign done = busy & !settling[1];
`define CLAIM assert
`define BUSY ageing_0_busy
`define COUNT_4 count_4_0
`define DONE ageing_0_done
`define LEAVES {count_4_0, tag_4}
//: include skewed.svh
//: include skewed_order.svh

// The path that is judged, once more through all stages.
(* keep *) wire [4:0] settling;
always @* if (after_reset & ageing_0_busy) begin
  steps: assert ((settling & (settling + 5'd1)) == 5'd0);
  if (turn_4 == cell_of_ring) begin
    if (!settling[4]) again_0: assert ({count_0, tag_0} == kept);
    if (!settling[3]) again_1: assert ({count_1, tag_1} == kept);
    if (!settling[2]) again_2: assert ({count_2, tag_2} == kept);
    if (!settling[1]) again_3: assert ({count_3, tag_3} == kept);
    if (!settling[0]) again_4: assert ({count_4_0, tag_4} == kept);
    if (ageing_0_done) is_judged: assert ({count_4_0, tag_4} == judged);
  end
end
