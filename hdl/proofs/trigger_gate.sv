// The trigger gate. Whether records are profiled follows from the accepted record, then the event inputs, then the
// write. The first record after a stop is marked, once. Each accepted record is profiled or counted as rejected.
//: inside hpp_trigger_gate
//: configuration [geometry]
//: configuration triggers = true
//: steps 2
//: damaged wire starts = start_at_address & (address == start) & (leaves | !at_return); => wire starts = start_at_address & (address == start);
//: damaged wire starts = start_at_address & (address == start) & (leaves | !at_return); => wire starts = (address == start) & (leaves | !at_return);
//: damaged wire leaves = (kind == CALL) | (kind == INDIRECT_CALL) | (kind == TRAP); => wire leaves = (kind == CALL) | (kind == INDIRECT_CALL);
//: damaged assign passes = valid & (runs | starts); => assign passes = valid & runs;
//: damaged wire lets_in = passes & ready; => wire lets_in = passes;
//: damaged assign keeps_out = valid & ready & !passes & enable; => assign keeps_out = valid & !passes & enable;
//: damaged assign captures = lets_in & !runs & at_return; => assign captures = lets_in & at_return;
//: damaged wire halts = lets_in & runs & stop_at_address & (address == stop); => wire halts = lets_in & stop_at_address & (address == stop);
//: damaged wire after_record = (runs | lets_in) & !halts; => wire after_record = runs & !halts;
//: damaged wire after_record = (runs | lets_in) & !halts; => wire after_record = runs | lets_in;
//: damaged if (write) begin => if (written) begin
//: damaged (first & !lets_in) | halts | halts_by_event | !goes_on; => first | halts | halts_by_event | !goes_on;
//: damaged (first & !lets_in) | halts | halts_by_event | !goes_on; => (first & !lets_in) | halts_by_event | !goes_on;
//: damaged (first & !lets_in) | halts | halts_by_event | !goes_on; => (first & !lets_in) | halts | !goes_on;
//: damaged (first & !lets_in) | halts | halts_by_event | !goes_on; => (first & !lets_in) | halts | halts_by_event;

reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
initial assume (rst);

wire [29:0] at = target[31:2];
wire calls_or_traps = kind == 3'd3 || kind == 3'd5 || kind == 3'd6;
wire opens = start_at_address && at == start && (!at_return || calls_or_traps);
wire closes = stop_at_address && at == stop;

// In this order: the record, the events, the write.
reg profiles, owed;
reg profiles_next, owed_next;
always @* begin
  profiles_next = profiles;
  owed_next = owed;
  if (valid && ready) begin
    if (profiles) begin
      owed_next = closes;
      profiles_next = !closes;
    end else if (opens) begin
      owed_next = 1'b0;
      profiles_next = 1'b1;
    end
  end
  if (profiles_next) begin
    if (stop_event && stop_by_event) begin
      profiles_next = 1'b0;
      owed_next = 1'b1;
    end
  end else if (start_event && start_by_event) profiles_next = 1'b1;
  if (write) begin
    profiles_next = written;
    if (!written) owed_next = 1'b1;
  end
end
always @(posedge clk) begin
  profiles <= profiles_next;
  owed <= owed_next;
  if (rst) begin
    profiles <= 1'b1;
    owed <= 1'b0;
  end
end

always @* if (after_reset) begin
  as_told: assert (runs == profiles);
  marked: assert (first == owed);
  stopped_is_marked: assert (runs | first);
  gets_in: assert (passes == (valid & (profiles | opens)));
  counted: assert (keeps_out == (valid & ready & enable & !profiles & !opens));
  of_the_start: assert (captures == (valid & ready & !profiles & opens & at_return));
  where_it_returns: assert (returns_to == next_address[31:2]);
end
