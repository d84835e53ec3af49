// The counters. For any counter in any cycle, the sum of its two words, their carry, its narrow counter and the pending
// event is the number of its events. It counts since reset or a clear, modulo 2^64. The scan rests only while nothing is
// to be added or cleared.
//: inside hpp_counters
//: steps 2
//: within 6
//: probe hpp_counter_memory wire [3:0] proof_low, proof_high; wire [31:0] proof_low_word = cells[proof_low]; wire [31:0] proof_high_word = cells[proof_high];
//: join words.proof_low = low_address
//: join words.proof_high = high_address
//: join low_cell = words.proof_low_word
//: join high_cell = words.proof_high_word
//: join address_of_words = words.address_q
//: damaged carry <= sum[32] & !word[0] & !clear_now; => carry <= 1'b0;
//: damaged carry <= sum[32] & !word[0] & !clear_now; => carry <= sum[32] & !clear_now;
//: damaged carry <= sum[32] & !word[0] & !clear_now; => carry <= sum[32] & !word[0];
//: damaged if (take_3 | clear_now) count_3 <= 5'd0; => if (clear_now) count_3 <= 5'd0;
//: damaged if (!take_3 | clear_now) taken_3 <= 5'd0; => if (!take_3) taken_3 <= 5'd0;
//: damaged if (zeroes) stored <= 32'd0; => 
//: damaged visits <= wakes | (visits & !(at_end & !stirred)); => visits <= wakes | (visits & !at_end);
//: damaged stirred <= wakes | (stirred & !at_end); => stirred <= wakes;
//: damaged wire wakes = (|pending) | clear | busy; => wire wakes = (|pending) | busy;
//: damaged wire wakes = (|pending) | clear | busy; => wire wakes = clear | busy;
//: damaged .read_enable(visits), => .read_enable(1'b1),
//: damaged wire zeroes = clear_now | (zeroing & (next_scan != last)); => wire zeroes = clear_now | zeroing;

reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
initial assume (rst);

(* anyconst *) reg [2:0] counter;
wire [3:0] low_address = {counter, 1'b0};
wire [3:0] high_address = {counter, 1'b1};
(* keep *) wire [31:0] low_cell, high_cell;
(* keep *) wire [3:0] address_of_words;

// Words that a clear has not zeroed yet read 0, whatever is stored.
wire [4:0] to_zero = zeroing ? ((last == word) ? 5'd16 : {1'b0, last - word}) : 5'd0;
wire [3:0] low_ahead = {counter, 1'b0} - word;
wire [3:0] high_ahead = {counter, 1'b1} - word;
wire [31:0] low_word = ({1'b0, low_ahead} < to_zero) ? 32'd0 : low_cell;
wire [31:0] high_word = ({1'b0, high_ahead} < to_zero) ? 32'd0 : high_cell;

wire visited = word == {counter, 1'b0};
wire carried = carry & (word == {counter, 1'b1});
reg [4:0] count;
always @* case (counter)
  3'd0: count = count_0;
  3'd1: count = count_1;
  3'd2: count = count_2;
  3'd3: count = count_3;
  3'd4: count = count_4;
  3'd5: count = count_5;
  3'd6: count = count_6;
  3'd7: count = count_7;
endcase
wire [63:0] held = {high_word, low_word} + {31'd0, carried, 32'd0} + (visited ? {59'd0, collected} : 64'd0)
    + {59'd0, count} + {63'd0, pending[counter]};

reg [63:0] total = 64'd0;
always @(posedge clk) begin
  total <= (clear_now ? 64'd0 : total) + {63'd0, events[counter]};
  if (rst) total <= 64'd0;
end

always @* if (after_reset) begin
  exact: assert (held == total);
  carry_is_high: assert (!carry | word[0]);
  // A narrow counter does not overflow between two visits, of which one may wake the scan.
  narrow: assert ({1'b0, count} <= {2'd0, word - {counter, 1'b0}} + 6'd1);
  if (!stirred) begin
    ends_clear: assert (!clear_now & (!zeroing | {1'b0, word} + to_zero <= 5'd16));
    if (!visits) at_rest: assert (word == 4'd0 & count == 5'd0 & collected == 5'd0 & !zeroing);
    else begin
      if (word >= {counter, 1'b0}) collected_all: assert (count == 5'd0);
      collected_first: assert (count_0 == 5'd0);
    end
  end
  if (!visits) rests: assert (!stirred);
  quiet: assert (!word[0] | (collected == 5'd0));
  reads_ahead: assert (ahead == word + 4'd2);
  if (zeroing) zeroes_stored: assert (stored == 32'd0);
  else begin
    low_stored: assert (!visited | (stored == low_cell));
    high_stored: assert ((word != {counter, 1'b1}) | (stored == high_cell));
  end
  if (to_zero != 5'd16) address: assert (address_of_words == word + 4'd1);
end
