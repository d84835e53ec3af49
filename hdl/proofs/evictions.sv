// Evicted entries. In the cycle after its eviction, and in no other, any entry is output as it was last changed. This
// holds if it also changed in that cycle, the previous one, or every cycle. It also holds whatever the memory returns
// for a cell that is written at the same edge.
//: inside hpp_evictions
//: circuit tag_of_path
//: configuration [geometry]
//: configuration drain-depth = 64
//: steps 3
//: within 6
//: instead word_q <= cells[read_address]; => word_q <= (write_enable & write_address == read_address) ? $anyseq : cells[read_address];
//: probe hpp_eviction_memory wire [8:0] proof_cell; wire [100:0] proof_word = cells[proof_cell];
//: join entries.proof_cell = entry
//: join kept_cell = entries.proof_word
//: damaged wire [60:0] path_tag = repeats_1 ? tag_2[60:0] : entries_tag[60:0]; => wire [60:0] path_tag = entries_tag[60:0];
//: damaged wire [6:0] path_start_low = repeats_1 ? start_low_2 : entries_start_low; => wire [6:0] path_start_low = repeats_1 ? start_low_1 : entries_start_low;
//: damaged assign left_count = repeats_1 ? count_2 : entries_count; => assign left_count = repeats_1 ? count_1 : entries_count;
//: damaged repeats_1 <= changed_1 & (number_1 == number); => repeats_1 <= number_1 == number;
//: damaged repeats_1 <= changed_1 & (number_1 == number); => repeats_1 <= changed_1 & changed & leaves;
//: damaged .write_enable(changed_1), => .write_enable(changed_1 & !repeats_1),
//: damaged left_valid <= leaves; => left_valid <= leaves & changed;
//: damaged assign left_start = {path_tag[22:0], path_start_low}; => assign left_start = {path_tag[21:0], path_start_low, 1'b0};
//: damaged changed_1 <= 1'b0; => 

reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
initial assume (rst);

// Any entry, from its first change after reset.
(* anyconst *) reg [8:0] entry;
(* keep *) wire [100:0] kept_cell;
reg known = 1'b0;
reg [100:0] words;
reg left_now = 1'b0, of_entry = 1'b0, changing = 1'b0;
reg [100:0] words_before;
always @(posedge clk) begin
  left_now <= leaves & !rst;
  of_entry <= known & changed & number == entry & !rst;
  changing <= changed & number == entry & !rst;
  words_before <= words;
  if (changed & number == entry) begin
    known <= 1'b1;
    words <= {count, start_low, tag};
  end
  if (rst) known <= 1'b0;
end

// The output in the layout of the memory.
wire [61:0] shown_tag;
wire [6:0] shown_start_low;
hpp_tag_of_path shown (.start(left_start), .outcomes(left_outcomes), .length(left_length), .tag(shown_tag), .start_low(shown_start_low));
always @* if (after_reset) begin
  exactly_then: assert (left_valid == left_now);
  on_its_way: assert ((changed_1 & number_1 == entry) == changing);
  if (changing) newest: assert ({count_1, start_low_1, tag_1} == words);
  if (known & !changing) stored: assert (kept_cell == words);
  if (of_entry) as_it_was: assert ({left_count, shown_start_low, 1'b1, shown_tag[60:0]} == {words_before[100:62], 1'b1, words_before[60:0]});
end
