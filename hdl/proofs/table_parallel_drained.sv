// The parallel table with a drain: as `table_parallel`, but an accumulator that overflows restarts with the count. An
// eviction is reported in the next cycle: when another path takes the way, when its accumulator restarts, and at no
// other time.
//: inside hpp_parallel_table
//: configuration [geometry]
//: configuration drain-depth = 64
//: damaged leaves_5 <= decision_replaces_4 | accumulator_saturates_4; => leaves_5 <= decision_replaces_4;
//: damaged leaves_5 <= decision_replaces_4 | accumulator_saturates_4; => leaves_5 <= accumulator_saturates_4;
//: damaged if (over_stage_4) accumulator_4 => if (over_stage_4 & !found_4) accumulator_4
//: damaged if (repeats_4) hit_ways = way_5; => 
`define FULL count_d
//: include table_parallel.svh

// Evictions from the set.
reg left_e;
always @(posedge clk) left_e <= !rst & here & path_d & (found_d ? total[COUNT_BITS] : acts & last_used);
always @* if (after_reset & known_1 & set_e == the_set) leaves: assert (leaves_5 == left_e);
