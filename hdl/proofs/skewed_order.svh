// What enters the ring of a skewed table and its pipeline, and what LEAVES it.
//: configuration sets = 2
//: configuration ways = 2
//: configuration max-branches = 1
//: configuration event-bits = 3
//: configuration event-counter-bits = 3
//: configuration accumulator-bits = 8
//: within 8
//: instead word_q <= cells[read_address]; => word_q <= (write_enable & write_address == read_address) ? $anyseq : cells[read_address];
//: probe hpp_ring_memory wire [4:0] proof_cell; wire [35:0] proof_word = cells[proof_cell];
//: join ring.paths.proof_cell = cell_of_ring
//: join kept = ring.paths.proof_word

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
  if (path_4 & turn_4 == cell_of_ring) stage_4: assert ({`COUNT_4, tag_4} == kept);
  if (ring_valid & turn_next == cell_of_ring) next: assert ({ring_count, ring_tag} == kept);
  if (`BUSY) shown_again: assert (ring_valid);
  if (`BUSY & turn_4 == cell_of_ring) is_kept: assert (judged == kept);
  if (ring_done) is_one: assert (occupancy != 6'd0 & path_4 == !`DONE);
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
  if (before == 6'd0 & ring_done) as_it_came: assert (`LEAVES == entered);
end
