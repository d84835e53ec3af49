// A tiny profiler acknowledges only requested accesses, and never writes a cell that holds a constant. This holds for
// any data that it reads and any step at power-up. A step of the walk always writes, so it reads nothing for the next to write.
//: inside hpp
//: configuration ingress = "retire"
//: configuration [geometry]
//: configuration engine = "tiny"
//: configuration sets = 32
//: configuration ways = 2
//: configuration stack-depth = 4
//: configuration max-branches = 16
//: roms
//: steps 4
//: instead else word_q <= cells[address]; => else word_q <= $anyseq;
//: damaged assign wb_ack_o = program_answers & wb_cyc_i & wb_stb_i; => assign wb_ack_o = program_answers & wb_cyc_i;
//: damaged assign wb_ack_o = program_answers & wb_cyc_i & wb_stb_i; => assign wb_ack_o = program_answers & wb_stb_i;
//: damaged program_writes & !rst => program_writes
//: damaged program_writes & !rst => program_writes & !rst & (quarter != 2'd3)
//: damaged if (quarter == 2'd3) => if (quarter == 2'd2)
//: damaged | 8'hd0; => | 8'hc0;

// The first cycle is a reset.
reg ghost_first = 1'b1;
always @(posedge clk) ghost_first <= 1'b0;
always @* if (ghost_first) assume (rst);

// Entries, then registers, then the stack. Of the registers, only the low words of counters are written.
wire ghost_counter = memory_address >= 8'd208 & memory_address < 8'd224 & !memory_address[0];
always @* begin
  asked_for: assert (!wb_ack_o | (wb_cyc_i & wb_stb_i));
  if (program_walks & !rst) nothing_read: assert (writes);
  if (writes) no_constant: assert (memory_address < 8'd192 | ghost_counter | memory_address >= 8'd224);
end
