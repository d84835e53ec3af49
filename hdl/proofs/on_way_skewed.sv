// The skewed table, with `rrip`: no more than 33 entries are on their way to the drain at any moment, whatever it asks for, those in the ring
// of paths among them, each of a record that left the queue while the drain did not hold it. The ring has room for all that come.
//: configuration [geometry]
//: join row = detector.decoder.step_row
//: damaged path_valid <= completes; => path_valid <= 1'b1;
//: damaged if (idle) step_row <= 4'd0; =>
//: include on_way_skewed.svh
