// A table with sequential lookup, for `on_way`: the path that is looked up (LOOKED_UP), and what follows it.
//: join busy = sequential_table.busy
//: join searching = sequential_table.searching
//: join moving = stepwise_stack.moving
//: join leaving = stepwise_stack.leaving
//: join pending = stepwise_stack.pending
//: damaged wire fire = pending & !waiting; => wire fire = pending;
//: damaged leaving <= 1'b0; =>
//: damaged wire evictions_leaves = replacement | (hit & over); => wire evictions_leaves = replacement | over;
//: damaged left_valid <= leaves; => left_valid <= leaves | left_valid;
`define LEFT sequential_table_left_valid
`define MOST 7'd4
(* keep *) wire busy, searching, moving, leaving, pending;
// In its second cycle a record outputs a path if it pops or splits. It does not in the third, in which it pushes after
// a split.
`define AT_STACK (moving ? leaving : row != 4'd0)
`define IN_TABLE {6'd0, `LOOKED_UP} + {6'd0, `LEFT}
//: include on_way.svh

// Assumptions of the table about the path that it looks up.
reg stays = 1'b0;
reg [63:0] shown;
wire [63:0] shows = {path_start, path_outcomes, path_length, path_count};
always @(posedge clk) begin
  stays <= sequential_table_waits & !rst;
  shown <= shows;
end
always @* if (after_reset) begin
  one: assert (!(path_valid & busy));
  stays_for: assert (!busy | stays);
  moves_on: assert (!pending | moving);
  if (stays) as_it_was: assert (shown == shows);
end
