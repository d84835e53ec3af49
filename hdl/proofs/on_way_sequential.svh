// The sequential table, for `on_way`: what is of a path that is looked up and behind it.
//: configuration lookup = "sequential"
//: join looking = sequential_tables_0.looking
//: join again = sequential_tables_0.again
//: join moving = detector.stepwise_stacks_0.moving
//: join leaving = detector.stepwise_stacks_0.leaving
//: join going = detector.stepwise_stacks_0.going
//: damaged wire goes = going & !waiting; => wire goes = going;
//: damaged leaving <= 1'b0; =>
//: damaged assign waits = path_valid | (looking & !ends); => assign waits = looking & !ends;
//: damaged .hold(drains_0_hold), => .hold(1'b0),
//: damaged (record_valid & stay) => record_valid
//: damaged wire evictions_0_leaves = replacement | (hit & over); => wire evictions_0_leaves = replacement | over;
//: damaged wire evictions_0_leaves = replacement | (hit & over); => wire evictions_0_leaves = replacement | (compares & over);
//: damaged left_valid <= leaves; => left_valid <= leaves | left_valid;
`define LEFT sequential_tables_0_left_valid
`define MOST 7'd4
(* keep *) wire looking, again, moving, leaving, going;
// Once it has updated the top, a record completes a path if it pops or splits, and not when it pushes what it has split.
`define AT_STACK (moving ? leaving : row != 4'd0)
`define IN_TABLE {6'd0, looking} + {6'd0, `LEFT}
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
  second_cycle: assert (!again | looking);
  stays_for: assert (!looking | stays);
  moves_on: assert (!going | moving);
  if (stays) as_it_was: assert (shown == shows);
end
