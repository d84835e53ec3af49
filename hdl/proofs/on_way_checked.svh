// A return whose frame is compared has the decoder to itself, and its row waits there.
//: configuration [geometry]
//: configuration stack-check = true
//: configuration context-bits = 2
//: join row = detector.decoder.row
//: join looks = detector.decoder.compares
//: damaged if (idle) begin => if (rst) begin
//: damaged assign holds = returns | compares; => assign holds = compares;
(* keep *) wire looks;
always @* if (after_reset) alone: assert (!looks | !record_there);
