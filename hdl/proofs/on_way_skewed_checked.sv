// As `on_way_skewed`, with a checked stack and contexts: a return waits in the decoder until its frame has been
// compared.
//: include on_way_checked.svh
//: include on_way_skewed.svh

always @* if (after_reset) apart: assert (!moving | !looks);
