// The sticky errors. An error can be read from the next cycle on, until software writes 1 to it in a later cycle. An
// error in the cycle of its clearing stays set. No error is set that has not occurred since reset or since it was
// cleared.
//: inside hpp_control_registers
//: steps 2
//: damaged errors <= (errors & ~cleared) | raised; => errors <= (errors | raised) & ~cleared;
//: damaged errors <= (errors & ~cleared) | raised; => errors <= errors | raised;
//: damaged wire [3:0] raised = {record_lost, => wire [3:0] raised = {1'b0,
//: damaged wire clear = low & (address == ERRORS); => wire clear = low;
//: damaged errors <= 4'd0; => 
//: damaged accumulator_saturated, refused}; => accumulator_saturated & !event_counter_saturated, refused};

reg ghost_known = 1'b0;
reg [3:0] ghost_errors;
wire ghost_clears = write & (address == 5'd9) & lanes[0];
wire [3:0] ghost_happens = {record_lost, event_counter_saturated, accumulator_saturated, write & refused};
always @(posedge clk) begin
  ghost_errors <= rst ? 4'd0 : (ghost_errors & ~(ghost_clears ? data[3:0] : 4'd0)) | ghost_happens;
  if (rst) ghost_known <= 1'b1;
end
always @* if (ghost_known) sticky: assert (errors == ghost_errors);
