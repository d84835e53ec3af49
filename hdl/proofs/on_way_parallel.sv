// The parallel table: at most 9 entries are in flight to the drain at any moment, in any operation. Each belongs to a
// record that left the queue while the drain did not hold it.
//: configuration [geometry]
//: join row = decoder.step_row
//: damaged path_valid <= completes; => path_valid <= 1'b1;
//: damaged .hold(drain_writer_hold), => .hold(1'b0),
//: damaged if (idle) begin => if (rst) begin
//: include on_way_parallel.svh
