// The mirror, from which software reads entries while the table works. A requested entry is available within three
// cycles, whatever changes meanwhile. Its words are a snapshot: those that the entry had when it was read, with every
// earlier change.
//: inside hpp_mirror
//: configuration [geometry]
//: configuration lookup = "parallel"
//: steps 4
//: within 10
//: probe hpp_mirror_memory wire [8:0] proof_cell; wire [100:0] proof_word = cells[proof_cell];
//: join entries.proof_cell = entry
//: join kept_cell = entries.proof_word
//: damaged wire entries_write_enable = changed_stage_7 & !(reads & meets_stage_7); => wire entries_write_enable = changed_stage_7 & !reads;
//: damaged wire entries_write_enable = changed_stage_7 & !(reads & meets_stage_7); => wire entries_write_enable = changed_stage_7 & !meets_stage_7;
//: damaged wire reads = entry_request & !entry_done & (!meets_stage_7 | meets); => wire reads = entry_request & !entry_done & !meets_stage_7;
//: damaged wire reads = entry_request & !entry_done & (!meets_stage_7 | meets); => wire reads = entry_request & !entry_done;
//: damaged tag_stage_7 <= tag_stage_6; => tag_stage_7 <= tag_5;
//: damaged entry_done <= reads; => entry_done <= entry_request;
//: damaged (!meets_stage_7 | meets) => (!meets_stage_7 ^ meets)
//: damaged wire meets = changed_stage_6 & => wire meets =

reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
initial assume (rst);
always @* if (after_reset) assume (!rst);

// Assumed of the readout: the number is stable from the cycle before the request, and the request until the entry is
// available.
reg [8:0] number_before;
reg asked = 1'b0;
always @(posedge clk) begin
  number_before <= entry_number;
  asked <= entry_request & !entry_done & !rst;
end
always @* if (after_reset) begin
  if (entry_request) assume (entry_number == number_before);
  if (asked) assume (entry_request);
end

// Any entry, with every change in stage 5, two cycles later, when its accumulator is known.
(* anyconst *) reg [8:0] entry;
(* keep *) wire [100:0] kept_cell;
reg changed_6 = 1'b0, changed_7 = 1'b0;
reg [68:0] path_6, path_7;
always @(posedge clk) begin
  changed_6 <= !rst & changed_5 & (number_number[8:0] == entry);
  changed_7 <= !rst & changed_6;
  path_6 <= {start_low_5, tag_5};
  path_7 <= path_6;
end
reg [100:0] words;
reg left_out = 1'b0;
reg read_now = 1'b0;
reg [100:0] words_read;
always @(posedge clk) begin
  if (changed_7) words <= {count_7, path_7};
  if (!after_reset) begin
    words <= kept_cell;
    if (entries_write_enable & (number_stage_7 == entry)) words <= {count_7, start_low_stage_7, tag_stage_7};
  end
  left_out <= changed_7 & !entries_write_enable;
  read_now <= reads & (entry_number == entry) & !rst;
  words_read <= words;
end
always @* if (after_reset) begin
  sixth: assert (changed_6 == (changed_stage_6 & (number_stage_6 == entry)));
  seventh: assert (changed_7 == (changed_stage_7 & (number_stage_7 == entry)));
  if (changed_stage_6) path_of_sixth: assert (path_6 == {start_low_stage_6, tag_stage_6});
  if (changed_stage_7) path_of_seventh: assert (path_7 == {start_low_stage_7, tag_stage_7});
end
always @* begin
  // A suppressed write is followed by the next write of the entry.
  if (left_out & after_reset) overtaken: assert (changed_7 & entries_write_enable);
  if (!left_out & after_reset) stored: assert (kept_cell == words);
  if (after_reset & entry_done & (number_before == entry)) read_before: assert (read_now);
  if (after_reset & read_now) whole: assert ({entry_count, entries_start_low, entries_tag} == words_read);
end

// The time to completion.
reg [1:0] age = 2'd0;
always @(posedge clk) age <= (entry_request & !entry_done & !rst) ? age + {1'b0, age != 2'd3} : 2'd0;
always @* if (after_reset) bounded: assert (!entry_request | entry_done | age < 2'd3);
