// What the buffer of a serial table keeps (path_buffer): the path that is shown stays until it is done. Its set is any that stays with it.
reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
initial assume (rst);
always @* if (after_reset) assume (!rst);

reg stays = 1'b0;
reg [SHOWN_BITS-1:0] shown;
always @(posedge clk) begin
  stays <= buffer_valid & !done & !rst;
  shown <= {index_set, buffer_count, buffer_length, buffer_outcomes, buffer_start};
end
always @* begin
  assume (!buffer_valid | buffer_occupied);
  if (after_reset & stays) begin
    assume (buffer_valid);
    assume (shown == {index_set, buffer_count, buffer_length, buffer_outcomes, buffer_start});
  end
end
