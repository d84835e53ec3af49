// The skewed table, for `on_way`: what is of a path in the ring and its stages.
//: configuration replacement = "rrip"
//: join write_pointer = skewed_tables_0.ring.write_pointer
//: join read_pointer = skewed_tables_0.ring.read_pointer
//: join oldest = skewed_tables_0.ring.oldest
//: join shown = skewed_tables_0.ring_valid
//: join put = skewed_tables_0.ring_put
//: per 5 join path_# = skewed_tables_0.path_#
//: join found_4 = skewed_tables_0.found_4
//: join judging = skewed_tables_0.ageing_0_busy
//: join leaves_5 = skewed_tables_0.leaves_5_0
//: damaged assign hold = occupancy >= 6'h1c; => assign hold = occupancy >= 6'h1d;
//: damaged wire detector_hold = skewed_tables_0_hold | drains_0_hold; => wire detector_hold = drains_0_hold;
//: damaged wire detector_hold = skewed_tables_0_hold | drains_0_hold; => wire detector_hold = skewed_tables_0_hold;
//: damaged assign saturates_4 = found_4 & over_stage_4; => assign saturates_4 = over_stage_4;
//: damaged wire ring_done = (path_4 & !judges_4) | ageing_0_done; => wire ring_done = path_4 | ageing_0_done;
//: damaged path_2 <= path_1 & !ring_back; => path_2 <= path_1;
//: damaged left_valid <= leaves; => left_valid <= leaves | left_valid;
`define LEFT skewed_tables_0_left_valid
`define MOST 7'd33
(* keep *) wire [5:0] write_pointer, read_pointer, oldest;
(* keep *) wire shown, put, path_0, path_1, path_2, path_3, path_4, found_4, judging, leaves_5;
wire [5:0] occupancy = write_pointer - oldest;
`define IN_TABLE {1'd0, occupancy} + {6'd0, leaves_5} + {6'd0, `LEFT}
`define AT_STACK row != 4'd0
//: include on_way.svh

wire [2:0] under_way = {2'd0, path_0} + {2'd0, path_1} + {2'd0, path_2} + {2'd0, path_3} + {2'd0, path_4};
// Paths that came since the table asks that no further record leaves the queue.
reg [6:0] come = 7'd0;
always @(posedge clk) come <= (skewed_tables_0_hold & !rst) ? come + {6'd0, put} : 7'd0;
always @* if (after_reset) begin
  counted: assert (read_pointer - oldest == {3'd0, under_way});
  in_ring: assert ({3'd0, under_way} <= occupancy);
  is_shown: assert (!shown | {3'd0, under_way} < occupancy);
  judged_alone: assert (!judging | (under_way == 3'd0 & occupancy != 6'd0));
  found_of_path: assert (!found_4 | path_4);
  room: assert (before_table + {1'd0, occupancy} <= 7'd31);
  finds_room: assert (!put | occupancy < 6'd32);
  if (skewed_tables_0_hold) four_come: assert (come <= 7'd4 & come + before_table <= 7'd4);
end
