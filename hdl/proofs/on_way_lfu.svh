// The sequential table under LFU, for `on_way`.
//: configuration lookup = "sequential"
//: join again = sequential_table.again
//: damaged assign waits = path_valid | (looking & !ends); => assign waits = looking & !ends;
//: damaged (record_valid & stay) => record_valid
//: damaged wire evictions_leaves = replacement | (hit & over); => wire evictions_leaves = replacement | (compares & over);
`define LOOKED_UP looking
(* keep *) wire again;
//: include on_way_sequential.svh

// The phase of a lookup.
always @* if (after_reset) begin
  second_cycle: assert (!again | looking);
  of_a_path: assert (searching == looking);
end
