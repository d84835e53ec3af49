// As `on_way_skewed`, with a checked stack and contexts: a return waits in the decoder for its frame to be looked into.
//: join quiet = detector.stepwise_stacks_0.quiet_0
//: include on_way_checked.svh
(* keep *) wire quiet;
`define QUIET quiet
//: include on_way_skewed.svh

always @* if (after_reset) apart: assert (!moving | !looks);
