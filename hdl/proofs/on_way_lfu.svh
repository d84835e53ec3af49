// The sequential table under LFU, for `on_way`.
//: configuration lookup = "sequential"
//: join again = sequential_table.again
//: damaged assign waits = path_valid | (busy & !ends); => assign waits = busy & !ends;
//: damaged (record_valid & stall) => record_valid
//: damaged wire evictions_leaves = replacement | (hit & over); => wire evictions_leaves = replacement | (compares & over);
`define LOOKED_UP busy
(* keep *) wire again;
//: include on_way_sequential.svh

// The phase of a lookup.
always @* if (after_reset) begin
  second_cycle: assert (!again | busy);
  of_a_path: assert (searching == busy);
end
