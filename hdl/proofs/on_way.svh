// Entries in flight to the drain of a profiler, from the queue on: at most MOST at any moment. IN_TABLE of them are in
// the table, and LEFT is at its output. The drain may hold the core in any cycle, whatever its level.
//: inside hpp_profiler
//: circuit profiler
//: configuration sets = 2
//: configuration ways = 2
//: configuration max-branches = 1
//: configuration stack-depth = 2
//: configuration queue-depth = 2
//: configuration event-bits = 3
//: configuration event-counter-bits = 3
//: configuration accumulator-bits = 8
//: configuration drain-depth = 64
//: steps 1
//: within 8
//: instead hold <= holds & (fifo_level > 7'h10); => hold <= $anyseq;

reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
always @* assume (rst == !after_reset);

// The record that left the queue, its effect on the stack, and the path.
(* keep *) wire [3:0] row;
wire [6:0] before_table = {6'd0, queue_record_valid} + {6'd0, `AT_STACK} + {6'd0, path_valid};
wire [6:0] on_way = before_table + `IN_TABLE;

// The assumptions of `drain`.
reg [6:0] most = 7'd0;
always @(posedge clk) most <= rst ? 7'd0 : on_way + {6'd0, !drain_writer_hold} - {6'd0, `LEFT};
always @* if (after_reset) begin
  grows_by_records: assert (on_way <= most);
  there_before: assert (!`LEFT | on_way != 7'd0);
  at_most: assert (on_way <= `MOST);
end
