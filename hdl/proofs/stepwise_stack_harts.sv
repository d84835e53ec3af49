// The path stack of one of several harts. Beside what holds for one hart: a path that completes while another hart has the
// table stays as it is, and is output once it is granted the table, unchanged, once and at no other time. The path ports
// hold it until another hart's path is output, and are 0 from then on.
//: inside hpp_stepwise_stack
//: configuration [geometry]
//: configuration harts = 2
//: configuration context-bits = 1
//: steps 3
//: within 8
//: probe hpp_stepwise_memory wire [4:0] proof_cell; wire [79:0] proof_word = cells[proof_cell];
//: damaged assign next_valid = moving & completes; => assign next_valid = moving & leaving;
//: damaged wire waiting = waits & completes; => wire waiting = waits & completes & !yields;
//: damaged path_valid <= fire & completes; => path_valid <= fire & leaving;
//: damaged if (fire & completes) begin => if (fire) begin
//: damaged if (yields) begin => if (yields & !path_valid) begin
//: damaged out_start <= start; => out_start <= step_target;
//: include stepwise_stack.svh

// Assumed of the arbiter: another hart is granted the table only if this one is not.
always @* assume (!yields | waits);

wire [76:0] path_now = {out_start, path_outcomes, path_length, path_count};
wire [76:0] top_now = {start, recorded, length, counter};
reg ran = 1'b0;
reg waited, granted, yielded, counted;
reg [76:0] top_before;
reg [76:0] path_before;
always @(posedge clk) begin
  ran <= after_reset & !rst;
  waited <= moving & completes & waits;
  granted <= moving & completes & !waits;
  yielded <= yields;
  counted <= step_counts_events;
  top_before <= top_now;
  path_before <= path_now;
end
always @* if (after_reset & ran) begin
  if (waited) begin
    none_lost: assert (moving & leaving);
    held: assert (top_now == top_before);
  end
  once: assert (path_valid == granted);
  if (granted) begin
    not_again: assert (!leaving);
    unchanged: assert ({out_start, path_outcomes, path_length} == top_before[76:8]);
    its_count: assert (path_count == (counted ? top_before[7:0] : 8'd1));
  end else if (yielded) is_away: assert (path_now == 77'd0);
  else keeps: assert (path_now == path_before);
end
