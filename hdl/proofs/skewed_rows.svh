// Rows of a skewed table, and what is about one path, any, in them and in the pipeline. The proof says which ways are WRITTEN by a judgement, whether what is written MOVES
// there, what a path that takes a row is TAKEN_WITH, in which way a path that has moved is LEFT_IN, and what an accumulator becomes that is FULL.
//: configuration sets = 2
//: configuration ways = 2
//: configuration max-branches = 1
//: configuration event-bits = 3
//: configuration event-counter-bits = 3
//: configuration accumulator-bits = 8
//: steps 2
//: within 2
//: slow
//: instead wire place_row = x_0 ^ y_0; => wire place_row = $anyseq;
//: instead word_q <= cells[read_address]; => word_q <= (write_enable & write_address == read_address) ? $anyseq : cells[read_address];
//: probe hpp_ram_2x33 wire proof_cell; wire [32:0] proof_word = cells[proof_cell], proof_other = cells[!proof_cell];
//: probe hpp_ram_2x8 wire proof_cell; wire [7:0] proof_word = cells[proof_cell];
//: per 2 join way[#].place = ways_#.place_row
//: per 2 join ways_#.tags.proof_cell = way[#].row
//: per 2 join ways_#.counts.proof_cell = way[#].row
//: per 2 join way[#].kept_tag = ways_#.tags.proof_word
//: per 2 join way[#].other_tag = ways_#.tags.proof_other
//: per 2 join way[#].kept_count = ways_#.counts.proof_word
//: per 2 join way[#].row_1 = ways_#.row_stage_1
//: per 2 join way[#].row_2 = ways_#.row_stage_2
//: per 2 join way[#].row_3 = ways_#.row_stage_3
//: per 2 join way[#].row_4 = ways_#.row_stage_4
//: per 2 join way[#].read_1 = ways_#.tags_read_data
//: per 2 join way[#].hit_3 = ways_#.hit_stage_3
//: per 2 join way[#].vacant_3 = ways_#.vacant_stage_3
//: per 2 join way[#].stored_2 = ways_#.counts_read_data
//: per 2 join way[#].added_3 = ways_#.count_3
//: per 3 join pairs_# = matches_#_pairs
//: join ahead_3 = accumulator.ahead_stage_3
//: join sum_4 = accumulator.sum_stage_4
//: join over_4 = accumulator.over_stage_4
reg [2:0] age = 3'd0;
always @(posedge clk) age <= rst ? 3'd0 : age + {2'd0, age < 3'd5};

// The path, any; its row in each way is any, the same whenever it is looked up.
(* anyconst *) reg [32:0] path;
always @* assume (path[32]);
(* keep *) wire [32:0] pairs_0, pairs_1, pairs_2;
(* keep *) wire [7:0] ahead_3, sum_4;
(* keep *) wire over_4;
wire is_2 = path_2 & tag_2 == path;
wire is_3 = path_3 & tag_3 == path;
wire is_4 = path_4 & tag_4 == path;
reg is_5 = 1'b0;

// The table as far as it is about this path: in which way it is, and its accumulator.
reg [1:0] in_way;
reg [7:0] sum;
reg [1:0] known = 2'd0, known_besides = 2'd0;
wire [1:0] of_path_4, vacant;
wire all_known = &known & (&known_besides);
wire [8:0] total = {1'b0, sum} + {6'd0, `COUNT_4};
wire [7:0] new_sum = total[8] ? `FULL : total[7:0];
wire is_in = |in_way;
wire [1:0] left_in = `LEFT_IN;
wire counts = is_4 & (|`COUNT_4);
wire takes_vacant = counts & !is_in & (|vacant);
wire writes = |`WRITTEN;
wire takes_row = writes & !`MOVES & tag_4 == path;
wire moves_row = writes & `MOVES & tag_4 == path;
wire [1:0] lost = clear_4 ? of_path_4 : (writes & !takes_row & !moves_row) ? (`WRITTEN & of_path_4) : 2'd0;
reg changed_before = 1'b0;
always @(posedge clk) begin
  is_5 <= is_4 & !rst;
  changed_before <= !rst & all_known & (is_4 & is_in | takes_vacant | takes_row | moves_row);
  in_way <= in_way & ~lost;
  if (is_4 & is_in) sum <= new_sum;
  if (takes_vacant) in_way <= vacant[0] ? 2'd1 : 2'd2;
  if (takes_row | moves_row) in_way <= `WRITTEN;
  if (takes_vacant) sum <= {5'd0, `COUNT_4};
  if (takes_row) sum <= `TAKEN_WITH;
  if (clear_4) begin
    known <= known | of_path_4;
    known_besides <= known_besides | ~of_path_4;
  end
  if (rst) {known, known_besides} <= 4'd0;
end

genvar i;
generate
  for (i = 0; i < 2; i = i + 1) begin : way
    (* anyconst *) reg row;
    (* keep *) wire place, row_1, row_2, row_3, row_4, hit_3, vacant_3;
    (* keep *) wire [32:0] kept_tag, other_tag, read_1, read_2;
    (* keep *) wire [7:0] kept_count, stored_2, added_3;
    assign of_path_4[i] = row_4 == row;
    assign vacant[i] = !kept_tag[32];
    always @* if (tag_0 == path) assume (place == row);
    wire on_its_way = (clear_1 & row_1 == row) | (clear_2 & row_2 == row) | (clear_3 & row_3 == row) | (clear_4 & row_4 == row);
    wire on_its_way_besides = (clear_1 & row_1 != row) | (clear_2 & row_2 != row) | (clear_3 & row_3 != row) | (clear_4 & row_4 != row);
    wire emptying = clearing & occupancy == 6'd0;
    always @* if (after_reset) begin
      assert (known[i] | on_its_way | (emptying & walk_entry[1] <= row));
      assert (known_besides[i] | on_its_way_besides | (emptying & walk_entry[1] <= !row));
      // Its row, in each stage; what is on its way at reset is gone four cycles later.
      if (age >= 3'd1) assert (clear_1 | tag_1 != path | row_1 == row);
      if (age >= 3'd2) assert (clear_2 | tag_2 != path | row_2 == row);
      if (age >= 3'd3) assert (clear_3 | tag_3 != path | row_3 == row);
      if (age >= 3'd4) assert (clear_4 | tag_4 != path | row_4 == row);
      // What was read of that row, by any path, is what is there.
      if (path_1 & row_1 == row) assert (read_1 == kept_tag);
      if (path_2 & row_2 == row) assert (read_2 == kept_tag);
      if (path_3 & row_3 == row) assert (hit_3 == (kept_tag == tag_3) & vacant_3 == !kept_tag[32]);
      if (path_4 & row_4 == row) assert (hits_4[i] == (kept_tag == tag_4) & vacant_4[i] == !kept_tag[32]);
      // The path is in the row that the table says, and nowhere else in the way, but where it moved from.
      if (known[i]) assert ((kept_tag == path) == (in_way[i] | left_in[i]) & (all_known | !in_way[i]));
      if (known_besides[i]) assert (other_tag != path);
      if (all_known) begin
        if (in_way[i]) assert (kept_count == sum);
        // Its accumulator, on the way from memory.
        if (is_2 & in_way[i] & !is_5) assert (stored_2 == sum);
        if (is_3 & !in_way[i]) assert (added_3 == 8'd0);
        // What the mirror is told of each change.
        if (changed_before & in_way[i]) assert (changed_5 & !cleared_5 & tag_5 == path & count_5 == sum & way_5 == 2'd1 << i & written_row_5 == row);
      end
    end
  end
endgenerate

always @* if (after_reset) of_age: assert (age >= ((|{known, known_besides}) ? 3'd5 : clear_4 ? 3'd4 : clear_3 ? 3'd3 : clear_2 ? 3'd2 : {2'd0, clear_1}));

always @* if (after_reset) begin
  // Of what was before the reset nothing is told.
  if (age == 3'd0) told_anew: assert (!hit & !replacement & !saturated);
  if (path_4) found_if_hit: assert (found_4 == (|hits_4));
  counted_something: assert (!path_4 | some_4 == (|`COUNT_4));
  // Which of those ahead is the same.
  same_1: assert (!(|pairs_0) == (tag_1 == tag_2));
  same_2: assert (!(|pairs_1) == (tag_1 == tag_3));
  if (age != 3'd0) same_3: assert (clear_4 | !(|pairs_2) == (tag_1 == tag_4));
  if (is_2) repeats: assert ({repeats1_2, repeats2_2, repeats3_2} == {is_3, is_4, is_5});
  if (is_3) repeats_next: assert (repeats1_3 == is_4);
  // Nothing is looked up before the rows were emptied.
  if (!all_known) emptied_first: assert (!some_under_way & !`BUSY);
end
always @* if (after_reset & all_known) begin
  one_row: assert (in_way != 2'd3);
  if (is_5 & is_in) done_before: assert (count_5 == sum & tag_5 == path);
  if (is_3 & is_in & is_4) ahead: assert (stored_3 == 8'd0 & ahead_3 == 8'd0);
  if (is_3 & is_in & !is_4) added_to: assert ((stored_3 | ahead_3) == sum & (stored_3 == 8'd0 | ahead_3 == 8'd0));
  if (is_4) begin
    found: assert (found_4 == is_in & hits_4 == in_way);
    if (is_in) adds: assert ({over_4, sum_4} == total & accumulator_accumulator_4 == new_sum);
    saturates: assert (accumulator_saturates_4 == (is_in & total[8]));
    inserts: assert (inserts_4 == takes_vacant);
    if (takes_vacant) first: assert (write_tag == (vacant[0] ? 2'd1 : 2'd2) & new_count == {5'd0, `COUNT_4});
  end
end
