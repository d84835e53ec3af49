// The arithmetic of a match in a table with shadows: the victim's accumulator in units of 2^k, the path's estimate, and
// the shadow that is written. Both saturate. k grows with a full shadow whose estimate is not above the victim. After a
// reset no match is in progress.
//: inside hpp_admission
//: configuration [geometry]
//: configuration sets = 2
//: configuration ways = 2
//: configuration max-branches = 1
//: configuration event-bits = 3
//: configuration event-counter-bits = 3
//: configuration accumulator-bits = 12
//: configuration replacement = "shadow"
//: steps 3
//: within 8
//: damaged wire grows = places & !above & (quantity == MOST) & (scale != LARGEST_SCALE); => wire grows = places & (quantity == MOST) & (scale != LARGEST_SCALE);
//: damaged wire grows = places & !above & (quantity == MOST) & (scale != LARGEST_SCALE); => wire grows = places & !above & (quantity == MOST);
//: damaged wire grows = places & !above & (quantity == MOST) & (scale != LARGEST_SCALE); => wire grows = places & !above & (quantity == MOST) & (scale != 5'h1b);
//: damaged wire grows = places & !above & (quantity == MOST) & (scale != LARGEST_SCALE); => wire grows = places & !above & (quantity == MOST) & (scale != 5'h19);
//: damaged if (quantity == MOST) shadows_write_count = MOST; => 
//: damaged if (quantity == MOST) shadows_write_count = MOST; => if (quantity == 5'h1e) shadows_write_count = 5'h1f;
//: damaged if (quantity == MOST) shadows_write_count = MOST; => if (quantity == MOST) shadows_write_count = 5'h1e;
//: damaged if (quantity == MOST) shadows_write_count = MOST; => if (quantity == MOST) shadows_write_count = 5'h0;
//: damaged if (over & !divides) next_least = 12'hfff; => if (over & !divides) next_least = 12'hffe;
//: damaged if (left[4]) left <= MOST; => if (left[3]) left <= 5'h1f;
//: damaged if (left[4]) left <= MOST; => 
//: damaged if (left[4]) left <= MOST; => if (left[4]) left <= 5'h1e;
//: damaged if (left[4]) left <= MOST; => if (left[4]) left <= 5'h0;
//: damaged       phase <= 3'd0; => 

// A search takes place while no match is in progress, and a miss ends it. A second scan has its own phase. A clear waits
// for the end of a lookup.
localparam [2:0] IDLE = 3'd0, OTHER = 3'd2, MULTIPLY = 3'd4;
always @* begin
  assume (!(searches | misses | restarts) | phase == IDLE);
  assume (searches + misses + restarts <= 2'd1);
  assume (!compared | searches | phase == OTHER);
  assume (!ends | searches | phase == OTHER);
end

reg after_reset = 1'b0, was_reset = 1'b0;
always @(posedge clk) begin
  after_reset <= after_reset | rst;
  was_reset <= rst;
end

// The division: the accumulator with which it begins, and the steps since.
reg [11:0] dividend;
reg [5:0] steps;
wire begins_to_divide = divides & steps == 6'd0;
wire [11:0] divided_by_two_to_k = begins_to_divide ? taken_count : dividend;
always @(posedge clk) begin
  steps <= divides & !rst ? steps + 6'd1 : 6'd0;
  dividend <= divided_by_two_to_k;
end
wire [23:0] shifted = {12'd0, divided_by_two_to_k} << steps;
wire [4:0] quotient = |shifted[23:17] ? 5'd31 : shifted[16:12];

wire [14:0] doubled = {2'd0, taken_count, 1'b0} + (factor[5] ? {8'd0, count} : 15'd0);
wire [4:0] grown = quantity == 5'd31 ? 5'd31 : quantity + 5'd1;
wire full_and_low = places & !above & quantity == 5'd31;

always @* if (after_reset) begin
  idle: assert (!was_reset | phase == IDLE);
  steps_of_a_division: assert (!divides | (timer == {1'b0, scale} + steps & steps <= 6'd12));
  before_a_division: assert (phase == IDLE | phase >= MULTIPLY | (factor == 6'd0 & (divides | left == 5'd0)));
  remainder: assert (!divides | taken_count == shifted[11:0]);
  victim: assert (!divides | left == quotient);
  estimate: assert (phase != MULTIPLY | next_least == (|doubled[14:12] ? 12'd4095 : doubled[11:0]));
  k_grows: assert (grows == (full_and_low & scale != 5'd26));
  k_ends: assert (scale >= 5'd4 & scale <= 5'd26);
  shadow: assert (!(gives_way | (places & !above)) | shadows_write_count == (grows ? 5'd15 : grown));
end
