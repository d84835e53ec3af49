// The parallel table, for `on_way`: the paths in its stages.
//: configuration lookup = "parallel"
//: join path_1 = parallel_table.stages.paths_0
//: join path_2 = parallel_table.stages.paths_1
//: join path_3 = parallel_table.stages.path_3
//: join path_4 = parallel_table.stages.paths_3
//: join some_1 = parallel_table.stages.somes_0
//: join some_2 = parallel_table.stages.somes_1
//: join some_3 = parallel_table.stages.somes_2
//: join some_4 = parallel_table.stages.some_4
//: join found_4 = parallel_table.decision_found_4
//: join leaves_5 = parallel_table.leaves_5
//: damaged record_valid <= pop; => record_valid <= 1'b1;
//: damaged wire inserts = some_4 & !found_4; => wire inserts = !found_4;
//: damaged if (!path_3) found_4 <= 1'b0; =>
//: damaged wire pop = waiting & !hold; => wire pop = waiting;
//: damaged left_valid <= leaves; => left_valid <= leaves | left_valid;
`define LEFT parallel_table_left_valid
`define MOST 7'd9
(* keep *) wire path_1, path_2, path_3, path_4, some_1, some_2, some_3, some_4, found_4, leaves_5;
`define IN_TABLE {6'd0, path_1} + {6'd0, path_2} + {6'd0, path_3} + {6'd0, path_4} + {6'd0, leaves_5} + {6'd0, `LEFT}
`define AT_STACK row != 4'd0
//: include on_way.svh

always @* if (after_reset) begin
  counts_of_paths: assert (!(some_1 & !path_1) & !(some_2 & !path_2) & !(some_3 & !path_3) & !(some_4 & !path_4));
  found_of_path: assert (!found_4 | path_4);
end
