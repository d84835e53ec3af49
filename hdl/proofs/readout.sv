// The readout. If the table delivers an entry within three cycles, as the mirror does, no fetch takes more than six. No
// software access waits longer. The output is the addressed word of the four, or 0 for an empty entry. After the fourth
// word the next entry is fetched.
//: inside hpp_readout
//: steps 8
//: within 16
//: damaged if (entry_done) begin => if (entry_done & entry_filled) begin
//: damaged if (pointer == LAST_WORD) begin => if (pointer == 2'd2) begin
//: damaged wire fire_2 = addressed & (pointer == 2'd2) & !blank; => wire fire_2 = addressed & (pointer == 2'd2);
//: damaged else word_stage_1 <= 32'd0; =>
//: damaged entry_request <= fetching & !entry_done; => entry_request <= fetching & !entry_done & !entry_request;
//: damaged blank <= !entry_filled; => blank <= 1'b0;

reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
initial assume (rst);

// Assumed of the register file and of the mirror.
reg [1:0] asked = 2'd0;
always @(posedge clk) asked <= (entry_request & !entry_done & !rst) ? asked + 2'd1 : 2'd0;
always @* if (after_reset) begin
  assume (entry_valid | !(fetch | step));
  assume (entry_request | !entry_done);
  assume (!entry_request | entry_done | asked < 2'd3);
end

reg [2:0] age = 3'd0;
reg in_use = 1'b0;
reg [1:0] next_word = 2'd0;
reg shown = 1'b0;
reg [31:0] expected = 32'd0;
reg was_fourth = 1'b0;
always @(posedge clk) begin
  age <= (entry_valid | rst) ? 3'd0 : age + {2'd0, age != 3'd7};
  if (entry_done) in_use <= entry_filled;
  if (rst) in_use <= 1'b0;
  if (step) next_word <= next_word + 2'd1;
  if (fetch | rst) next_word <= 2'd0;
  shown <= addressed & !rst;
  case (next_word)
    2'd0: expected <= {entry_start, 2'd0};
    2'd1: expected <= entry_outcomes;
    2'd2: expected <= {26'd0, entry_length};
    2'd3: expected <= entry_count;
  endcase
  if (!in_use | !addressed) expected <= 32'd0;
  was_fourth <= step & (next_word == 2'd3) & !rst;
end
always @* if (after_reset) begin
  bounded: assert (entry_valid | age < 3'd6);
  order: assert (pointer == next_word);
  use: assert (blank == !in_use);
  if (shown) the_word: assert (word == expected);
  if (was_fourth) fetches_next: assert (!entry_valid);
end
