// The table with values, for `on_way`: what is of a path that is looked up and behind it. What it evicts leaves before the others' values are less.
//: configuration replacement = "rrip"
//: join looking = skewed_tables_0.looking
//: join scanning = skewed_tables_0.scanning
//: join searching = skewed_tables_0.searching
//: join missed = skewed_tables_0.missed
//: join ages = skewed_tables_0.ageings_0.ages
//: join moving = detector.stepwise_stacks_0.moving
//: join leaving = detector.stepwise_stacks_0.leaving
//: join going = detector.stepwise_stacks_0.going
//: damaged wire goes = going & !waiting; => wire goes = going;
//: damaged leaving <= 1'b0; =>
//: damaged assign waits = path_valid | looking; => assign waits = looking;
//: damaged .hold(drains_0_hold), => .hold(1'b0),
//: damaged wire evictions_0_leaves = replacement | (hit & over); => wire evictions_0_leaves = replacement | over;
//: damaged wire evictions_0_leaves = replacement | (hit & over); => wire evictions_0_leaves = replacement | (sees & over);
//: damaged left_valid <= leaves; => left_valid <= leaves | left_valid;
`define LEFT skewed_tables_0_left_valid
`define MOST 7'd4
(* keep *) wire looking, scanning, searching, missed, ages, moving, leaving, going;
// Once it has updated the top, a record completes a path if it pops or splits, and not when it pushes what it has split.
`define AT_STACK (moving ? leaving : row != 4'd0)
`define IN_TABLE {6'd0, looking & !ages} + {6'd0, `LEFT}
//: include on_way.svh

// What the table assumes of the path that it looks up, and what it is doing with it.
reg stays = 1'b0;
reg [63:0] shown;
wire [63:0] shows = {path_start, path_outcomes, path_length, path_count};
always @(posedge clk) begin
  stays <= skewed_tables_0_waits & !rst;
  shown <= shows;
end
always @* if (after_reset) begin
  one: assert (!(path_valid & looking));
  stays_for: assert (!looking | stays);
  moves_on: assert (!going | moving);
  if (stays) as_it_was: assert (shown == shows);
  of_a_path: assert ({2'd0, searching} + {2'd0, missed} + {2'd0, ages} == {2'd0, looking});
  scans: assert (scanning == (searching | ages));
end
