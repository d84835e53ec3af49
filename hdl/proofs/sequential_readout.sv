// The readout of a sequential table. A requested entry is available within WAYS + 5 cycles, whatever is looked up
// meanwhile. Its words are a snapshot of the memories two cycles earlier, which contain the results of all lookups that
// had ended. It reads as empty if the table was being cleared then.
//: inside hpp_sequential_table
//: circuit tag_of_path
//: configuration [geometry]
//: configuration sets = 2
//: configuration ways = 2
//: configuration max-branches = 1
//: configuration event-bits = 3
//: configuration event-counter-bits = 3
//: configuration accumulator-bits = 8
//: configuration lookup = "sequential"
//: steps 10
//: within 14
//: instead word_q <= cells[read_address]; => word_q <= (write_enable & write_address == read_address) ? $anyseq : cells[read_address];
//: probe hpp_tag_memory wire [1:0] proof_cell; wire [32:0] proof_word = cells[proof_cell];
//: probe hpp_count_memory wire [1:0] proof_cell; wire [7:0] proof_word = cells[proof_cell];
//: join tags.proof_cell = entry
//: join counts.proof_cell = entry
//: join kept_tag = tags.proof_word
//: join kept_count = counts.proof_word
//: damaged (entry_request & !busy & !reading & !entry_done); => (entry_request & !reading & !entry_done);
//: damaged (entry_request & !busy & !reading & !entry_done); => (entry_request & !busy & !entry_done);
//: damaged !(next_valid & !path_valid) & (entry_request => !next_valid & (entry_request
//: damaged entry_count <= counts_count; => entry_count <= count_2;
//: damaged blank <= clearing; => blank <= 1'b0;
//: damaged blank <= clearing; => blank <= clears & entry_number == walk_entry;
//: damaged wanted_start_low <= tags_start_low; => 
//: damaged entry_done <= reading & entry_request; => entry_done <= reads;
localparam WAYS = 2, SHOWN_BITS = 36;
//: include sequential.svh

// Assumed of the readout: the number is stable from the cycle before the request until the entry is available.
reg [1:0] number_before;
always @(posedge clk) number_before <= entry_number;
always @* if (after_reset & entry_request) assume (entry_number == number_before);

// Any entry, as it is stored.
(* anyconst *) reg [1:0] entry;
(* keep *) wire [32:0] kept_tag;
(* keep *) wire [7:0] kept_count;
reg [40:0] words_1, words_2;
reg walked_1, walked_2;
reg asked_1 = 1'b0, asked_2 = 1'b0;
always @(posedge clk) begin
  {words_2, words_1} <= {words_1, kept_tag, kept_count};
  {walked_2, walked_1} <= {walked_1, clearing};
  {asked_2, asked_1} <= rst ? 2'd0 : {asked_1, entry_request};
end

// The output in the layout of the memory.
wire [31:0] shown_tag;
wire shown_start_low;
hpp_tag_of_path shown_layout (.start(entry_start), .outcomes(entry_outcomes), .length(entry_length), .tag(shown_tag), .start_low(shown_start_low));

// Age of the request, in cycles.
reg [3:0] age = 4'd0;
always @(posedge clk) age <= (entry_request & !entry_done & !rst) ? age + {3'd0, age != 4'd15} : 4'd0;
always @* if (after_reset) begin
  asked_for: assert (!entry_done | (asked_1 & asked_2));
  bounded: assert (!entry_request | entry_done | age < WAYS + 5);
  if (busy) step_bound: assert (step <= WAYS + 1);
  if (entry_done & number_before == entry) begin
    in_use: assert (entry_filled == (words_2[39] & !walked_2));
    if (entry_filled) whole: assert ({shown_start_low, shown_tag, entry_count} == words_2);
  end
end
