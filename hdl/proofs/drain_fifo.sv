// The FIFO of a drain. Each entry is stored or reported as lost, and lost only if the FIFO is full of earlier ones.
// Entries leave in order, each once and unchanged. The oldest is at the output in the second cycle after it entered, at
// the latest, and stays until it is taken. A clear removes the entries of earlier cycles and no others.
//: inside hpp_drain_fifo
//: configuration [geometry]
//: configuration drain-depth = 64
//: steps 3
//: within 6
//: instead word_q <= cells[read_address]; => word_q <= (write_enable & write_address == read_address) ? $anyseq : cells[read_address];
//: probe hpp_drain_memory wire [5:0] proof_cell; wire [99:0] proof_word = cells[proof_cell];
//: join entries.proof_cell = place
//: join kept_cell = entries.proof_word
//: damaged assign level = write_pointer - read_pointer; => assign level = write_pointer - read_next;
//: damaged wire full = write_pointer == (read_pointer ^ 7'h40); => wire full = write_pointer == (read_pointer ^ 7'h20);
//: damaged wire push = left_valid & !full; => wire push = left_valid;
//: damaged assign loses = left_valid & full; => assign loses = left_valid & full & !take;
//: damaged else if (shown & take) read_next => else if (take) read_next
//: damaged if (clear) read_next = write_pointer; => if (clear & !left_valid) read_next = write_pointer;
//: damaged if (clear) read_next = write_pointer; => if (clear) read_next = write_pointer + {6'd0, push};
//: damaged .read_address(read_next[5:0]), => .read_address(read_pointer[5:0]),
//: damaged .write_address(write_pointer[5:0]), => .write_address({write_pointer[5:1], 1'b0}),
//: damaged shown <= write_pointer != read_next; => shown <= write_pointer != read_pointer;
//: damaged shown <= write_pointer != read_next; => shown <= (write_pointer != read_next) | push;
//: damaged shown <= write_pointer != read_next; => shown <= (write_pointer != read_next) & !take;

localparam DEPTH = 7'd64;

reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
initial assume (rst);

// Number of entries that wait.
wire stored = left_valid & !loses;
wire taken = shown & take & !clear;
reg [6:0] waiting = 7'd0;
always @(posedge clk) waiting <= rst ? 7'd0 : (clear ? 7'd0 : waiting - {6'd0, taken}) + {6'd0, stored};
always @* if (after_reset) begin
  number: assert (level == waiting);
  room: assert (waiting <= DEPTH);
  some: assert (!shown | waiting != 7'd0);
  lost: assert (loses == (left_valid & waiting == DEPTH));
end

// Any entry, from the cycle in which it enters to the one in which it leaves.
(* anyseq *) reg choose;
(* keep *) wire [99:0] kept_cell;
reg watched = 1'b0;
reg waited = 1'b0;
reg [5:0] place = 6'd0;
reg [6:0] before;
reg [99:0] entry;
wire first = watched & before == 7'd0;
always @(posedge clk) begin
  waited <= watched & !clear & !rst;
  if (!watched & stored & choose) begin
    watched <= 1'b1;
    place <= write_pointer[5:0];
    before <= clear ? 7'd0 : waiting - {6'd0, taken};
    entry <= {left_count, left_length, left_outcomes, left_start};
  end else if (watched) begin
    before <= before - {6'd0, taken};
    if (clear | (first & taken)) watched <= 1'b0;
  end
  if (rst) watched <= 1'b0;
end
always @* if (after_reset & watched) begin
  waits: assert (before < waiting);
  in_order: assert (read_pointer[5:0] + before[5:0] == place);
  as_it_came: assert (kept_cell == entry);
  if (first & shown) unchanged: assert ({count, length, outcomes, start} == entry);
  if (first & waited) in_time: assert (shown);
end
