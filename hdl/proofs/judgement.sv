// The judgement of a path whose miss was sampled, in a table with shadows. Of the rows that come into view it takes the first shadow that is the
// path's, else the first of the least; without one that is its the least gives way or not, as chance has it. With one, the estimate is the path's count times one more than the shadow's,
// times 2^k, saturating; it is compared with the first of the least accumulators of the path's rows and then of the occupant's. If that is not less the shadow grows, or k does and the shadow is halved; if
// it is, the path takes its own row, or the occupant moves to the least and the path takes its row, and what is evicted leaves its accumulator in units of 2^k as a shadow, unless one that is greater stands there.
// Each step is in the cycle that docs/timing.md states.
//: inside hpp_admission
//: configuration [geometry]
//: configuration sets = 2
//: configuration ways = 2
//: configuration max-branches = 1
//: configuration event-bits = 3
//: configuration event-counter-bits = 3
//: configuration accumulator-bits = 10
//: configuration replacement = "shadow"
//: steps 2
//: within 2
//: damaged wire is_its = (|faded) & (shown_fingerprint == fingerprint); => wire is_its = shown_fingerprint == fingerprint;
//: damaged wire [4:0] faded = shown_shadow >> age; => wire [4:0] faded = shown_shadow;
//: damaged (is_its | (faded < misses)) => (is_its | (faded <= misses))
//: damaged (first | (!found & (is_its | (faded < misses)))) => (first | is_its | (faded < misses))
//: damaged wire less = shown_count < least; => wire less = shown_count <= least;
//: damaged if (|sum[11:10]) count_4 <= 10'h3ff; => 
//: damaged steps <= 6'd6 + {1'b0, scale}; => steps <= 6'd5 + {1'b0, scale};
//: damaged wire above = least < count_4; => wire above = least <= count_4;
//: damaged wire [4:0] left = (|least[9:5]) ? 5'h1f : least[4:0]; => wire [4:0] left = least[4:0];
//: damaged stronger <= (|left) & (left >= faded); => stronger <= (|left) & (left > faded);
//: damaged stronger <= (|left) & (left >= faded); => stronger <= left >= faded;
//: damaged least <= {1'b0, least[9:1]}; => least <= least;
//: damaged if (full) shadow = {1'b0, misses[4:1]}; => 
//: damaged if (full) stamp = scale[1:0] + 2'd1; => 
//: damaged evicts <= |least; => evicts <= least[0];
//: damaged else if (yields) write_shadow = misses_way; => else write_shadow = misses_way;
//: damaged assign next_count = {1'b0, misses} + 6'd1; => assign next_count = {1'b0, misses};
//: damaged (misses == 5'h1f) ? 5'h1f : next_count[4:0]; => next_count[4:0];
//: damaged wire full = (misses == 5'h1f) & (scale != 5'h1a); => wire full = misses == 5'h1f;
//: damaged (phase == 3'd6) & !stepping & !stepped; => (phase == 3'd6) & !stepping;
//: damaged steps <= {1'b0, scale}; => steps <= {1'b0, scale} + 6'd1;
//: damaged wire full = (misses == 5'h1f) & (scale != 5'h1a); => wire full = (misses == 5'h1f) & (scale != 5'h19);
//: damaged wire full = (misses == 5'h1f) & (scale != 5'h1a); => wire full = (misses == 5'h1f) & (scale != 5'h1b);
//: damaged wire [4:0] grown = (misses == 5'h1f) ? => wire [4:0] grown = (misses == 5'h1e) ?
//: damaged ? 5'h1f : next_count[4:0]; => ? 5'h0 : next_count[4:0];
//: damaged ? 5'h1f : next_count[4:0]; => ? 5'h1e : next_count[4:0];
//: damaged evicts <= |least; => evicts <= 1'b1;
//: damaged stamp = scale[1:0]; => stamp = scale[1:0] + {1'b0, full};
//: damaged stepped <= stepping; => 
//: damaged if (|sum[11:10]) count_4 <= 10'h3ff; => if (|sum[11:10]) count_4 <= 10'h3fe;
//: damaged stepped <= stepping; => stepped <= 1'b0;
//: damaged       stepping <= 1'b0; => 
//: damaged       stepping <= 1'b0; => stepping <= 1'b1;
//: damaged if (common_0) write = turn; => if (common_0) write = least_way;
reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
always @* assume (rst == !after_reset);

// The last cycle of a judgement is that of `done`; a path that is judged drops those behind it, so another begins later (table_shadow).
always @* if (busy) assume (!judge);
// k changes with the last cycle alone; the count stays (table_shadow).
reg [4:0] k;
reg [2:0] count;
always @* begin
  assume (scale >= 5'd4 & scale <= 5'd26);
  if (busy) assume (scale == k & (phase != 3'd2 | count_3 == count));
end
always @(posedge clk) begin
  if (judge) k <= scale;
  if (!busy | judged) count <= count_3;
end

wire own = phase == 3'd1, other = phase == 3'd2, keep = phase == 3'd3, take = phase == 3'd4, move = phase == 3'd5, leave = phase == 3'd6,
  put_there = phase == 3'd7;

// Cycles since the path was in stage 4, since its rows were scanned, since the comparison, and since the step behind that.
reg [6:0] since, since_scanned, since_compared, since_written;
wire [6:0] at_compared = k > 5'd1 ? {2'd0, k} + 7'd7 : 7'd8;
always @(posedge clk) begin
  since <= judge ? 7'd1 : since + 7'd1;
  since_scanned <= judged ? 7'd1 : since_scanned + 7'd1;
  since_compared <= compared ? 7'd1 : since_compared + 7'd1;
  since_written <= (leaves & other_is_least) ? 7'd1 : since_written + 7'd1;
end

// What was in view: accumulators, and shadows as they are at this k.
wire [1:0] halvings = k[1:0] - shown_stamp;
wire [4:0] now = shown_shadow >> halvings;
wire its = (|now) & shown_fingerprint == fingerprint;
reg [9:0] own_count_0, own_count_1, other_count_0, other_count_1;
reg [4:0] shadow_0, shadow_1;
reg its_0, its_1;
always @(posedge clk) begin
  if (own & since == 7'd6) {own_count_0, shadow_0, its_0} <= {shown_count, now, its};
  if (own & since == 7'd7) {own_count_1, shadow_1, its_1} <= {shown_count, now, its};
  if (other & since_scanned == 7'd6) other_count_0 <= shown_count;
  if (other & since_scanned == 7'd7) other_count_1 <= shown_count;
end
wire second_shadow = its_0 ? 1'b0 : its_1 ? 1'b1 : shadow_1 < shadow_0;
wire [4:0] chosen_shadow = second_shadow ? shadow_1 : shadow_0;
wire [9:0] least_own = own_count_1 < own_count_0 ? own_count_1 : own_count_0;
wire [9:0] least_other = other_count_1 < other_count_0 ? other_count_1 : other_count_0;
wire moves_other = least_other < least_own;
wire [9:0] least_of_all = moves_other ? least_other : least_own;
wire second_least = moves_other ? other_count_1 < other_count_0 : own_count_1 < own_count_0;

// The estimate: a product, of which the bits of the factor are made one after another.
reg [5:0] one_more;
wire [6:0] made = since_scanned - 7'd1;
wire [5:0] part = one_more >> (made < 7'd6 ? 7'd6 - made : 7'd0);
wire [39:0] product = ({37'd0, count} * {34'd0, part}) << (made > 7'd6 ? made - 7'd6 : 7'd0);
wire [39:0] whole = ({37'd0, count} * {34'd0, one_more}) << k;
wire [9:0] whole_estimate = (|whole[39:10]) ? 10'h3ff : whole[9:0];
reg [9:0] evicted;
wire [9:0] in_units = evicted >> k;
wire [4:0] leaves_shadow = (|in_units[9:5]) ? 5'h1f : in_units[4:0];
reg [4:0] now_before;
always @(posedge clk) begin
  now_before <= now;
  if (judged) one_more <= {1'b0, chosen_shadow} + 6'd1;
  if (compared) evicted <= least_of_all;
end
wire [4:0] until_settled = {4'd0, settling[4]} + {4'd0, settling[3]} + {4'd0, settling[2]} + {4'd0, settling[1]} + {4'd0, settling[0]};

always @* if (after_reset & busy) begin
  settles: assert ((settling & (settling + 5'd1)) == 5'd0);
  feeds_first: assert (!feeds | settling == 5'h1f);
  if (own) begin
    own_time: assert (since >= 7'd1 & since <= 7'd8 & !stepping);
    own_settles: assert (until_settled == (since < 7'd6 ? 5'd6 - since[4:0] : 5'd0));
    own_view: assert (since < 7'd5 ? select == 2'd1 : since == 7'd5 ? select == 2'd1 & way_shown == 2'd1 : since == 7'd6 ? select == 2'd2 & way_shown == 2'd1 : since == 7'd7 ? way_shown == 2'd2 : 1'b1);
    own_scanned: assert (scanned == (since == 7'd8));
    if (since == 7'd7) own_first: assert (least == own_count_0 & least_way == 2'd1 & !other_is_least & found == its_0 & misses == shadow_0 & misses_way == 2'd1);
    if (scanned) own_both: assert (least == least_own & least_way == (own_count_1 < own_count_0 ? 2'd2 : 2'd1) & !other_is_least & found == (its_0 | its_1));
  end else chosen: assert (found & one_more == {1'b0, misses} + 6'd1);
  if (!own | scanned) of_shadows: assert (misses == chosen_shadow & misses_way == (second_shadow ? 2'd2 : 2'd1));
  if (other) begin
    other_time: assert (since == since_scanned + 7'd8 & since_scanned >= 7'd1 & since_scanned <= at_compared & since_scanned <= 7'd33);
    other_settles: assert (until_settled == (since_scanned < 7'd6 ? 5'd6 - since_scanned[4:0] : 5'd0) & feeds == (since_scanned == 7'd1));
    other_view: assert (since_scanned == 7'd1 ? 1'b1 : since_scanned < 7'd5 ? select == 2'd1 : since_scanned == 7'd5 ? select == 2'd1 & way_shown == 2'd1 : since_scanned == 7'd6 ? select == 2'd2 & way_shown == 2'd1 : since_scanned == 7'd7 ? way_shown == 2'd2 : 1'b1);
    other_scanned: assert (scanned == (since_scanned >= 7'd8));
    if (since_scanned <= 7'd6) before_other: assert (least == least_own & least_way == (own_count_1 < own_count_0 ? 2'd2 : 2'd1) & !other_is_least);
    if (since_scanned == 7'd7) first_other: assert (least == (other_count_0 < least_own ? other_count_0 : least_own) & other_is_least == (other_count_0 < least_own) & least_way == (other_is_least ? 2'd1 : own_count_1 < own_count_0 ? 2'd2 : 2'd1));
    steps_left: assert (stepping == (since_scanned <= 7'd6 + {2'd0, k}) & (!stepping | {1'b0, steps} == 7'd7 + {2'd0, k} - since_scanned));
    factor_left: assert (factor == (made < 7'd6 ? one_more << made : 6'd0));
    if (stepping) estimate_grows: assert (count_4 == ((|product[39:10]) ? 10'h3ff : product[9:0]));
    if (scanned) other_both: assert (least == least_of_all & other_is_least == moves_other & least_way == (second_least ? 2'd2 : 2'd1));
  end
  if (keep | take | move | leave | put_there) begin
    least_is: assert (other_is_least == moves_other & least_way == (second_least ? 2'd2 : 2'd1) & evicted == least_of_all & evicts == (|evicted));
    estimate_stays: assert (count_4 == whole_estimate);
    all_along: assert (since == since_compared + at_compared + 7'd8);
    why: assert ((evicted < whole_estimate) != keep);
    divides: assert (keep | (stepping == (since_compared <= {2'd0, k})));
    if (!keep & stepping) left_to_divide: assert ({1'b0, steps} == {2'd0, k} + 7'd1 - since_compared & least == evicted >> (since_compared - 7'd1));
    if (!keep & !stepping) divided: assert (least == in_units);
    divided_since: assert (keep | stepped == (since_compared >= 7'd2 & since_compared <= {2'd0, k} + 7'd1));
  end
  if (keep | take) compared_since: assert (since_compared >= 7'd1 & since_compared <= 7'd6 & until_settled == 5'd6 - since_compared[4:0]);
  if (keep) no_more_steps: assert (!stepping);
  if (take) own_row: assert (!moves_other);
  if (move) other_row: assert (since_compared == 7'd1 & moves_other);
  if (leave & moves_other) leaves_behind: assert (since_compared >= 7'd2 & since_compared <= ({2'd0, k} > 7'd5 ? {2'd0, k} + 7'd2 : 7'd7) & until_settled == (since_compared < 7'd7 ? 5'd7 - since_compared[4:0] : 5'd0));
  if (leave & !moves_other) leaves_own: assert (since_compared >= 7'd7 & since_compared <= ({2'd0, k} > 7'd10 ? {2'd0, k} + 7'd2 : 7'd12) & until_settled == (since_compared < 7'd12 ? 5'd12 - since_compared[4:0] : 5'd0));
  if (put_there) takes_place: assert (moves_other & !stepping & since_compared == since_written + ({2'd0, k} > 7'd5 ? {2'd0, k} + 7'd2 : 7'd7) & since_written >= 7'd1 & since_written <= 7'd6 & until_settled == 5'd6 - since_written[4:0]);
  // When each step is, and what it writes.
  if (judged) scanned_at: assert (since == 7'd8 & matched == found & done == !found);
  if (judged & !found) gives_way: assert (write_shadow == (!yields ? 2'd0 : second_shadow ? 2'd2 : 2'd1) & shadow == (&chosen_shadow ? 5'h1f : chosen_shadow + 5'd1) & stamp == k[1:0] & next_count == {1'b0, chosen_shadow} + 6'd1);
  if (judged & found) taken: assert (write_shadow == misses_way & shadow == 5'd0);
  if (compared) compared_at: assert (since_scanned == at_compared & count_4 == whole_estimate & least == least_of_all);
  if (keep & done) grows_then: assert (since_compared == 7'd6 & write_shadow == (second_shadow ? 2'd2 : 2'd1) & grows == (&chosen_shadow & k != 5'd26) & shadow == (grows ? {1'b0, chosen_shadow[4:1]} : &chosen_shadow ? 5'h1f : chosen_shadow + 5'd1) & stamp == k[1:0] + {1'b0, grows});
  if (take & (|write)) takes_then: assert (since_compared == 7'd6 & count_4 == whole_estimate & write == least_way);
  if (move) moves_then: assert (write == least_way);
  if (leaves) leaves_then: assert (since_compared == (moves_other ? ({2'd0, k} > 7'd5 ? {2'd0, k} + 7'd2 : 7'd7) : ({2'd0, k} > 7'd10 ? {2'd0, k} + 7'd2 : 7'd12)) & write_shadow == ((|leaves_shadow) & leaves_shadow >= now_before ? least_way : 2'd0) & (!(|write_shadow) | (shadow == leaves_shadow & stamp == k[1:0])));
  if (put_there & (|write)) places_then: assert (since_written == 7'd6 & done & count_4 == whole_estimate & write == turn);
  if (!(keep | leaves | judged)) nothing_else: assert (write_shadow == 2'd0);
  if (!(take | move | put_there)) no_row: assert (write == 2'd0);
end
// The last cycle, for two ways.
wire [6:0] b = 7'd14 + (k > 5'd1 ? {2'd0, k} + 7'd1 : 7'd2);
wire [6:0] divided_by = b + 7'd2 + {2'd0, k};
wire [6:0] last = own ? 7'd8 : keep ? b + 7'd6 : !moves_other ? (divided_by > b + 7'd12 ? divided_by : b + 7'd12) : (divided_by > b + 7'd7 ? divided_by : b + 7'd7) + 7'd6;
always @* if (after_reset & busy) begin
  in_time: assert (since <= 7'd75);
  if (done) at_last: assert (since == last & replaces == ((leave | put_there) & (|evicted)));
  else not_yet: assert (!replaces);
end
always @* if (after_reset) one_in_turn: assert (turn == 2'd1 | turn == 2'd2);
always @* if (after_reset & !busy) idle: assert (!stepping & !feeds & write == 2'd0 & write_shadow == 2'd0);
