// As `on_way_parallel`, with a checked stack and contexts: a return waits in the decoder until its frame has been
// compared.
//: damaged path_valid <= completes; => path_valid <= 1'b1;
//: include on_way_checked.svh
//: include on_way_parallel.svh
