// One file, many modules: by the `line directives a tool's message, and its
// coverage report, name the module and count lines from the module's start.
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

  find_entries entries_0 (
    .asked(tag),
    .hit(entries_0_hit)
  );

  find_entries_2 entries_1 (
    .asked(tag),
    .hit(entries_1_hit)
  );

  find_entries entries_2 (
    .asked(tag),
    .hit(entries_2_hit)
  );

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
endmodule

`line 1 "find_entries.v" 0
module find_entries (
  input  wire [38:0] asked,
  output wire        hit
);
  assign hit = asked == 39'd4;
endmodule

`line 1 "find_entries_2.v" 0
module find_entries_2 (
  input  wire [38:0] asked,
  output wire        hit
);
  assign hit = asked == 39'd9;
endmodule

`default_nettype wire
