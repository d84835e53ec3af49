// The branch queue. Each offered record is accepted, lost or stalled. Records leave in order, each once, and none is
// overwritten. After a loss, a purge, a pause or a reset the next record empties the stack.
//: inside hpp_branch_queue
//: configuration [geometry]
//: configuration lookup = "parallel"
//: steps 4
//: damaged wire full = write_pointer == (read_pointer ^ 3'd4); => wire full = write_pointer == (read_pointer ^ 3'd5);
//: damaged assign accepted = br_valid & enable & !full; => assign accepted = br_valid & enable;
//: damaged wire drops = br_valid & enable & lossy & full; => wire drops = br_valid & enable & full;
//: damaged wire pop = waiting & !hold; => wire pop = !hold;
//: damaged assign br_ready = !enable | lossy | !full; => assign br_ready = 1'b1;
//: damaged (marked & !accepted) | drops | purge | !enable; => (marked & !accepted) | purge | !enable;
//: damaged (marked & !accepted) | drops | purge | !enable; => (marked & !accepted) | drops | purge;
//: damaged = marked | br_after_loss; => = marked;
//: damaged if (pop) read_pointer <= read_pointer + 3'd1; => if (pop) read_pointer <= read_pointer + 3'd2;

localparam DEPTH = 3'd4;

reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
initial assume (rst);

// The queue never holds more than its depth.
wire [2:0] inside = write_pointer - read_pointer;
always @* if (after_reset) occupancy: assert (inside <= DEPTH);

// An offered record is accepted, lost or stalled.
always @* if (after_reset) begin
  if (br_valid & enable) begin
    exactly_one: assert ({1'b0, accepted} + {1'b0, drops} + {1'b0, !br_ready} == 2'd1);
    if (drops) told: assert (lost);
  end
  if (accepted) room: assert (inside < DEPTH);
  if (!enable) silent: assert (br_ready & !accepted);
end

// Any record, from the cycle in which it is accepted to the one in which it is read. No other record writes its cell,
// and earlier records leave first.
(* anyseq *) reg choose;
reg watched = 1'b0;
reg [2:0] place;
reg [2:0] before;
wire leaves = watched & pop & (read_pointer == place);
always @(posedge clk) begin
  if (!watched & accepted & choose) begin
    watched <= 1'b1;
    place <= write_pointer;
    before <= inside - {2'd0, pop};
  end else if (watched) begin
    before <= before - {2'd0, pop};
    if (leaves) watched <= 1'b0;
  end
  if (rst) watched <= 1'b0;
end
always @* if (after_reset & watched) begin
  in_order: assert (place - read_pointer == before);
  waits: assert (before < inside);
  untouched: assert (!(accepted & (write_pointer[1:0] == place[1:0])));
  if (pop) leaves_when_first: assert (leaves == (before == 3'd0));
end

// Whether the next accepted record must empty the stack.
reg due = 1'b1;
always @(posedge clk) due <= rst | (due & !accepted) | drops | purge | !enable;
always @* if (after_reset & accepted) begin
  if (due | br_after_loss) marked_first: assert (records_write_purge_first);
  else unmarked: assert (!records_write_purge_first);
end
always @* if (after_reset) kept: assert (marked == due);
