// The table with values: no more than 4 entries are on their way to the drain at any moment, whatever it asks for, each of a record that left the
// queue while the drain did not hold it. A path stays where it is shown until its lookup is over.
//: configuration [geometry]
//: join row = detector.decoder.step_row
//: damaged if (idle) step_row <= 4'd0; =>
//: include on_way_skewed.svh
