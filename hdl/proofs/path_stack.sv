// The path stack, from the first record that empties it. The position of the next outcome is its number as one-hot. The
// stack holds between one entry and its depth. Of two operands of an OR that replaces a multiplexer, one is 0. A pop
// returns what was pushed, whatever happened in between.
//: inside hpp_path_stack
//: configuration [geometry]
//: configuration lookup = "parallel"
//: steps 3
//: within 6
//: probe hpp_stack_memory wire [4:0] proof_cell; wire [79:0] proof_word = cells[proof_cell];
//: join entries.proof_cell = place
//: join kept_cell = entries.proof_word
//: join read_cell = entries.address_q
//: damaged place_low <= 8'd1 << next_length[2:0]; => place_low <= 8'd1 << new_length[2:0];
//: damaged place_high <= 4'd1; => 
//: damaged if (grows & !full) change = 6'd1; => if (grows) change = 6'd1;
//: damaged wire shallower = drops & !lone; => wire shallower = drops;
//: damaged if (fresh) popped_start <= 30'd0; => 
//: damaged if (loads) appended <= 32'd0; => 
//: damaged if (shallower) pushed_target <= 30'd0; => 
//: damaged wire [4:0] entries_write_address = below + 5'd1; => wire [4:0] entries_write_address = below;
//: damaged if (grows) move_below = 5'd1; => if (grows & !full) move_below = 5'd1;
//: damaged .write_outcomes(new_outcomes), => .write_outcomes(popped),

reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
initial assume (rst);

// Assumed of the decoder: a record that empties the stack does nothing else.
always @* assume (!step_purge | (step_row == 4'd0 & !step_extends & !step_retracts));

reg begun = 1'b0;
always @(posedge clk) begun <= !rst & (begun | step_purge);

always @* if (begun) begin
  place_in_group: assert (place_low == 8'd1 << length[2:0]);
  group: assert (place_high == 4'd1 << length[4:3]);
  not_empty: assert (occupancy >= 6'd1);
  not_over: assert (occupancy <= 6'd32);
  one_start: assert (pushed_target == 30'd0 | popped_start == 30'd0);
  one_part: assert (appended == 32'd0 | popped == 32'd0);
end
always @* if (begun & path_valid) recorded: assert (path_length >= 6'd0 & path_length <= 6'd32);

// Any entry, from its push to its pop. It may be dropped before, if the stack is emptied or it becomes the oldest of a
// full stack.
(* anyseq *) reg choose;
(* keep *) wire [79:0] kept_cell;
(* keep *) wire [4:0] read_cell;
reg watched = 1'b0;
reg [4:0] place = 5'd0;
reg [4:0] between;
reg [79:0] pushed;
wire brings_back = watched & shallower & (between == 5'd0);
always @(posedge clk) begin
  if (rst | step_purge) watched <= 1'b0;
  else if (!watched) begin
    watched <= begun & grows & choose;
    place <= entries_write_address;
    between <= 5'd0;
    pushed <= {fills, pushed_extension, new_counter, new_length[4:0], new_outcomes, pushed_start};
  end else if (grows) begin
    between <= between + 5'd1;
    if (between == 5'd30) watched <= 1'b0;
  end else if (shallower) begin
    between <= between - 5'd1;
    if (brings_back) watched <= 1'b0;
  end
end
always @* if (begun) begin
  reads_below: assert (read_cell == below);
  if (watched) begin
    stored: assert (kept_cell == pushed);
    where: assert (place + between == below);
    in_stack: assert ({1'b0, between} + 6'd1 < occupancy);
    if (brings_back) brought_back:
      assert ({entries_blank, entries_extension, entries_events, entries_length, entries_outcomes, entries_start} == pushed);
  end
end
