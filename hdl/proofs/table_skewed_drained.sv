// The skewed table from which few entries leave (rrip), with a drain. As `table_skewed`, but an accumulator that does not hold a count begins again with it; what leaves is told in the
// next cycle, with the path's entry as it was: when another takes its row, when its accumulator begins again, and at no other time.
//: inside hpp_skewed_table
//: damaged if (repeats3_2 & !repeats2_2 & !repeats1_2) => if (repeats3_2)
//: damaged wire ring_back = judges_4 | inserts_4; => wire ring_back = judges_4;
//: damaged leaves_5_0 <= ageing_0_done | accumulator_saturates_4; => leaves_5_0 <= ageing_0_done;
//: damaged leaves_5_0 <= ageing_0_done | accumulator_saturates_4; => leaves_5_0 <= accumulator_saturates_4;
//: damaged if (over_stage_4) accumulator_4 => if (over_stage_4 & !found_4) accumulator_4
//: damaged way_5 <= write_count; => way_5 <= write_tag;
`define FULL {5'd0, count_4_0}
//: include table_skewed.svh
//: configuration drain-depth = 64

// What becomes of its entry, as it is told in the next cycle.
reg [1:0] in_before, left_before;
always @(posedge clk) begin
  in_before <= all_known & !clear_4 & !rst ? in_way : 2'd0;
  left_before <= !all_known | clear_4 | rst ? 2'd0 : (is_4 & total[8]) ? in_way : (lost & in_way);
end
generate
  for (i = 0; i < 2; i = i + 1) begin : left
    wire told = leaves_5_0 & changed_5 & way_5 == 2'd1 << i & written_row_5 == way[i].row;
    always @* if (after_reset & age > 3'd1) begin
      assert (!left_before[i] | told);
      assert (left_before[i] | !(told & in_before[i]));
    end
  end
endgenerate
