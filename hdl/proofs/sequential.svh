// What the path stack keeps (on_way_sequential): a path stays where it is shown for as long as it has to. Its set is any that stays with it.
reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
initial assume (rst);
always @* if (after_reset) assume (!rst);

reg stays = 1'b0;
reg [SHOWN_BITS-1:0] shown;
always @(posedge clk) begin
  stays <= waits & !rst;
  shown <= {index_set, path_count, path_length, path_outcomes, path_start};
end
always @* if (after_reset & stays) begin
  assume (!path_valid);
  assume (shown == {index_set, path_count, path_length, path_outcomes, path_start});
end
always @* if (after_reset & looking) its_set: assert (stays & set_stage == index_set);
