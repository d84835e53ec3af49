// As `on_way_skewed`, with a checked stack and contexts: a return waits in the decoder for its frame to be looked into.
//: damaged path_valid <= completes; => path_valid <= 1'b1;
//: include on_way_checked.svh
//: include on_way_skewed.svh
