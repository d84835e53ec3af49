// Lossy mode with a checked stack. The first record accepted after a gap empties the stack when it reaches it, even if
// it is a return. From then on the top frame is unknown. Each entry and frame that a pop or a search reads was pushed
// later. A search ends before the next record, in a stack that is not empty.
//: inside hpp_detector
//: circuit detector
//: configuration [geometry]
//: configuration stack-check = true
//: configuration lookup = "parallel"
//: steps 5
//: within 8
//: instead word_q <= cells[read_address]; => word_q <= (write_enable & write_address == read_address) ? $anyseq : cells[read_address];
//: probe hpp_queue_memory wire [1:0] proof_cell; wire [72:0] proof_word = cells[proof_cell];
//: join queue.records.proof_cell = place
//: join kept_record = queue.records.proof_word
//: join write_pointer = queue.write_pointer
//: join read_pointer = queue.read_pointer
//: join marked = queue.marked
//: join pops = queue.pop
//: join drops = queue.drops
//: join occupancy = stack.occupancy
//: join below = stack.below
//: join grows = stack.grows
//: join shallower = stack.shallower
//: join read_cell = stack.entries.address_q
//: join written_cell = stack.entries_write_address
//: join start = stack.start
//: join appended = stack.appended
//: join popped = stack.popped
//: join length = stack.length
//: join counter = stack.counter
//: join stack_busy = stack.busy
//: join searching = stack.check.searching
//: join resumes = stack.check.resumes
//: join restarts = stack.check.restarts
//: join at = stack.check.at
//: join left = stack.check.left
//: join found = stack.check.found
//: join found_place = stack.check.place
//: join found_left = stack.check.found_left
//: join known = stack.check.known
//: join frame_cell = stack.check.frames.address_q
//: join looks = decoder.compares
//: join returns = decoder.returns
//: damaged if (purges) occupancy <= 6'd1; => if (check_restarts) occupancy <= 6'd1;
//: damaged wire purges = step_purge | check_restarts; => wire purges = check_restarts;
//: damaged wire loads = purges | fills | pops | pushes; => wire loads = fills | pops | pushes;
//: damaged if (check_moves_to) occupancy <= check_entries; => 
//: damaged assign entries = found_left + 6'd1; => assign entries = found_left + 6'd2;
//: damaged found_left <= left - 6'd1; => found_left <= left;
//: damaged place <= at - 5'd1; => place <= at;
//: damaged wire resumable = found & !several & (|found_left); => wire resumable = found & !several;
//: damaged left <= occupancy - 6'd1; => left <= occupancy;
//: damaged if (begins) known <= 1'b0; => 
//: damaged assign busy = searching | resumes | restarts; => assign busy = resumes | restarts;
//: damaged assign busy = check_elsewhere | check_busy; => assign busy = check_busy;
//: damaged assign holds = returns | compares; => assign holds = returns;
//: damaged if (searching) at_d = at - 5'd1; => 
`define TWICE returns
localparam RECORD_BITS = 73;

// A return that does not fit, and the search for its frame.
(* keep *) wire stack_busy, searching, resumes, restarts, found, known, looks, returns;
(* keep *) wire [4:0] at, found_place, frame_cell;
(* keep *) wire [5:0] left, found_left;
//: include lossy.svh

wire [5:0] looked_at = occupancy - 6'd1 - left;
wire [5:0] passed = occupancy - 6'd1 - found_left;
always @* if (after_reset) begin
  if (leaves | stays | steps) quiet: assert (!stack_busy);
  if (over | leaves | stays | steps) begin
    one_of: assert ({1'b0, searching} + {1'b0, resumes} + {1'b0, restarts} <= 2'd1);
    nothing_behind: assert (!looks | !(queue_record_valid | searching | resumes | restarts));
    alone: assert (!(searching | resumes | restarts) | !(queue_record_valid | looks | decoder_step_row != 4'd0 | decoder_step_purge));
  end
end
always @* if (after_reset & over) begin
  if (!over_1) no_frame: assert (!known & !searching & !resumes & !restarts);
  counts: assert (!searching | (left < occupancy & at == below - looked_at[4:0]));
  frame_of: assert (!searching | left == 6'd0 | frame_cell == at);
  found_below: assert (!searching | !found | (found_left < occupancy - 6'd1 & found_left >= left & found_place == below - passed[4:0]));
  frame_since: assert (!searching | left == 6'd0 | frame_cell != cell_of_stack | since);
  resumed: assert (!resumes | (occupancy >= 6'd2 & shallower));
  frame_too: assert (!shallower | frame_cell == read_cell);
end
