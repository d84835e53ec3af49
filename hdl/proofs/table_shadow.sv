// The table with shadows. A path, any, is in one row at most while no occupant is on its way from one row to another, and its accumulator is
// what processing the paths one after another gives: each of its counts is added, saturating, from the path that put it in until another takes
// its row or a clear empties it, also if it moves to another row. It is found exactly if it is in; if it is not it takes the first of its rows that is empty,
// or is judged if its miss is sampled; one that is judged takes its own row, or that of the occupant that moves, or none.
//: inside hpp_skewed_table
//: configuration [geometry]
//: configuration replacement = "shadow"
//: join phase = admission_0.phase
//: join settling = admission_0.settling
//: join scanned = admission_0.scanned
//: join way_shown = admission_0.way_shown
//: join stepping = admission_0.stepping
//: join turn = admission_0.turn
//: join least = admission_0.least
//: join least_way = admission_0.least_way
//: join other_is_least = admission_0.other_is_least
//: per 2 join way[#].read_2 = ways_#.shown_tag
//: damaged if (admission_0_moves) new_count = stored_3; => 
//: damaged wire hides = views & (!(|(select & BIT))); => wire hides = 1'b0;
//: damaged if (hides | (!views & (!found_2 | repeats_2))) => if (hides | !found_2 | repeats_2)
//: damaged wire ring_back = judges_4 | inserts_4; => wire ring_back = judges_4;
//: damaged if (moves) write = least_way; => if (moves) write = turn;
//: damaged if (common_0) write = turn; => if (common_0) write = least_way;
//: damaged if (phase == 3'd1) select <= next_turn; => 
//: damaged turn <= next_turn; => 
//: damaged assign stays = (phase == 3'd2) | moves | (phase == 3'd6); => assign stays = moves | (phase == 3'd6);
//: damaged wire less = shown_count < least; => wire less = shown_count <= least;
//: damaged if (feeds & (phase == 3'd2)) select <= 2'd1; => 
//: damaged other_is_least <= phase == 3'd2; => other_is_least <= 1'b1;
//: damaged & (!(|vacant_4)) & chance_0_samples; => & (!(|vacant_4));
//: damaged if (!busy) count_4 <= {5'd0, count_3}; => if (!busy) count_4 <= {6'd0, count_3[1:0]};
//: damaged settling <= 5'h1f; => settling <= 5'h0f;
//: damaged if (over_stage_4) accumulator_4 = 8'hff; => 
//: damaged & !inserts_4 & !admission_0_busy & => & !inserts_4 &
//: damaged if (found_4) write_count = hits_4; => 
//: damaged way_shown <= select; => way_shown <= {select[0], select[1]};
//: damaged if (clear_4) write_tag = 2'd3; => 
//: damaged if (clear_4) write_count = 2'd3; => if (clear_4) write_count = 2'd2;
//: damaged if (matched) pause <= 5'h10; => if (matched) scale <= 5'd5;
//: damaged       replacement <= 1'b0; => 
//: damaged tag_5 <= tag_4; => tag_5 <= tag_3;
//: damaged changed_5 <= |write_count; => changed_5 <= |write_tag;
`define CLAIM assume
`define BUSY admission_0_busy
`define COUNT_4 count_of_4
`define WRITTEN admission_0_write
`define MOVES move
`define TAKEN_WITH admission_0_count_4
`define LEFT_IN (left_behind & occupant == path ? turn : 2'd0)
`define FULL 8'hff
// What the path in the last stage has counted, which a judgement makes its estimate of.
reg [2:0] count_of_4;
always @(posedge clk) count_of_4 <= count_3;
//: include skewed.svh

// What the ring shows has come in, and what is judged is shown until it is done with (skewed_order_shadow).
always @* if (ring_valid) assume (ring_tag[32]);
wire [32:0] judged_tag = judged[32:0];
always @* if (admission_0_busy) assume ({ring_count, ring_tag} == judged);

(* keep *) wire [2:0] phase;
(* keep *) wire [4:0] settling;
(* keep *) wire scanned, stepping, other_is_least;
(* keep *) wire [1:0] way_shown, turn, least_way;
(* keep *) wire [7:0] least;
wire [1:0] next_turn = (turn << 1) | (turn >> 1);
wire own = phase == 3'd1, other = phase == 3'd2, keep = phase == 3'd3, take = phase == 3'd4, move = phase == 3'd5, leave = phase == 3'd6,
  put_there = phase == 3'd7;
// Whose rows are in view: those of the path that is judged, or of the occupant that may move.
wire of_judged = own | keep | take | put_there;
wire [4:0] settled = {!settling[0], !settling[1], !settling[2], !settling[3], !settling[4]};
wire [4:0] judged_in = (other & admission_0_feeds) ? 5'h1f : of_judged ? settled : 5'd0;
wire unwritten = own | other | keep | take | move;
wire in_view = unwritten & !(own & settling[4]);
reg [32:0] occupant;
always @(posedge clk) if (admission_0_feeds & other) occupant <= shown_tag;
wire has_occupant = (other & !admission_0_feeds) | move | (leave & other_is_least) | put_there;
// An occupant that has moved is still in its row of before.
wire left_behind = (leave & other_is_least) | put_there;
//: include skewed_rows.svh

generate
  for (i = 0; i < 2; i = i + 1) begin : seen
    wire row = way[i].row, row_1 = way[i].row_1, row_2 = way[i].row_2, row_3 = way[i].row_3, row_4 = way[i].row_4;
    wire [32:0] kept_tag = way[i].kept_tag, other_tag = way[i].other_tag;
    wire [7:0] kept_count = way[i].kept_count;
    // What was read of the other row is what is there, too.
    always @* if (after_reset) begin
      if (path_1 & row_1 != row) assert (way[i].read_1 == other_tag);
      if (path_2 & row_2 != row) assert (way[i].read_2 == other_tag);
      if (path_3 & row_3 != row) assert (way[i].vacant_3 == !other_tag[32]);
      if (path_4 & row_4 != row) assert (vacant_4[i] == !other_tag[32]);
    end
    // The row of the path that is judged.
    reg judged_row;
    always @(posedge clk) if (judges_4) judged_row <= row_4;
    always @* if (admission_0_busy & tag_0 == judged_tag) assume (way[i].place == judged_row);
    // The accumulator of an empty row is 0, so an occupant may move there.
    always @* if (after_reset & known[i] & !kept_tag[32]) assert (kept_count == 8'd0);
    always @* if (after_reset & admission_0_busy) begin
      // Rows of the path that is judged.
      if (judged_in[1]) assert (row_1 == judged_row);
      if (judged_in[2]) assert (row_2 == judged_row);
      if (judged_in[3]) assert (row_3 == judged_row);
      if (judged_in[4]) assert (row_4 == judged_row);
      if (judged_tag == path) assert (judged_row == row);
      if (unwritten) assert (judged_row == row ? kept_tag[32] : other_tag[32]);
      // What is in view is there, and nothing of the other way.
      if (unwritten) assert (way[i].read_1 == (row_1 == row ? kept_tag : other_tag));
      if (in_view) assert (way[i].read_2 == (!way_shown[i] ? 33'd0 : row_2 == row ? kept_tag : other_tag));
      if (unwritten & row_2 == row) assert (way[i].stored_2 == kept_count);
      if (in_view & !way_shown[i]) assert (way[i].added_3 == 8'd0);
      if (in_view & way_shown[i] & row_3 == row) assert (way[i].added_3 == kept_count);
      // The occupant is in a row of the path that is judged.
      if ((other & !admission_0_feeds | move) & turn[i] & judged_row == row) assert (kept_tag == occupant);
      if ((other & !admission_0_feeds | move) & turn[i] & judged_row != row) assert (other_tag == occupant);
      if (left_behind & occupant == path & turn[i]) assert (judged_row == row);
      // None of its accumulators is less than the least.
      if (judged_row == row & ((own & (scanned | (i == 0 & way_shown[1] & !settling[0]))) | other)) assert (least <= kept_count);
    end
  end
endgenerate

// What `judgement` takes for granted of k.
reg [4:0] k;
always @(posedge clk) if (judges_4) k <= scale;
always @* if (after_reset) begin
  of_size: assert (scale >= 5'd4 & scale <= 5'd26);
  if (admission_0_busy) k_stays: assert (scale == k & !judges_4);
  // And `chances` of a clear.
  if (clear_0) clears_alone: assert (!path_4 & !admission_0_busy);
end

// The steps of a judgement: whose rows are in which stage, and which way is in view.
always @* if (after_reset) begin
  if (path_4) count_passes: assert (admission_0_count_4 == {5'd0, count_of_4});
  filled: assert ((!path_0 | tag_0[32]) & (!path_1 | tag_1[32]) & (!path_2 | tag_2[32]) & (!path_3 | tag_3[32]) & (!path_4 | tag_4[32]));
  if (admission_0_busy) judged_filled: assert (judged_tag[32]);
  if (admission_0_busy & has_occupant) occupant_filled: assert (occupant[32]);
  turns: assert (turn == 2'd1 | turn == 2'd2);
  steps_then: assert (!stepping | other | take | move | leave);
  feeds_first: assert (!admission_0_feeds | ((other | leave) & settling == 5'h1f));
  if (admission_0_busy) begin
    settles: assert ((settling & (settling + 5'd1)) == 5'd0);
    if (judged_in[0]) judged_0: assert ({count_0, tag_0} == judged);
    if (judged_in[1]) judged_1: assert ({count_1, tag_1} == judged);
    if (judged_in[2]) judged_2: assert ({count_2, tag_2} == judged);
    if (judged_in[3]) judged_3: assert ({count_3, tag_3} == judged);
    if (judged_in[4]) judged_4: assert (tag_4 == judged_tag);
    if (other) its_count: assert (count_0 == judged[35:33] & count_1 == judged[35:33] & count_2 == judged[35:33] & count_3 == judged[35:33]);
    if (other & !settling[4] | move) occupant_0: assert (tag_0 == occupant);
    if (other & !settling[3] | move) occupant_1: assert (tag_1 == occupant);
    if (other & !settling[2] | move) occupant_2: assert (tag_2 == occupant);
    if (other & !settling[1] | move) occupant_3: assert (tag_3 == occupant);
    if (other & !settling[0] | move) occupant_4: assert (tag_4 == occupant);
    if (other) feeds_once: assert (admission_0_feeds == (settling == 5'h1f));
    if (in_view) one_in_view: assert (way_shown == 2'd1 | way_shown == 2'd2);
    if (own | other) begin
      scans_last: assert (!scanned | !settling[0]);
      if (own & settling[0]) from_first: assert (admission_0_select == 2'd1);
      if (other & settling[0]) from_first_again: assert (admission_0_select == (admission_0_feeds ? turn : 2'd1));
      if (other & admission_0_feeds) turn_in_view: assert (way_shown == turn);
      if (settling == 5'd1) first_in_view: assert (way_shown == 2'd1);
      if (!settling[0] & !scanned) in_turn: assert (admission_0_select == (way_shown == 2'd1 ? 2'd2 : own ? next_turn : turn));
      if (scanned) next_in_view: assert (admission_0_select == (own ? next_turn : turn) & (own | way_shown == turn));
    end
    if ((own & (scanned | (!settling[0] & way_shown[1]))) | (other & admission_0_feeds)) of_own_rows: assert (!other_is_least);
    if (move) moves_from: assert (way_shown == turn & other_is_least);
    if (take) takes_own: assert (!other_is_least);
    if (put_there) placed: assert (other_is_least);
    if ((own & (scanned | (!settling[0] & way_shown[1]))) | (!own & !leave & !put_there) | ((leave | put_there) & other_is_least)) one_least: assert (least_way == 2'd1 | least_way == 2'd2);
  end
end

always @* if (after_reset & all_known) begin
  if (admission_0_busy & !(leave & !other_is_least) & judged_tag == path) not_in: assert (!is_in & judged[35:33] != 3'd0);
  if (is_4) judges: assert (judges_4 == (counts & !is_in & !(|vacant) & chance_0_samples));
  // An occupant is in one row, and moves to another.
  if (has_occupant & occupant == path) moves_or_not: assert (is_in & (in_way == turn) == (other | move));
  if ((move | (other & !admission_0_feeds)) & other_is_least & occupant == path) moves_away: assert (least_way != turn);
  if (moves_row) moves_whole: assert (new_count == sum);
  if (writes) whose: assert (tag_4 == (move ? occupant : judged_tag) & (admission_0_write == 2'd1 | admission_0_write == 2'd2));
  if (takes_row) replaces: assert (!is_in & new_count == admission_0_count_4);
end
