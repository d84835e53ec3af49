// The sequential table with a drain: as `table_sequential`, but an accumulator that overflows restarts with the count.
// An eviction is reported when another path takes the way, when its accumulator restarts, and at no other time.
//: inside hpp_sequential_table
//: configuration [geometry]
//: configuration drain-depth = 64
//: damaged wire evictions_leaves = replacement | (hit & over); => wire evictions_leaves = replacement;
//: damaged wire evictions_leaves = replacement | (hit & over); => wire evictions_leaves = replacement | over;
//: damaged if (over) new_count => if (over & sum[0]) new_count
//: damaged (count_2 < least_least) => (count_2 <= least_least)
`define FULL {5'd0, path_count}
`define SATURATES (hit & over)
//: include table_sequential.svh

// Evictions from the set.
always @* if (after_reset & here & emptied == 2'b11) leaves: assert (evictions_leaves == (done & changes & ((|has) ? total[8] : path0[31] & path1[31])));
