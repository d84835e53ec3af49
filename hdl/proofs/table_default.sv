// As `table_parallel`, for the default geometry: 128 sets of 4 ways with accumulators of 32 bits.
//: inside hpp_parallel_table
//: configuration [geometry]
//: configuration lookup = "parallel"
//: slow
//: steps 2
//: within 2
//: instead wire [6:0] index_set = index_folded_start ^ path_outcomes[6:0] ^ {1'b0, path_length} ^ path_outcomes[13:7] ^ path_outcomes[20:14] ^ path_outcomes[27:21] ^ {3'd0, path_outcomes[31:28]}; => wire [6:0] index_set = $anyseq;
//: instead word_q <= cells[read_address]; => word_q <= (write_enable & write_address == read_address) ? $anyseq : cells[read_address];
//: instead row_q <= cells[read_address]; => row_q <= cells[read_address]; if (write_ways[0] & write_address == read_address) row_q[61:0] <= $anyseq; if (write_ways[1] & write_address == read_address) row_q[123:62] <= $anyseq; if (write_ways[2] & write_address == read_address) row_q[185:124] <= $anyseq; if (write_ways[3] & write_address == read_address) row_q[247:186] <= $anyseq;
//: probe hpp_ram_128x4x62 wire [6:0] proof_cell; wire [247:0] proof_word = cells[proof_cell];
//: probe hpp_ram_128x32 wire [6:0] proof_cell; wire [31:0] proof_word = cells[proof_cell];
//: probe hpp_ram_128x6 wire [6:0] proof_cell; wire [5:0] proof_word = cells[proof_cell];
//: per 4 join set[#].kept = ways_#.counts.proof_word
//: per 4 join ways_#.counts.proof_cell = the_set
//: per 4 join set[#].pairs_2 = ways_#.tag_match_pairs
//: per 4 join set[#].read_2 = ways_#.counts_read_data
//: per 4 join set[#].read_3 = ways_#.stored_stage_3
//: per 4 join set[#].read_4 = ways_#.stored_stage_4
//: per 4 join set[#].hit_2 = ways_#.found
//: per 4 join set[#].fresh2 = ways_#.fresh2_stage_4
//: per 4 join set[#].fresh3 = ways_#.fresh3_stage_4
//: per 4 join set[#].intact = ways_#.intact_stage_4
//: per 4 join set[#].stored_3 = rows_#.stored_stage_3
//: per 4 join set[#].followed_3 = rows_#.followed_stage_3
//: per 4 join set[#].row_4 = rows_#.row_4
//: per 4 join set[#].row_5 = rows_#.row_stage_5
//: per 4 join set[#].row_6 = rows_#.repaired_stage_6
//: join tags.proof_cell = the_set
//: join kept_tags = tags.proof_word
//: join tag_1 = tags.row_q
//: join orders.proof_cell = the_set
//: join kept_order = orders.proof_word
//: join ahead_3 = accumulator.ahead_stage_3
//: join full_2 = full_2
//: join full_3 = full_3
//: join full_4 = full_4
//: damaged wire changed2 = near2_3 & wrote_5; => wire changed2 = 1'b0;
`define CLAIM assume
`define FULL {COUNT_BITS{1'b1}}
localparam WAYS = 4, SET_BITS = 7, TAG_BITS = 62, EVENT_BITS = 8, COUNT_BITS = 32;
//: include operations.svh
//: include table.svh
