// A return whose frame is compared has the decoder to itself, and its row waits there.
//: configuration [geometry]
//: configuration stack-check = true
//: configuration context-bits = 2
//: join row = detector.decoder.row
//: join looks = detector.decoder.checks_0_looks
//: damaged if (idle) row <= 4'd0; =>
//: damaged assign holds = returns | looks; => assign holds = looks;
(* keep *) wire looks;
always @* if (after_reset) alone: assert (!looks | !record_there);
