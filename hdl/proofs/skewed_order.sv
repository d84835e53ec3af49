// The ring of a skewed table and its pipeline. The paths that enter leave in the order in which they came, each once and as it was: the one
// in the last stage is the ring's oldest, those behind it follow, and all that are dropped because it changes the table, and itself if it is
// judged, come again in that order. There is room for four more while the core is asked to hold.
//: inside hpp_skewed_table
//: configuration [geometry]
//: configuration sets = 2
//: configuration ways = 2
//: configuration max-branches = 1
//: configuration event-bits = 3
//: configuration event-counter-bits = 3
//: configuration accumulator-bits = 8
//: configuration replacement = "rrip"
//: steps 1
//: within 8
//: instead word_q <= cells[read_address]; => word_q <= (write_enable & write_address == read_address) ? $anyseq : cells[read_address];
//: probe hpp_ring_memory wire [4:0] proof_cell; wire [35:0] proof_word = cells[proof_cell];
//: join ring.paths.proof_cell = cell_of_ring
//: join kept = ring.paths.proof_word
//: join oldest = ring.oldest
//: join read_pointer = ring.read_pointer
//: join write_pointer = ring.write_pointer
//: join settling = ageing_0.settling
//: damaged wire [5:0] new_oldest = done ? (oldest + 6'd1) : oldest; => wire [5:0] new_oldest = oldest + 6'd1;
//: damaged if (back) read_next = new_oldest; => if (back) read_next = oldest;
//: damaged if (back) read_next = new_oldest; => if (back & !done) read_next = new_oldest;
//: damaged .read_address(read_next[4:0]), => .read_address(read_pointer[4:0]),
//: damaged valid <= write_pointer != read_next; => valid <= (write_pointer != read_next) | put;
//: damaged assign hold = occupancy >= 6'h1c; => assign hold = occupancy >= 6'h1d;
//: damaged wire ring_done = (path_4 & !judges_4) | ageing_0_done; => wire ring_done = path_4 | ageing_0_done;
//: damaged wire ring_next_path = issues | ageing_0_done; => wire ring_next_path = issues;
//: damaged path_2 <= path_1 & !ring_back; => path_2 <= path_1;
//: damaged count_0 <= ring_count; => if (!ageing_0_busy) count_0 <= ring_count;
//: damaged assign done = busy & !settling[0]; => assign done = busy & !settling[1];
`define CLAIM assert
//: include skewed.svh

// What the others keep: four paths at most come while there is little room left.
reg [2:0] come = 3'd0;
always @(posedge clk) come <= (hold & !rst) ? come + {2'd0, ring_put} : 3'd0;
always @* if (after_reset) begin
  assume (!(ring_put & hold & come == 3'd4));
  come_at_most: assert (come <= 3'd4);
  left_free: assert (!hold | {1'b0, occupancy} + {4'd0, 3'd4 - come} <= 7'd32);
end

// A cell of the ring, any, and whose turn it is in each stage, and in the one before the first.
(* anyconst *) reg [4:0] cell_of_ring;
(* keep *) wire [35:0] kept;
(* keep *) wire [4:0] settling;
wire [4:0] turn_4 = write_pointer[4:0] - occupancy[4:0];
wire [4:0] turn_3 = turn_4 + {4'd0, path_4};
wire [4:0] turn_2 = turn_3 + {4'd0, path_3};
wire [4:0] turn_1 = turn_2 + {4'd0, path_2};
wire [4:0] turn_0 = turn_1 + {4'd0, path_1};
wire [4:0] turn_next = turn_0 + {4'd0, path_0};
always @* if (after_reset) begin
  if (path_0 & turn_0 == cell_of_ring) stage_0: assert ({count_0, tag_0} == kept);
  if (path_1 & turn_1 == cell_of_ring) stage_1: assert ({count_1, tag_1} == kept);
  if (path_2 & turn_2 == cell_of_ring) stage_2: assert ({count_2, tag_2} == kept);
  if (path_3 & turn_3 == cell_of_ring) stage_3: assert ({count_3, tag_3} == kept);
  if (path_4 & turn_4 == cell_of_ring) stage_4: assert ({count_4_0, tag_4} == kept);
  if (ring_valid & turn_next == cell_of_ring) next: assert ({ring_count, ring_tag} == kept);
  if (ring_done) is_one: assert (occupancy != 6'd0 & path_4 == !ageing_0_done);
end
// The path that is judged, once more through all stages.
always @* if (after_reset & ageing_0_busy) begin
  steps: assert ((settling & (settling + 5'd1)) == 5'd0);
  shown_again: assert (ring_valid);
  if (turn_4 == cell_of_ring) begin
    is_kept: assert (judged == kept);
    if (!settling[4]) again_0: assert ({count_0, tag_0} == kept);
    if (!settling[3]) again_1: assert ({count_1, tag_1} == kept);
    if (!settling[2]) again_2: assert ({count_2, tag_2} == kept);
    if (!settling[1]) again_3: assert ({count_3, tag_3} == kept);
    if (!settling[0]) again_4: assert ({count_4_0, tag_4} == kept);
    if (ageing_0_done) is_judged: assert ({count_4_0, tag_4} == judged);
  end
end

// The path that waits in that cell, any: from the cycle in which it enters to the one in which it is done with.
(* anyseq *) reg choose;
reg watched = 1'b0;
reg [5:0] place = 6'd0;
reg [35:0] entered;
wire [5:0] before = place - oldest;
always @(posedge clk) begin
  if (!watched & ring_put & choose & write_pointer[4:0] == cell_of_ring) begin
    watched <= 1'b1;
    place <= write_pointer;
    entered <= {path_count, entering_tag};
  end else if (ring_done & before == 6'd0) watched <= 1'b0;
  if (rst) watched <= 1'b0;
end
always @* if (after_reset & watched) begin
  waits: assert (before < occupancy & place[4:0] == cell_of_ring);
  unchanged: assert (kept == entered);
  if (before == 6'd0 & ring_done) as_it_came: assert ({count_4_0, tag_4} == entered);
end
