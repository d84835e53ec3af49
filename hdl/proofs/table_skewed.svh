// A skewed table from which few entries leave, in which an accumulator that is FULL becomes what the proof says.
//: configuration [geometry]
//: configuration replacement = "rrip"
//: probe hpp_value_memory wire proof_cell; wire [1:0] proof_word = cells[proof_cell], proof_other = cells[!proof_cell];
//: per 2 join ways_#.values_0.values.proof_cell = way[#].row
//: per 2 join aged[#].kept_value = ways_#.values_0.values.proof_word
//: per 2 join aged[#].other_value = ways_#.values_0.values.proof_other
//: per 2 join aged[#].value_2 = ways_#.values_0.values_value
//: per 2 join aged[#].value_3 = ways_#.values_0.value_3
//: per 2 join aged[#].value_4 = ways_#.values_0.value_stage_4
//: per 2 join way[#].read_2 = ways_#.tag_stage_2
//: join way_4 = ageing_0.way_4
//: join settling = ageing_0.settling
`define CLAIM assume
`define BUSY ageing_0_busy
`define COUNT_4 count_4_0
`define WRITTEN ageing_0_write
`define MOVES 1'b0
`define TAKEN_WITH {5'd0, count_4_0}
`define LEFT_IN 2'd0
//: include skewed.svh
//: include skewed_rows.svh

// A path that is judged is the one in the last stage when it takes its row (skewed_order).
always @* if (ageing_0_done) assume (judged == {count_4_0, tag_4});
(* keep *) wire [1:0] way_4;
(* keep *) wire [4:0] settling;

// The values in the rows of the path in the last stage, by way, and that of the path.
wire [3:0] values;
wire [1:0] least_value = values[1:0] <= values[3:2] ? values[1:0] : values[3:2];
wire judged_among = ageing_0_done & !takes_row & (|(in_way & of_path_4));
reg [1:0] value;
always @(posedge clk) begin
  if (is_4 & is_in) value <= 2'd3;
  if (judged_among) value <= value - least_value;
  if (takes_vacant | takes_row) value <= 2'd1;
end
generate
  for (i = 0; i < 2; i = i + 1) begin : aged
    (* keep *) wire [1:0] kept_value, other_value, value_2, value_3, value_4;
    assign values[2 * i +: 2] = of_path_4[i] ? kept_value : other_value;
    always @* if (after_reset) begin
      if (all_known & in_way[i]) assert (kept_value == value);
      // What is read of the values while nothing else is under way.
      if (ageing_0_busy) begin
        assert (value_2 == (way[i].row_2 == way[i].row ? kept_value : other_value));
        if (!settling[4]) assert (value_3 == (way[i].row_3 == way[i].row ? kept_value : other_value));
        if (!settling[3]) assert (value_4 == values[2 * i +: 2]);
      end
    end
  end
endgenerate

always @* if (after_reset & ageing_0_busy) begin
  steps: assert ((settling & (settling + 5'd1)) == 5'd0);
  one_makes_room: assert (way_4 == 2'd1 | way_4 == 2'd2);
  if (!settling[3]) first_of_least: assert (ageing_0_least == least_value & way_4 == (values[1:0] == least_value ? 2'd1 : 2'd2));
end
always @* if (after_reset & all_known) begin
  if (ageing_0_busy & judged[32:0] == path) not_in: assert (!is_in & judged[35:33] != 3'd0);
  if (is_4) judges: assert (judges_4 == (counts & !is_in & !(|vacant)));
  if (takes_row) replaces: assert (!is_in & new_count == {5'd0, count_4_0} & (ageing_0_write == 2'd1 | ageing_0_write == 2'd2));
  // The first of those with the least value makes room.
  if (judged_among) makes_room: assert ((|(lost & in_way)) == (value == least_value & !(in_way[1] & values[1:0] == value)));
end
