// As `on_way_sequential`, with a checked stack and contexts: a return waits in the decoder until its frame has been
// compared.
//: damaged path_valid <= fire & completes; => path_valid <= fire;
//: damaged if (fire & completes) begin => if (moving & completes) begin
//: include on_way_checked.svh
//: include on_way_lfu.svh

always @* if (after_reset) apart: assert (!moving | !looks);
