// Operations of the table by their age in cycles, a to g for 1 to 7. CLAIM asserts or assumes the outputs of `stages`.
reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
always @* assume (rst == !after_reset);
reg [2:0] age = 3'd0;
always @(posedge clk) age <= rst ? 3'd0 : age + {2'd0, age != 3'd6};

reg path_a, path_b, path_c, path_d, path_e, path_f;
reg clear_a, clear_b, clear_c, clear_d, clear_e, clear_f;
reg [SET_BITS-1:0] set_a, set_b, set_c, set_d, set_e, set_f, set_g;
reg [SET_BITS-1:0] low_a, low_b, low_c, low_d;
reg [TAG_BITS-1:0] tag_a, tag_b, tag_c, tag_d, tag_e, tag_f;
reg [EVENT_BITS-1:0] count_a, count_b, count_c, count_d;
wire [TAG_BITS-1:0] tag_now = clearing ? {TAG_BITS{1'b0}} : layout_tag;
wire [EVENT_BITS-1:0] count_now = stages_path_0 ? path_count : {EVENT_BITS{1'b0}};
always @(posedge clk) begin
  {path_f, path_e, path_d, path_c, path_b, path_a} <= {path_e, path_d, path_c, path_b, path_a, stages_path_0};
  {clear_f, clear_e, clear_d, clear_c, clear_b, clear_a} <= {clear_e, clear_d, clear_c, clear_b, clear_a, clearing};
  {set_g, set_f, set_e, set_d, set_c, set_b, set_a} <= {set_f, set_e, set_d, set_c, set_b, set_a, stages_set_0};
  {low_d, low_c, low_b, low_a} <= {low_c, low_b, low_a, layout_start_low};
  {tag_f, tag_e, tag_d, tag_c, tag_b, tag_a} <= {tag_e, tag_d, tag_c, tag_b, tag_a, tag_now};
  {count_d, count_c, count_b, count_a} <= {count_c, count_b, count_a, count_now};
  if (rst) {path_d, path_c, path_b, path_a, clear_d, clear_c, clear_b, clear_a} <= 8'd0;
end
wire same_bc = path_b & path_c & set_b == set_c & tag_b == tag_c;
wire same_bd = path_b & path_d & set_b == set_d & tag_b == tag_d;
wire same_be = path_b & path_e & set_b == set_e & tag_b == tag_e;
wire same_bf = path_b & path_f & set_b == set_f & tag_b == tag_f;
wire same_cd = path_c & path_d & set_c == set_d & tag_c == tag_d;
wire same_ce = path_c & path_e & set_c == set_e & tag_c == tag_e;
wire same_cf = path_c & path_f & set_c == set_f & tag_c == tag_f;
wire same_de = path_d & path_e & set_d == set_e & tag_d == tag_e;

// Between two resets. The operations in flight at a reset are gone five cycles later.
always @* if (after_reset) begin
  paths: `CLAIM ({stages_path_3, stages_some_4} == {path_c, path_d & count_d != 0});
  clears: `CLAIM ({stages_clear_4, stages_clearing} == {clear_d, clear_a | clear_b | clear_c | clear_d});
  emptied: `CLAIM (!(clear_a & |tag_a | clear_b & |tag_b | clear_c & |tag_c | clear_d & |tag_d));
end
always @* if (age >= 3'd5) begin
  sets: `CLAIM ({stages_set_1, stages_set_4, stages_set_5, stages_start_low_4} == {set_a, set_d, set_e, low_d});
  tags_of: `CLAIM ({stages_tag_1, stages_tag_4} == {tag_a, tag_d});
  counts: `CLAIM ({stages_count_3, stages_count_4} == {count_c, count_d});
  near_2: `CLAIM ({stages_near3_2, stages_near4_2} == {set_b == set_e, set_b == set_f});
  near_3: `CLAIM ({stages_near1_3, stages_near2_3, stages_near3_3} == {set_c == set_d, set_c == set_e, set_c == set_f});
  near_4: `CLAIM (stages_near1_4 == (set_d == set_e));
  repeats_2: `CLAIM ({stages_repeats1_2, stages_repeats2_2, stages_repeats3_2, stages_repeats4_2}
      == {same_bc, same_bd, same_be, same_bf});
  repeats_3: `CLAIM ({stages_repeats1_3, stages_repeats2_3} == {same_cd, same_ce});
  repeats_4: `CLAIM (stages_repeats1_4 == same_de);
  follows: `CLAIM ({stages_follows4_2, stages_follows2_3, stages_follows3_3, stages_follows1_4}
      == {set_b == set_f & changed_6, set_c == set_e & changed_5, set_c == set_f & changed_6, set_d == set_e & changed_5});
end
