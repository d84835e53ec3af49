// The record buffer of an ingress (here RVFI). Rows leave in order. None is overwritten before its last record was
// output, and each outputs at most one record for each slot. A core that obeys the stall one cycle late loses no
// record. While it is stalled, the stall ends after four records. After lost rows the next accepted row reports the
// loss.
//: inside hpp_record_buffer
//: configuration ingress = "rvfi"
//: steps 4
//: within 20
//: damaged wire full = occupancy == 3'd4; => wire full = occupancy == 3'd5;
//: damaged assign stall = occupancy >= 3'd3; => assign stall = occupancy >= 3'd4;
//: damaged assign stall = occupancy >= 3'd3; => assign stall = occupancy >= 3'd2;
//: damaged if (any) gap <= full; => gap <= full;
//: damaged if (any & !full) write_pointer <= write_pointer + 3'd1; => if (any) write_pointer <= write_pointer + 3'd1;
//: damaged if (!more) given <= 2'd0; =>
//: damaged if (!more) read_pointer_d = read_pointer + 3'd1; => read_pointer_d = read_pointer + 3'd1;
//: damaged assign records_lost = any & (full | incomplete); => assign records_lost = any & incomplete;
//: damaged wire places_0_write_after_loss = slot_0_after_loss | gap; => wire places_0_write_after_loss = slot_0_after_loss;

reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
initial assume (rst);
// A disabled buffer is as after a reset.
wire clears = rst | !enable;

wire takes = enable & records_valid & records_ready;
wire accepts = any & !full;

always @* if (after_reset) begin
  fits: assert (occupancy <= 3'd4);
  lost_is_told: assert (!(any & full) | records_lost);
  no_record_of_nothing: assert (!takes | (occupancy != 3'd0));
end

// Any row, from the cycle in which it is accepted until its last record is output.
(* anyseq *) reg choose;
reg watched = 1'b0;
reg [2:0] place;
reg [2:0] before;
wire moves = enable & read_pointer_d != read_pointer;
wire leaves = watched & moves & (read_pointer == place);
always @(posedge clk) begin
  if (!watched & accepts & choose) begin
    watched <= 1'b1;
    place <= write_pointer;
    before <= occupancy - {2'd0, moves};
  end else if (watched) begin
    before <= before - {2'd0, moves};
    if (leaves) watched <= 1'b0;
  end
  if (clears) watched <= 1'b0;
end
always @* if (after_reset & watched) begin
  in_order: assert (place - read_pointer == before);
  waits: assert (before < occupancy);
  untouched: assert (!(places_0_write_enable & accepts & (write_pointer[1:0] == place[1:0])));
  if (moves) leaves_when_first: assert (leaves == (before == 3'd0));
end

// Records that the row at the head has output. It leaves with its last record, after two at most.
reg [1:0] gave = 2'd0;
always @(posedge clk) if (clears | moves) gave <= 2'd0; else gave <= gave + {1'b0, takes};
always @* if (after_reset) begin
  at_most_two: assert (gave <= 2'd1);
  known: assert ((gave == 2'd0) == (given == 2'd0));
  first_slot: assert (given <= 2'd1);
  if (takes & !moves) another_follows: assert (more);
  if (takes & !more) last_goes: assert (moves);
end

// A core that obeys the stall one cycle late.
reg stalled = 1'b0;
reg heeds = 1'b1;
always @(posedge clk) begin
  stalled <= stall & !clears;
  heeds <= clears | (heeds & !(any & stalled));
end
always @* if (after_reset & heeds & !(any & stalled)) begin
  nothing_lost: assert (!(any & full));
  room: assert (!full | stalled);
end

// Records output since the stall of the core.
reg [2:0] taken = 3'd0;
always @(posedge clk) taken <= (clears | any | !stall) ? 3'd0 : taken + {2'd0, takes};
always @* if (after_reset & stall) begin
  ends: assert (taken < 3'd4);
  progress: assert ({1'b0, taken} <= 4'd8 - {occupancy, 1'b0} + {3'd0, gave != 2'd0});
end

// Rows were lost since one was accepted.
reg due = 1'b0;
always @(posedge clk) due <= !clears & (any ? full : due);
always @* if (after_reset) begin
  remembered: assert (gap == due);
  if (due & accepts) says_so: assert (slot_0_valid ? places_0_write_after_loss : places_1_write_after_loss);
end
