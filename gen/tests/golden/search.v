`default_nettype none

// Lowest entry that holds a tag.
//
// Not found: way 0.
module find (
  input  wire [38:0] tag,  // what is looked for
  output reg         hit,
  output reg  [4:0]  way
);
  wire entries_0_hit;
  wire entries_1_hit;
  wire entries_2_hit;

  always @* begin
    hit = 1'b0;
    way = 5'd0;
    if (entries_0_hit & !hit) begin
      hit = 1'b1;
      way = 5'd0;
    end
    if (entries_1_hit & !hit) begin
      hit = 1'b1;
      way = 5'd1;
    end
    if (entries_2_hit & !hit) begin
      hit = 1'b1;
      way = 5'd2;
    end
  end

  find_entries #(.TAG(4'd4)) entries_0 (
    .asked(tag),
    .hit(entries_0_hit)
  );

  find_entries #(.TAG(4'd9)) entries_1 (
    .asked(tag),
    .hit(entries_1_hit)
  );

  find_entries #(.TAG(4'd4)) entries_2 (
    .asked(tag),
    .hit(entries_2_hit)
  );
endmodule

module find_entries #(
  parameter [3:0] TAG = 4'd4
) (
  input  wire [38:0] asked,
  output wire        hit
);
  wire [38:0] differences = asked ^ {35'd0, TAG};
  wire low = |differences[7:0];
  wire middle = |differences[15:8];
  wire high = |differences[38:16];
  assign hit = !(low | middle | high);
endmodule

`default_nettype wire
