// A return whose frame is compared has the decoder to itself, and its row waits there.
//: configuration [geometry]
//: configuration stack-check = true
//: configuration context-bits = 2
//: join row = decoder.row
//: join looks = decoder.compares
//: damaged drain_writer_hold | detector_checks => detector_checks
//: damaged if (idle) begin => if (rst) begin
//: damaged assign holds = returns | compares; => assign holds = compares;
(* keep *) wire looks;
always @* if (after_reset) alone: assert (!looks | !queue_record_valid);
