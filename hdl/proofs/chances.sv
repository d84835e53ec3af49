// The random decisions of a table with shadows. The LFSR steps once for each lookup and is never 0. A miss is sampled
// if the k low bits are 0 after that step, outside a pause. A shadow yields if n bits from bit 20 on are 0, with n the
// log2 of the least count plus 1. k is 4 after a reset or a clear, and grows on request. A pause starts with a match,
// lasts 16 lookups, and ends at a clear.
//: inside hpp_chance
//: configuration [geometry]
//: configuration sets = 2
//: configuration ways = 2
//: configuration max-branches = 1
//: configuration event-bits = 3
//: configuration event-counter-bits = 3
//: configuration accumulator-bits = 8
//: configuration replacement = "shadow"
//: steps 2
//: within 6
//: damaged ({1'b0, state[26:1]} ^ CHANCE_TAPS) => ({1'b0, state[26:1]} ^ 27'h4000012)
//: damaged if (|pause) pause <= pause - 5'd1; => 
//: damaged mask <= {mask[25:0], 1'b1}; => mask <= {mask[25:0], mask[5]};
//: damaged if (matched) pause <= PAUSE; => if (matched) pause <= 5'hf;
//: damaged assign samples = (!(|(stepped & mask))) & (!(|pause)); => assign samples = (!(|(state & mask))) & (!(|pause));
//: damaged if (|next_count[5:3]) wanted = wanted | 32'd8; => if (|next_count[5:4]) wanted = wanted | 32'd8;
//: damaged if (next_count[5]) wanted = wanted | 32'h20; => 
//: damaged if (next_count[5]) wanted = wanted | 32'h20; => if (next_count[5]) wanted = wanted | 32'h21;
//: damaged if (next_count[5]) wanted = wanted | 32'h20; => if (next_count[5]) wanted = wanted | 32'h1f;
//: damaged if (next_count[5]) wanted = wanted | 32'h20; => if (next_count[5]) wanted = wanted & 32'h20;
//: damaged if (next_count[5]) wanted = wanted | 32'h20; => if (next_count[5]) wanted = 32'h20;
//: damaged pause <= 5'd0; => pause <= 5'd1;
//: damaged       pause <= 5'd0; => 
//: damaged       scale <= FIRST_SCALE; => 
//: damaged       mask <= FIRST_MASK; => 
reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
always @* assume (rst == !after_reset);

// k grows to 26 at most, in the last cycle of a match, and the LFSR steps earlier. A clear waits for the end of a
// lookup.
always @* begin
  assume (!grows | scale != 5'd26);
  assume (!restart | !(step | grows | matched));
  assume (!step | !(grows | matched));
  assume (next_count != 6'd0 & next_count <= 6'd32);
end

// The LFSR. Its taps 27, 5, 2 and 1 count from the end at which the bit enters.
reg [26:0] register;
wire feedback = register[0];
wire [26:0] next_register = (register >> 1) ^ (feedback ? 27'h4000013 : 27'd0);
reg [4:0] k, paths_left;
always @(posedge clk) begin
  if (rst) register <= 27'd1;
  else if (step) register <= next_register;
  if (rst | restart) {k, paths_left} <= {5'd4, 5'd0};
  else begin
    k <= k + {4'd0, grows};
    paths_left <= matched ? 5'd16 : paths_left - {4'd0, step & (|paths_left)};
  end
end

wire [26:0] low_bits = ~(27'h7ffffff << k);
wire [2:0] below_highest = next_count[5] ? 3'd5 : next_count[4] ? 3'd4 : next_count[3] ? 3'd3 : next_count[2] ? 3'd2 : next_count[1] ? 3'd1 : 3'd0;
wire [5:0] looked_at = register[24:19] & (6'h3e & ~(6'h3e << below_highest));
always @* if (after_reset) begin
  registers: assert (state == register & register != 27'd0 & scale == k & k >= 5'd4 & k <= 5'd26);
  low_bits_of_k: assert (mask == low_bits);
  pauses: assert (pause == paths_left & pause <= 5'd16);
  sampled: assert (samples == ((next_register & low_bits) == 27'd0 & paths_left == 5'd0));
  gives_way: assert (yields == (looked_at == 6'd0));
end
