// Lossy mode, from the queue to the stack. Records may be missing after a loss in or before the queue, a purge or a
// pause. The next accepted record then empties the stack when it reaches it. From then on nothing older is left: the
// top begins with that record's target, and each popped entry was pushed later. No path is therefore output with a
// missing branch.
//: inside hpp_detector
//: circuit detector
//: configuration [geometry]
//: configuration lookup = "parallel"
//: steps 4
//: within 12
//: instead word_q <= cells[read_address]; => word_q <= (write_enable & write_address == read_address) ? $anyseq : cells[read_address];
//: probe hpp_queue_memory wire [1:0] proof_cell; wire [42:0] proof_word = cells[proof_cell];
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
//: damaged wire records_write_purge_first = marked | br_after_loss; => wire records_write_purge_first = marked;
//: damaged (marked & !accepted) | drops | purge | !enable; => (marked & !accepted) | purge | !enable;
//: damaged (marked & !accepted) | drops | purge | !enable; => drops | purge | !enable;
//: damaged if (step_purge) occupancy <= 6'd1; => 
//: damaged step_purge <= record_valid & record_purge_first & !rst; => step_purge <= record_valid & record_purge_first & record_taken & !rst;
//: damaged wire shallower = drops & !lone; => wire shallower = drops;
//: damaged wire loads = step_purge | fills | pops | pushes; => wire loads = fills | pops | pushes;
//: damaged wire fresh = step_purge | pushes => wire fresh = pushes
`define TWICE 1'b0
localparam RECORD_BITS = 43;
//: include lossy.svh
