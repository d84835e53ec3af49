// A clear of a table in which each way has a hash of its own: when it ends, each entry and its shadow have been written
// empty since it began, and nothing else has been written. No lookup begins before that.
//: inside hpp_sequential_table
//: configuration [geometry]
//: configuration sets = 2
//: configuration ways = 2
//: configuration max-branches = 1
//: configuration event-bits = 3
//: configuration event-counter-bits = 3
//: configuration accumulator-bits = 8
//: configuration replacement = "shadow"
//: join cell_1 = rows.cell_1
//: join shadow_cell = admission.shadow_cell
//: join shadow_count = admission.shadows_write_count
//: join shadow_written = admission.shadows_write_enable
//: join estimates = admission.busy
//: join judged = admission.judged
//: steps 2
//: within 10
//: damaged assign clearing = walk_walking | wiping; => assign clearing = walk_walking;
//: damaged wiping <= clears | wipes_1 | wipes_2; => wiping <= clears | wipes_1;
//: damaged wire begins = path_valid & !freeze & !clearing; => wire begins = path_valid & !freeze & !walk_walking;
//: damaged wire clears = walk_walking & !busy; => wire clears = walk_walking;
//: damaged .wipes(wipes_2), => .wipes(1'b0),
//: damaged if (wipes_3) new_count = 8'd0; => 
//: damaged missed <= 1'b0; => 
//: damaged wipes_2 <= wipes_1; => wipes_2 <= wipes_1 & walk_walking;
(* keep *) wire [1:0] cell_1, shadow_cell;
(* keep *) wire [6:0] shadow_count;
(* keep *) wire shadow_written, estimates, judged;

reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
always @* assume (rst == !after_reset);
// A path is stable, and none arrives, until its lookup ends (`on_way_skewed`).
always @* assume (!(path_valid & busy));

// Any entry, and whether it has been written empty since the clear, or the reset, began.
(* anyconst *) reg [1:0] entry;
reg emptied = 1'b0;
wire empties = tags_write_enable & counts_write_enable & write_cell == entry & !tags_write_tag[31] & new_count == 8'd0
  & shadow_written & shadow_cell == entry & shadow_count == 7'd0;
always @(posedge clk) emptied <= !rst & !clear & (emptied | empties);

wire wipes = wipes_1 | wipes_2 | wipes_3;
always @* if (after_reset) begin
  all_empty: assert (clearing | emptied);
  on_its_way: assert (emptied | (walk_walking & walk_entry <= entry) | (wipes_1 & cell_1 == entry) | (wipes_2 & rows_cell_2 == entry) | (wipes_3 & admission_target == entry & shadow_cell == entry));
  in_a_stage: assert (wiping == wipes);
  nothing_else: assert (!wipes | !(busy | begins));
  of_a_path: assert ({2'd0, searching} + {2'd0, missed} + {2'd0, estimates} + {2'd0, judged} == {2'd0, busy});
  writes_while_clearing: assert (!clearing | busy | tags_write_enable == wipes_3);
end
