// The first record accepted after a gap, from the queue to the stack. TWICE: the decoder presents it for two cycles,
// and the stack applies it in the second.
reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
always @* assume (rst == !after_reset);

(* keep *) wire [2:0] write_pointer, read_pointer;
(* keep *) wire [RECORD_BITS-1:0] kept_record;
(* keep *) wire marked, pops, drops, grows, shallower;
(* keep *) wire [5:0] occupancy;
(* keep *) wire [4:0] below, read_cell, written_cell, length;
(* keep *) wire [29:0] start;
(* keep *) wire [31:0] appended, popped;
(* keep *) wire [7:0] counter;

// Any gap, and the first record accepted after it.
(* anyseq *) reg choose;
wire unseen = drops | purge | !enable;
reg chosen = 1'b0, waiting = 1'b0, leaves = 1'b0, stays = 1'b0, steps = 1'b0, over = 1'b0, over_1 = 1'b0;
wire on_its_way = waiting | leaves | stays | steps | over;
reg [1:0] place = 2'd0;
reg [2:0] before;
reg [29:0] target;
wire gets_in = accepted & ((chosen & !on_its_way) | (!chosen & choose & br_after_loss));
wire turn = waiting & pops & before == 3'd0;
always @(posedge clk) begin
  chosen <= chosen | (choose & unseen) | gets_in;
  if (gets_in) begin
    waiting <= 1'b1;
    place <= write_pointer[1:0];
    before <= write_pointer - read_pointer - {2'd0, pops};
    target <= br_target[31:2];
  end else if (waiting) begin
    before <= before - {2'd0, pops};
    if (turn) waiting <= 1'b0;
  end
  leaves <= turn;
  stays <= leaves & `TWICE;
  steps <= (leaves & !`TWICE) | stays;
  over <= over | steps;
  over_1 <= over;
  if (rst) {chosen, waiting, leaves, stays, steps, over, over_1} <= 7'd0;
end

// Any cell of the stack's memory, and whether it was written since.
(* anyconst *) reg [4:0] cell_of_stack;
reg since = 1'b0;
wire [4:0] ahead = below - cell_of_stack;
always @(posedge clk) since <= over & (since | (grows & written_cell == cell_of_stack));

always @* if (after_reset) begin
  one_place: assert ({2'd0, waiting} + {2'd0, leaves} + {2'd0, stays} + {2'd0, steps} + {2'd0, over} <= 3'd1);
  of_chosen: assert (chosen | !on_its_way);
  room: assert (write_pointer - read_pointer <= 3'd4);
  if (chosen & !on_its_way) due: assert (marked);
  if (waiting) begin
    in_order: assert (place == read_pointer[1:0] + before[1:0]);
    still_there: assert (before < write_pointer - read_pointer);
    as_it_came: assert (kept_record[1] & kept_record[34:5] == target);
  end
  if (leaves) taken_out: assert (queue_record_valid & queue_record_purge_first & queue_record_target == target);
  if (steps) empties: assert (decoder_step_purge & decoder_step_target == target & decoder_step_row == 0 & !decoder_step_extends & !decoder_step_retracts);
  if (over & !over_1) nothing_left: assert (occupancy == 6'd1 & start == target & appended == 0 & popped == 0 & length == 0 & counter == 0);
  if (over) begin
    depth: assert (occupancy >= 6'd1 & occupancy <= 6'd32);
    pushed_since: assert (since | {1'b0, ahead} + 6'd1 >= occupancy);
    if (shallower & read_cell == cell_of_stack) brought_back: assert (since);
    reads_below: assert (read_cell == below);
  end
end
