// A set in which each operation takes a single step, when it is four cycles old. An accumulator that overflows becomes
// FULL, which the proof defines.
(* anyconst *) reg [SET_BITS-1:0] the_set;
reg [WAYS*TAG_BITS-1:0] tags_of_set;
reg [WAYS*COUNT_BITS-1:0] sums;
localparam PAIRS = WAYS * (WAYS - 1) / 2;

// Bit i * WAYS + j: the sum of way i is below that of a lower way j.
wire [WAYS*WAYS-1:0] below;
wire [PAIRS-1:0] ranks;
wire [WAYS-1:0] has_c, has_d, lowest;
wire here = set_d == the_set;
wire found_d = |has_d;
wire [WAYS-1:0] chosen = found_d ? has_d : lowest;
reg [COUNT_BITS-1:0] sum_c, sum_d;
integer n;
always @* begin
  sum_c = 0;
  sum_d = 0;
  for (n = 0; n < WAYS; n = n + 1) begin
    if (has_c[n]) sum_c = sum_c | sums[n*COUNT_BITS +: COUNT_BITS];
    if (has_d[n]) sum_d = sum_d | sums[n*COUNT_BITS +: COUNT_BITS];
  end
end
wire [COUNT_BITS:0] total = {1'b0, sum_d} + count_d;
wire [COUNT_BITS-1:0] new_sum = !found_d ? count_d : total[COUNT_BITS] ? `FULL : total[COUNT_BITS-1:0];
wire acts = here & path_d & (found_d | count_d != 0);
wire blanks = here & clear_d;

// The writes of the last three operations to the set, and whether the set was known then.
wire [WAYS-1:0] writes = blanks ? {WAYS{1'b1}} : acts ? chosen : {WAYS{1'b0}};
wire [WAYS-1:0] takes = (blanks | !found_d) ? writes : {WAYS{1'b0}};
reg [WAYS-1:0] takes_e, takes_f, writes_e, writes_f, writes_g;
reg acts_e, acts_f;
reg known = 1'b0, known_1 = 1'b0, known_2 = 1'b0, known_3 = 1'b0;
always @(posedge clk) begin
  {takes_f, takes_e} <= {takes_e, takes};
  {writes_g, writes_f, writes_e} <= {writes_f, writes_e, writes};
  {acts_f, acts_e} <= {acts_e, blanks | acts};
  {known_3, known_2, known_1, known} <= {known_2, known_1, known, known | blanks};
  if (rst) {known_3, known_2, known_1, known} <= 4'd0;
end
wire only_e = acts_e & !clear_e;

// The state of the circuit.
(* keep *) wire [WAYS*TAG_BITS-1:0] kept_tags, tag_1;
(* keep *) wire [PAIRS-1:0] kept_order;
(* keep *) wire [COUNT_BITS-1:0] ahead_3;
(* keep *) wire full_2, full_3, full_4;
genvar i, j;
generate
  for (i = 0; i < WAYS; i = i + 1) begin : set
    wire [TAG_BITS-1:0] path = tags_of_set[i*TAG_BITS +: TAG_BITS];
    wire [COUNT_BITS-1:0] count = sums[i*COUNT_BITS +: COUNT_BITS];
    wire used = path[TAG_BITS-1];
    assign has_c[i] = path == tag_c;
    assign has_d[i] = path == tag_d;
    wire [WAYS-1:0] others;
    for (j = 0; j < WAYS; j = j + 1) begin : beside
      assign below[i*WAYS+j] = (j < i) & count < sums[j*COUNT_BITS +: COUNT_BITS];
      assign others[j] = (j == i) | ((j < i) ? below[i*WAYS+j] : !below[j*WAYS+i]);
      if (j < i) begin : one_path
        assign ranks[i*(i-1)/2+j] = below[i*WAYS+j];
        always @* if (after_reset & known & used) assert (path != tags_of_set[j*TAG_BITS +: TAG_BITS]);
      end
    end
    assign lowest[i] = &others;
    always @(posedge clk) begin
      if (takes[i]) tags_of_set[i*TAG_BITS +: TAG_BITS] <= tag_d;
      if (writes[i]) sums[i*COUNT_BITS +: COUNT_BITS] <= blanks ? {COUNT_BITS{1'b0}} : new_sum;
    end

    // The state of the circuit in the pipeline.
    (* keep *) wire [COUNT_BITS-1:0] kept, read_2, read_3, read_4;
    (* keep *) wire [TAG_BITS-1:0] pairs_2;
    (* keep *) wire hit_2, fresh2, fresh3, intact;
    (* keep *) wire [WAYS-1:0] stored_3, followed_3, row_4, row_5, row_6;
    wire [WAYS-1:0] row = below[i*WAYS +: WAYS];
    localparam [WAYS-1:0] LOWER = (1 << i) - 1;
    wire unwritten = !writes_e[i] & !(known_1 & writes_f[i]);
    wire untaken = !takes_e[i] & !(known_1 & takes_f[i]);
    always @* if (age >= 3'd5) assert (((stored_3 | followed_3 | row_4 | row_5 | row_6) & ~LOWER) == 0);
    always @* if (after_reset & known) begin
      // The memories.
      assert (kept_tags[i*TAG_BITS +: TAG_BITS] == path);
      assert (kept == count);
      assert (used == (count != 0));
      assert (used | path == 0);
      // A count in flight is the one of the set, unless it was changed since.
      if (writes_e[i]) assert (count_5 == count & path == tag_e);
      if (known_1 & writes_f[i] & !writes_e[i]) assert (count_6 == count & path == tag_f);
      if (known_2 & writes_g[i] & unwritten) assert (count_7 == count);
      // A value that was read is the one of the set, unless it was written since.
      if (set_a == the_set & !takes_e[i]) assert (tag_1[i*TAG_BITS +: TAG_BITS] == path);
      if (set_b == the_set & known_1) begin
        if (untaken) assert (!(|pairs_2) == (path == tag_b));
        if (path_b) assert (hit_2 == (path == tag_b));
      end
      if (set_b == the_set & !writes_e[i]) assert (read_2 == count);
      if (set_c == the_set & path_c) assert (hits[i] == has_c[i]);
      if (set_c == the_set & known_1 & unwritten) assert (read_3 == count);
      if (set_d == the_set & known_2 & unwritten & !writes_g[i]) assert (read_4 == count);
      if (set_d == the_set & known_1) begin
        assert (fresh2 == writes_f[i]);
        if (known_2 | writes_f[i]) begin
          assert (fresh3 == (writes_g[i] & !writes_f[i]));
          assert (intact == !(writes_f[i] | writes_g[i]));
        end
      end
      // The order of the set, without later changes.
      if (set_c == the_set & !acts_e & !(acts_f & known_1)) assert ((stored_3 | followed_3) == row);
      if (set_d == the_set & !acts_e) assert (row_4 == row);
      if (only_e & !writes_e[i]) assert (((row_5 ^ row) & ~writes_e) == 0);
      if (known_1 & acts_f & !acts_e) assert (row_6 == row);
      if (only_e) assert (above[i] == (!writes_e[i] & |(writes_e & (row | (others & ~(LOWER | (1 << i)))))));
    end
  end
  for (i = 1; i < WAYS; i = i + 1) begin : filling
    always @* if (after_reset & known) assert (set[i-1].used | !set[i].used);
  end
endgenerate

wire last_used = tags_of_set[WAYS*TAG_BITS-1];
localparam LAST = WAYS - 1;

always @* if (after_reset) begin
  known_since: assert ((known | !known_1) & (known_1 | !known_2) & (known_2 | !known_3));
  if (known) cleared_first: assert (age >= 3'd5);
  if (known_1) pipeline_full: assert (age == 3'd6);
  of_age: assert (age >= ((path_d | clear_d) ? 3'd4 : (path_c | clear_c) ? 3'd3 : (path_b | clear_b) ? 3'd2 : {2'd0, path_a | clear_a}));
  paths_a: assert ((!clear_a | (!path_a & tag_a == 0)) & (path_a | count_a == 0 | age < 3'd1) & (!path_a | tag_a[TAG_BITS-1]));
  paths_b: assert ((!clear_b | (!path_b & tag_b == 0)) & (path_b | count_b == 0 | age < 3'd2) & (!path_b | tag_b[TAG_BITS-1]));
  paths_c: assert ((!clear_c | (!path_c & tag_c == 0)) & (path_c | count_c == 0 | age < 3'd3) & (!path_c | tag_c[TAG_BITS-1]));
  paths_d: assert ((!clear_d | (!path_d & tag_d == 0)) & (path_d | count_d == 0 | age < 3'd4) & (!path_d | tag_d[TAG_BITS-1]));
  if (known) paths_e: assert (!clear_e | (!path_e & tag_e == 0));
end
always @* if (after_reset & known) begin
  // The decision.
  if (here & path_d) begin
    found: assert (decision_found_4 == found_d);
    changes: assert (decision_changes_4 == acts);
    written: assert (decision_ways_4 == writes & decision_new_ways_4 == takes);
    if (acts) added: assert (accumulator_accumulator_4 == new_sum);
    replaces: assert (decision_replaces_4 == (acts & !found_d & last_used));
    saturates: assert (accumulator_saturates_4 == (found_d & total[COUNT_BITS]));
  end
  if (blanks) blanked: assert (!decision_found_4 & decision_changes_4 & &decision_ways_4 & &decision_new_ways_4 & accumulator_accumulator_4 == 0);
  if (here & !path_d & !clear_d) idle: assert (!decision_changes_4 & decision_ways_4 == 0 & decision_new_ways_4 == 0);
  // The stored order, after a repair in flight. One way is the least.
  ordered: assert ((acts_e ? order : kept_order) == ranks);
  one_least: assert (lowest != 0 & (lowest & (lowest - 1'b1)) == 0);
  if (set_b == the_set & !acts_e & !(acts_f & known_1)) order_read: assert (orders_read_data == ranks);
  // The completed operations.
  if (set_e == the_set) done_5: assert ({changed_5, written_5, cleared_5, way_5} == {acts_e, writes_e, clear_e, clear_e ? {{LAST{1'b0}}, 1'b1} : writes_e});
  if (set_f == the_set & known_1) done_6: assert ({changed_6, written_6, cleared_6} == {acts_f, writes_f, clear_f});
  set_of_e: assert ((!acts_e | set_e == the_set) & |writes_e == acts_e & (takes_e & ~writes_e) == 0);
  if (acts_e) ways_of_e: assert (clear_e ? &takes_e : (writes_e & (writes_e - 1'b1)) == 0);
  if (!known_1) clear_is_e: assert (acts_e & clear_e);
  if (known_1) set_of_f: assert ((!acts_f | set_f == the_set) & |writes_f == acts_f & (takes_f & ~writes_f) == 0);
  if (known_1 & !known_2) clear_is_f: assert (&takes_f);
  if (known_2 & set_g != the_set) set_of_g: assert (writes_g == 0);
  if (known_2 & !known_3) clear_is_g: assert (&writes_g);
  // Whether the set is full.
  if (writes_e[LAST]) last_of_e: assert (last_used == !clear_e);
  if (known_1 & writes_f[LAST]) last_of_f: assert (writes_e[LAST] | last_used == !clear_f);
  if (known_1 & set_b == the_set & !takes_e[LAST] & !takes_f[LAST]) full_stage_2: assert (full_2 == last_used);
  if (known_1 & set_c == the_set & !writes_e[LAST]) full_stage_3: assert (full_3 == last_used);
  if (known_1 & set_d == the_set & !writes_e[LAST]) full_stage_4: assert (full_4 == last_used);
  // The operand to which the next path's count is added. Of the two ORed sources one is 0.
  if (known_1 & set_c == the_set & path_c) begin
    if (same_cd) added_to_next: assert (hit_count == 0 & ahead_3 == 0);
    else if (|has_c & (same_ce | same_cf)) added_to_ahead: assert (hit_count == 0 & ahead_3 == sum_c);
    else if (|has_c) added_to_stored: assert (hit_count == sum_c & ahead_3 == 0);
  end
end
