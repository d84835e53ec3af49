// As `on_way_skewed`, with a checked stack and contexts: a return waits in the decoder for its frame to be looked into.
//: include on_way_checked.svh
//: include on_way_skewed.svh

always @* if (after_reset) apart: assert (!moving | !looks);
