// A table that looks its ways up one after another, for `on_way`: what is of a path that is looked up, as LOOKED_UP says, and behind it.
//: join looking = sequential_tables_0.looking
//: join searching = sequential_tables_0.searching
//: join moving = detector.stepwise_stacks_0.moving
//: join leaving = detector.stepwise_stacks_0.leaving
//: join going = detector.stepwise_stacks_0.going
//: damaged wire goes = going & !waiting; => wire goes = going;
//: damaged leaving <= 1'b0; =>
//: damaged .hold(drains_0_hold), => .hold(1'b0),
//: damaged wire evictions_0_leaves = replacement | (hit & over); => wire evictions_0_leaves = replacement | over;
//: damaged left_valid <= leaves; => left_valid <= leaves | left_valid;
`define LEFT sequential_tables_0_left_valid
`define MOST 7'd4
(* keep *) wire looking, searching, moving, leaving, going;
// Once it has updated the top, a record completes a path if it pops or splits, and not when it pushes what it has split.
`define AT_STACK (moving ? leaving : row != 4'd0)
`define IN_TABLE {6'd0, `LOOKED_UP} + {6'd0, `LEFT}
//: include on_way.svh

// What the table assumes of the path that it looks up.
reg stays = 1'b0;
reg [63:0] shown;
wire [63:0] shows = {path_start, path_outcomes, path_length, path_count};
always @(posedge clk) begin
  stays <= sequential_tables_0_waits & !rst;
  shown <= shows;
end
always @* if (after_reset) begin
  one: assert (!(path_valid & looking));
  stays_for: assert (!looking | stays);
  moves_on: assert (!going | moving);
  if (stays) as_it_was: assert (shown == shows);
end
