// The parallel table of 2 sets of 2 ways.
//: configuration sets = 2
//: configuration ways = 2
//: configuration max-branches = 1
//: configuration event-bits = 3
//: configuration event-counter-bits = 3
//: configuration accumulator-bits = 8
//: configuration lookup = "parallel"
//: steps 2
//: within 12
//: instead wire index_set = index_folded_start ^ path_outcomes ^ path_length; => wire index_set = $anyseq;
//: instead word_q <= cells[read_address]; => word_q <= (write_enable & write_address == read_address) ? $anyseq : cells[read_address];
//: instead row_q <= cells[read_address]; => row_q <= cells[read_address]; if (write_ways[0] & write_address == read_address) row_q[31:0] <= $anyseq; if (write_ways[1] & write_address == read_address) row_q[63:32] <= $anyseq;
//: probe hpp_ram_2x2x32 wire proof_cell; wire [63:0] proof_word = cells[proof_cell];
//: probe hpp_ram_2x8 wire proof_cell; wire [7:0] proof_word = cells[proof_cell];
//: probe hpp_ram_2x1 wire proof_cell; wire proof_word = cells[proof_cell];
//: per 2 join set[#].kept = ways_#.counts.proof_word
//: per 2 join ways_#.counts.proof_cell = the_set
//: per 2 join set[#].pairs_2 = ways_#.tag_match_pairs
//: per 2 join set[#].read_2 = ways_#.counts_read_data
//: per 2 join set[#].read_3 = ways_#.stored_stage_3
//: per 2 join set[#].read_4 = ways_#.stored_stage_4
//: per 2 join set[#].hit_2 = ways_#.found
//: per 2 join set[#].fresh2 = ways_#.fresh2_stage_4
//: per 2 join set[#].fresh3 = ways_#.fresh3_stage_4
//: per 2 join set[#].intact = ways_#.intact_stage_4
//: per 2 join set[#].stored_3 = rows_#.stored_stage_3
//: per 2 join set[#].followed_3 = rows_#.followed_stage_3
//: per 2 join set[#].row_4 = rows_#.row_4
//: per 2 join set[#].row_5 = rows_#.row_stage_5
//: per 2 join set[#].row_6 = rows_#.repaired_stage_6
//: join tags.proof_cell = the_set
//: join kept_tags = tags.proof_word
//: join tag_1 = tags.row_q
//: join orders.proof_cell = the_set
//: join kept_order = orders.proof_word
//: join ahead_3 = accumulator.ahead_stage_3
//: join full_2 = full_2
//: join full_3 = full_3
//: join full_4 = full_4
`define CLAIM assume
localparam WAYS = 2, SET_BITS = 1, TAG_BITS = 32, EVENT_BITS = 3, COUNT_BITS = 8;
//: include operations.svh
//: include table.svh
