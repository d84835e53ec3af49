// Inside the buffer in which paths wait for a table that takes its time: the paths that enter leave in the order in which they came,
// each once and as it was; the oldest is shown in the second cycle at the latest, and stays until it leaves; there is room for four more
// while the core is asked to hold.
//: inside hpp_path_buffer
//: configuration [geometry]
//: configuration sets = 2
//: configuration ways = 2
//: configuration max-branches = 1
//: configuration event-bits = 3
//: configuration event-counter-bits = 3
//: configuration accumulator-bits = 8
//: configuration lookup = "serial"
//: steps 3
//: within 8
//: instead word_q <= cells[read_address]; => word_q <= (write_enable & write_address == read_address) ? $anyseq : cells[read_address];
//: probe hpp_path_memory wire [3:0] proof_cell; wire [34:0] proof_word = cells[proof_cell];
//: join paths.proof_cell = place
//: join kept_cell = paths.proof_word
//: damaged valid <= write_pointer != read_next; => valid <= write_pointer != read_pointer;
//: damaged .read_address(read_next[3:0]), => .read_address(read_pointer[3:0]),
//: damaged assign hold = occupancy >= 5'd12; => assign hold = occupancy >= 5'd13;
//: damaged if (put) write_pointer <= write_pointer + 5'd1; => write_pointer <= write_pointer + 5'd1;
//: damaged valid <= write_pointer != read_next; => valid <= (write_pointer != read_next) | put;

reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
initial assume (rst);
always @* if (after_reset) assume (!rst);

// What the others keep: a path leaves only while one is shown, and four at most come while there is little room left.
reg [2:0] come = 3'd0;
always @(posedge clk) come <= (hold & !rst) ? come + {2'd0, put} : 3'd0;
always @* begin
  assume (!done | valid);
  if (after_reset) assume (!(put & hold & come == 3'd4));
end

always @* if (after_reset) begin
  room: assert ({1'b0, occupancy} + (hold ? {3'd0, 3'd4 - come} : 6'd0) <= 6'd16);
  come_at_most: assert (come <= 3'd4);
  some: assert (!valid | occupied);
end

// A path, any: from the cycle in which it enters to the one in which it leaves.
(* anyseq *) reg choose;
(* keep *) wire [34:0] kept_cell;
reg watched = 1'b0;
reg [3:0] place = 4'd0;
reg [4:0] before;
reg [34:0] path;
reg stays = 1'b0;
wire first = watched & before == 5'd0;
always @(posedge clk) begin
  stays <= !rst & valid & !done;
  if (!watched & put & choose) begin
    watched <= 1'b1;
    place <= write_pointer[3:0];
    before <= occupancy - {4'd0, done};
    path <= {new_count, new_length, new_outcomes, new_start};
  end else if (watched) begin
    before <= before - {4'd0, done};
    if (first & done) watched <= 1'b0;
  end
  if (rst) watched <= 1'b0;
end
always @* if (after_reset) begin
  if (stays) still_shown: assert (valid);
  if (watched) begin
    in_order: assert (read_pointer[3:0] + before[3:0] == place);
    waits: assert (before < occupancy);
    stored: assert (kept_cell == path);
    if (first & valid) unchanged: assert ({count, length, outcomes, start} == path);
  end
end
// The oldest path is shown in the second cycle after it came or became the oldest.
reg [1:0] age = 2'd0;
always @(posedge clk) age <= (first & !valid & !rst) ? age + 2'd1 : 2'd0;
always @* if (after_reset) shown: assert (age < 2'd2);
