// The `rrip` table, for `on_way`. An entry is evicted before the values of the other candidates are reduced.
//: configuration replacement = "rrip"
//: join missed = sequential_table.missed
//: join scanning = sequential_table.scans
//: join ages = sequential_table.ageing.ages
//: damaged assign waits = path_valid | busy; => assign waits = busy;
//: damaged wire evictions_leaves = replacement | (hit & over); => wire evictions_leaves = replacement | (compared & over);
`define LOOKED_UP (busy & !ages)
(* keep *) wire missed, scanning, ages;
//: include on_way_sequential.svh

// The phase of a lookup.
always @* if (after_reset) begin
  of_a_path: assert ({2'd0, searching} + {2'd0, missed} + {2'd0, ages} == {2'd0, busy});
  scans: assert (scanning == (searching | ages));
end
