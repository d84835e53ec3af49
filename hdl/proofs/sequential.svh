// Assumed of the path stack (proved by on_way_sequential and stepwise_stack): a path is stable while it is looked up,
// and arrives when it is announced.
reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
initial assume (rst);
always @* if (after_reset) assume (!rst);

reg stays = 1'b0, comes = 1'b0;
reg [SHOWN_BITS-1:0] shown;
always @(posedge clk) begin
  stays <= waits & !rst;
  comes <= next_valid & !waits & !rst;
  shown <= {index_set, path_count, path_length, path_outcomes, path_start};
end
always @* if (after_reset & stays) begin
  assume (!path_valid);
  assume (shown == {index_set, path_count, path_length, path_outcomes, path_start});
end
always @* if (after_reset & comes) assume (path_valid);
always @* if (after_reset) its_ways: assert (searching == busy);
always @* if (after_reset & busy) begin
  its_own: assert (stays);
  last_way: assert (ends == (step == 2'd3));
end
