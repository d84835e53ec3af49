// The sequential table: at most 4 entries are in flight to the drain at any moment, in any operation. Each belongs to a
// record that left the queue while the drain did not hold it. A path is stable at the table's input until its lookup
// ends.
//: configuration [geometry]
//: join row = decoder.step_row
//: damaged path_valid <= fire & leaving; => path_valid <= fire;
//: damaged if (fire & leaving) begin => if (moving & leaving) begin
//: damaged .hold(drain_writer_hold), => .hold(1'b0),
//: damaged if (idle) begin => if (rst) begin
//: include on_way_lfu.svh
