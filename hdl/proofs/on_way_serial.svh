// The serial table, for `on_way`: what is of a path in the buffer and behind it.
//: configuration lookup = "serial"
//: join write_pointer = serial_tables_0.buffer.write_pointer
//: join read_pointer = serial_tables_0.buffer.read_pointer
//: join shown = serial_tables_0.buffer.valid
//: join put = serial_tables_0.buffer_put
//: damaged assign hold = occupancy >= 5'd12; => assign hold = occupancy >= 5'd13;
//: damaged wire detector_hold = serial_tables_0_hold | drains_0_hold; => wire detector_hold = drains_0_hold;
//: damaged wire detector_hold = serial_tables_0_hold | drains_0_hold; => wire detector_hold = serial_tables_0_hold;
//: damaged wire evictions_0_leaves = replacement | (hit & over); => wire evictions_0_leaves = replacement | over;
//: damaged wire evictions_0_leaves = replacement | (hit & over); => wire evictions_0_leaves = replacement | (compares & over);
//: damaged valid <= write_pointer != read_next; => valid <= write_pointer != read_pointer;
//: damaged left_valid <= leaves; => left_valid <= leaves | left_valid;
`define LEFT serial_tables_0_left_valid
`define MOST 7'd16
(* keep *) wire [4:0] write_pointer, read_pointer;
(* keep *) wire shown, put;
wire [4:0] occupancy = write_pointer - read_pointer;
`define IN_TABLE {2'd0, occupancy} + {6'd0, `LEFT}
//: include on_way.svh

// Paths that came since the table asks that no further record leaves the queue.
reg [6:0] come = 7'd0;
always @(posedge clk) come <= (serial_tables_0_hold & !rst) ? come + {6'd0, put} : 7'd0;
always @* if (after_reset) begin
  some: assert (!shown | occupancy != 5'd0);
  room: assert (before_table + {2'd0, occupancy} <= 7'd15);
  finds_room: assert (!put | occupancy < 5'd16);
  if (serial_tables_0_hold) four_come: assert (come <= 7'd4 & come + before_table <= 7'd4);
end
