// Of the path stack for sequential lookup, alone or in front of a table that several harts share.
//: instead word_q <= cells[read_address]; => word_q <= (write_enable & write_address == read_address) ? $anyseq : cells[read_address];
//: join entries.proof_cell = stored_at
//: join kept_cell = entries.proof_word
//: damaged if (!full) change = 6'd1; => change = 6'd1;
//: damaged wire shallower = fire & drops & !lone; => wire shallower = fire & drops;
//: damaged wire [4:0] entries_write_address = below + 5'd1; => wire [4:0] entries_write_address = below;
//: damaged lone <= occupancy == 6'd1; => lone <= occupancy <= 6'd2;
//: damaged .write_events(counter), => .write_events(8'd0),
//: damaged wire moves = !moving & (may_move | => wire moves = (may_move |
//: damaged leaving <= 1'b0; =>
//: damaged pending <= splits & pushing; =>
//: damaged length <= {1'b0, entries_length}; => length <= {1'b1, entries_length};

localparam stored_bits = $bits(start) + 49;

reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
initial assume (rst);

// Assumed of the decoder: a record that empties the stack does nothing else, and a stalled record is stable.
wire [8:0] asked = {step_row, step_extends, step_retracts, step_keeps, step_taken, step_purge};
reg [8:0] asked_before;
reg stayed = 1'b0;
always @(posedge clk) {stayed, asked_before} <= {stall & !rst, asked};
always @* assume (!step_purge | (step_row == 4'd0 & !step_extends & !step_retracts));
always @* if (stayed) assume (asked == asked_before);

// The table relies on this: an announced path is output in the next cycle, unless the previous one must stay.
reg comes = 1'b0;
always @(posedge clk) comes <= next_valid & !waits & !rst;
always @* if (after_reset & comes) shown: assert (path_valid);

reg begun = 1'b0;
always @(posedge clk) begun <= !rst & (begun | (fire & purging));

always @* if (after_reset) goes_on: assert (pending == (moving & (purging | popping | pushing | filled)));
always @* if (after_reset & moving) leaves: assert (leaving == (popping | filled));
always @* if (after_reset & moving & purging) purges_alone: assert (!popping & !pushing & !filled);
always @* if (begun) begin
  not_empty: assert (occupancy >= 6'd1);
  not_over: assert (occupancy <= 6'd32);
  has_room: assert (length <= (moving & filled ? 6'd32 : 6'd31));
  if (moving) alone: assert (lone == (occupancy == 6'd1));
end

// Any entry, from its push to its pop. It may be dropped before, if the stack is emptied or it becomes the oldest of a
// full stack.
(* anyseq *) reg choose;
(* keep *) wire [stored_bits - 1:0] kept_cell;
reg watched = 1'b0;
reg [4:0] stored_at = 5'd0;
reg [4:0] between;
reg [stored_bits - 1:0] pushed;
wire [stored_bits - 1:0] read = {entries_extension, entries_events, entries_length, entries_outcomes, entries_start};
always @(posedge clk) begin
  if (rst | (fire & purging)) watched <= 1'b0;
  else if (!watched) begin
    watched <= begun & grows & choose;
    stored_at <= entries_write_address;
    between <= 5'd0;
    pushed <= {extension, counter, length[4:0], recorded, start};
  end else if (grows) begin
    between <= between + 5'd1;
    if (between == 5'd30) watched <= 1'b0;
  end else if (shallower) begin
    between <= between - 5'd1;
    if (between == 5'd0) watched <= 1'b0;
  end
end
always @* if (begun & watched) begin
  stored: assert (kept_cell == pushed);
  where: assert (stored_at + between == below);
  in_stack: assert ({1'b0, between} + 6'd1 < occupancy);
  if (moving & between == 5'd0) brought_back: assert (read == pushed);
end
