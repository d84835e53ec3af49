// The sequential table of 2 sets of 2 ways. An accumulator that overflows becomes FULL, which the proof defines. The
// set number is the start bit that the tag omits. As with the real set number (path_tag), tag and set determine the
// path.
//: configuration sets = 2
//: configuration ways = 2
//: configuration max-branches = 1
//: configuration event-bits = 3
//: configuration event-counter-bits = 3
//: configuration accumulator-bits = 8
//: configuration lookup = "sequential"
//: steps 5
//: within 14
//: instead wire index_set = index_folded_start ^ path_outcomes ^ path_length; => wire index_set = path_start[0];
//: instead word_q <= cells[read_address]; => word_q <= (write_enable & write_address == read_address) ? $anyseq : cells[read_address];
//: probe hpp_tag_memory wire proof_set; wire [65:0] proof_row = {cells[{proof_set, 1'b1}], cells[{proof_set, 1'b0}]}, proof_other = {cells[{!proof_set, 1'b1}], cells[{!proof_set, 1'b0}]};
//: probe hpp_count_memory wire proof_set; wire [15:0] proof_row = {cells[{proof_set, 1'b1}], cells[{proof_set, 1'b0}]};
//: join tags.proof_set = the_set
//: join counts.proof_set = the_set
//: join kept_tags = tags.proof_row
//: join other_tags = tags.proof_other
//: join kept_counts = counts.proof_row
localparam SHOWN_BITS = 36;
//: include sequential.svh

// The stored state of any set.
(* anyconst *) reg the_set;
(* keep *) wire [65:0] kept_tags, other_tags;
(* keep *) wire [15:0] kept_counts;

// The set, with each path applied at once when its lookup ends.
reg [1:0] emptied = 2'b00;
reg [32:0] path0, path1;
reg [7:0] sum0, sum1;
wire here = busy & index_set == the_set;
wire [32:0] its_path = {layout_start_low, layout_tag};
wire [1:0] has = {path1 == its_path, path0 == its_path};
wire [1:0] chosen = (|has) ? has : (sum1 < sum0) ? 2'b10 : 2'b01;
wire [8:0] total = {1'b0, has[1] ? sum1 : sum0} + {6'd0, path_count};
wire [7:0] new_sum = !(|has) ? {5'd0, path_count} : total[8] ? `FULL : total[7:0];
wire changes = (|has) | path_count != 3'd0;
wire [1:0] blanked = (clears & walk_entry[1] == the_set) ? 2'b01 << walk_entry[0] : 2'b00;
wire [1:0] taken = (here & done & changes) ? chosen : 2'b00;
always @(posedge clk) begin
  if (blanked[0]) {path0, sum0} <= {layout_start_low, 1'b0, layout_tag[30:0], 8'd0};
  else if (taken[0]) begin
    sum0 <= new_sum;
    if (!(|has)) path0 <= {layout_start_low, layout_tag};
  end
  if (blanked[1]) {path1, sum1} <= {layout_start_low, 1'b0, layout_tag[30:0], 8'd0};
  else if (taken[1]) begin
    sum1 <= new_sum;
    if (!(|has)) path1 <= {layout_start_low, layout_tag};
  end
  emptied <= rst ? 2'b00 : emptied | blanked;
end

// Set and way of the entry that the memories output. It stays while they are not read.
reg shown_set, shown_way;
always @(posedge clk) if (fetches) {shown_set, shown_way} <= {index_set, step[0]};

always @* if (after_reset) begin
  if (rests & shown_set == the_set & emptied == 2'b11)
    still_shown: assert ({tags_start_low, tags_tag, counts_count} == (shown_way ? {path1, sum1} : {path0, sum0}));
  // An entry of the other set is of a path of that set.
  if (rests & shown_set != the_set & emptied == 2'b11) shown_at_home: assert (!tags_tag[31] | tags_start_low == shown_set);
  if (!busy) a_way: assert (!step[1]);
  if (rests & !busy & emptied == 2'b11) way_shown: assert (shown_way == step[0]);
  if (emptied[0]) first_stored: assert ({kept_tags[32:0], kept_counts[7:0]} == {path0, sum0});
  if (emptied[1]) second_stored: assert ({kept_tags[65:33], kept_counts[15:8]} == {path1, sum1});
  if (emptied[0]) first_filled: assert (path0[31] == (sum0 != 8'd0));
  if (emptied[1]) second_filled: assert (path1[31] == (sum1 != 8'd0));
  if (emptied == 2'b11) distinct: assert (!path0[31] | path0 != path1);
  // A set fills from way 0 upwards.
  if (emptied == 2'b11) in_order: assert (!path1[31] | path0[31] | (clearing & walk_entry <= {the_set, 1'b1}));
  // A path is only in its own set.
  if (emptied[0]) first_at_home: assert (!path0[31] | path0[32] == the_set);
  if (emptied[1]) second_at_home: assert (!path1[31] | path1[32] == the_set);
  third_at_home: assert (!other_tags[31] | other_tags[32] != the_set | (clearing & walk_entry <= {!the_set, 1'b0}));
  fourth_at_home: assert (!other_tags[64] | other_tags[65] != the_set | (clearing & walk_entry <= {!the_set, 1'b1}));
  empty_before: assert (emptied == 2'b11 | !busy);
  first_known: assert (emptied[0] | (clearing & walk_entry <= {the_set, 1'b0}));
  second_known: assert (emptied[1] | (clearing & walk_entry <= {the_set, 1'b1}));
  if (busy) begin
    step_bound: assert (step <= 2'd3);
    if (here & done & emptied == 2'b11) begin
      found: assert (hit == (|has));
      replaces: assert (replacement == (!(|has) & changes & path0[31] & path1[31]));
      saturates: assert (`SATURATES == ((|has) & total[8]));
    end
  end
end
