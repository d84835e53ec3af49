// The sequential table: no more than 4 entries are on their way to the drain at any moment, whatever it asks for, each of a record that left the
// queue while the drain did not hold it. A path stays where it is shown until its lookup is over.
//: configuration [geometry]
//: join row = detector.decoder.step_row
//: damaged path_valid <= goes & leaving; => path_valid <= goes;
//: damaged if (goes & leaving) begin => if (moving & leaving) begin
//: damaged if (idle) step_row <= 4'd0; =>
//: include on_way_lfu.svh
