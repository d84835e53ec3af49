// The decisions of a table with shadows. The LFSR steps once for each lookup and is never 0. A miss is sampled if the bits
// before the newest ended with s ones, and not more. A shadow yields if it has no bit in common with the oldest bits. The
// estimate is count x (q + 1) x 2^(s + 1), modulo an accumulator. It is judged 10 + s cycles after the miss against the
// victim that is read in that cycle. s grows exactly with a full shadow whose estimate is not above the victim, and is 4
// after a reset or a clear. After a reset no match is in progress.
//: inside hpp_admission
//: configuration [geometry]
//: configuration sets = 2
//: configuration ways = 2
//: configuration max-branches = 1
//: configuration event-bits = 3
//: configuration event-counter-bits = 3
//: configuration accumulator-bits = 12
//: configuration replacement = "shadow"
//: steps 2
//: within 6
//: damaged state[31] ^ state[21] ^ state[1] => state[31] ^ state[20] ^ state[1]
//: damaged if (!state[0]) run <= 5'd0; => 
//: damaged sampled <= run == scale; => sampled <= run >= scale;
//: damaged (state[31] & quantity[0]) => (state[30] & quantity[0])
//: damaged (state[25] & quantity[6]); => (state[25] & quantity[5]);
//: damaged wire starts = decides & (!evicts | (sampled & known)); => wire starts = decides & sampled & known;
//: damaged wire starts = decides & (!evicts | (sampled & known)); => wire starts = decides & (!evicts | known);
//: damaged wire gives_way = decides & evicts & sampled => wire gives_way = decides & sampled
//: damaged wire gives_way = decides & evicts & sampled => wire gives_way = decides & evicts
//: damaged wire decides = misses & (|count); => wire decides = misses;
//: damaged factor <= next_count; => factor <= {1'b0, quantity};
//: damaged least <= 12'd0; => 
//: damaged localparam [5:0] LAST = 6'h28; => localparam [5:0] LAST = 6'h20;
//: damaged takes <= judges & (less | !evicts); => takes <= judges & less;
//: damaged takes <= judges & (less | !evicts); => takes <= judges & !evicts;
//: damaged wire less = stored < least; => wire less = stored <= least;
//: damaged if (judged & !takes & (quantity == MOST)) => if (judged & (quantity == MOST))
//: damaged if (judged & !takes & (quantity == MOST)) => if (judged & !takes & (&quantity[6:1]))
//: damaged if (restarts) scale <= FIRST_SCALE; => 
//: damaged (restarts | takes) ? 7'd0 : next_count[6:0]; => restarts ? 7'd0 : next_count[6:0];
//: damaged (restarts | takes) ? 7'd0 : next_count[6:0]; => takes ? 7'd0 : next_count[6:0];
//: damaged       judged <= 1'b0; => 

// A search ends with a miss, and no other operation takes place until a match has been judged. A path stays until then.
reg [2:0] count_before;
always @* begin
  assume (begins + searches + misses + wipes + restarts + (busy | judged) <= 3'd1);
  assume (!compared | searches);
  if (busy | judged) assume (count == count_before);
end

reg after_reset = 1'b0, was_reset = 1'b0, begun = 1'b0;
reg [11:0] stored_before;
always @(posedge clk) begin
  after_reset <= after_reset | rst;
  was_reset <= rst;
  begun <= begun | (begins & after_reset);
  count_before <= count;
  stored_before <= stored;
end

// The LFSR, whose taps 32, 22, 2 and 1 count from the newest bit, and the ones before it.
reg [31:0] register;
reg [4:0] ones, s;
reg will_sample;
always @(posedge clk) begin
  if (rst) {register, ones} <= {32'd1, 5'd0};
  else if (begins) begin
    register <= {register[30:0], ^(register & 32'h80200003)};
    ones <= register[0] ? ones + 5'd1 : 5'd0;
  end
  if (begins) will_sample <= ones == scale;
  s <= (rst | restarts) ? 5'd4 : s + {4'd0, judged & !takes & quantity == 7'd127};
end

// The estimate, after so many steps.
wire [5:0] steps = timer - {1'b0, ~scale};
wire [7:0] factors = {1'b0, quantity} + 8'd1;
wire [11:0] so_far = {9'd0, count} * {4'd0, steps < 6'd8 ? factors >> (6'd8 - steps) : factors};
wire [11:0] partial = steps < 6'd8 ? so_far : so_far << (steps - 6'd8);
wire [11:0] estimate = {9'd0, count} * {4'd0, factors} << ({1'b0, scale} + 6'd1);

reg in_common;
integer i;
always @* begin
  in_common = 1'b0;
  for (i = 0; i < 7; i = i + 1) in_common = in_common | (register[31 - i] & quantity[i]);
end

wire admits = misses & count != 3'd0 & (!evicts | (sampled & known));
wire replaces_shadow = misses & count != 3'd0 & evicts & sampled & !known & !in_common;
always @* before: assert (after_reset | !begun);
always @* if (after_reset) begin
  registers: assert (state == register & register != 32'd0 & run == ones & scale == s);
  idle: assert (!was_reset | !(busy | judged));
  one_phase: assert (!(busy & judged) & (judged | !takes));
  sampling: assert (!begun | sampled == will_sample);
  ends: assert (done == (judged | (misses & !admits)));
  steps_of_a_match: assert (!busy | steps <= {1'b0, scale} + 6'd9);
  judges_in_time: assert (judges == (busy & steps == {1'b0, scale} + 6'd9));
  factor_left: assert (!busy | factor == factors << steps);
  estimated: assert (!busy | least == partial);
  above: assert (!judged | takes == (!evicts | stored_before < estimate));
  written: assert (shadows_write_enable == (restarts | replaces_shadow | judged));
  counted: assert (!shadows_write_enable | shadows_write_count == ((restarts | takes) ? 7'd0 : factors[6:0]));
end
