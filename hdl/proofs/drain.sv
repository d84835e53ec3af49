// The whole drain. If DRAIN_CONTROL.HOLD is set while at most 16 entries wait, and at most 46 entries are in flight, no
// entry is lost. The core is held for that reason only. Each loss is reported in the next cycle. An entry leaves
// through the ports, or by TAKE if they are off, or by CLEAR. Software reads the words of the oldest entry, and 0 if
// there is none.
//: inside hpp_drain
//: configuration [geometry]
//: configuration drain-depth = 64
//: steps 3
//: within 8
//: join write_pointer = fifo.write_pointer
//: join read_pointer = fifo.read_pointer
//: damaged hold <= holds & (fifo_level > 7'h10); => hold <= holds & (fifo_level > 7'h11);
//: damaged hold <= holds & (fifo_level > 7'h10); => hold <= fifo_level > 7'h10;
//: damaged hold <= holds & (fifo_level > 7'h10); => hold <= holds & (fifo_level >= 7'h10);
//: damaged holds <= access_data[HOLD]; => holds <= access_data[HOLD] | holds;
//: damaged wire fifo_take = streams ? port_ready : take; => wire fifo_take = take | (streams & port_ready);
//: damaged wire fifo_take = streams ? port_ready : take; => wire fifo_take = port_ready | take;
//: damaged assign port_valid = fifo_shown & streams; => assign port_valid = fifo_shown;
//: damaged wire commands = writes & (access_address == DRAIN_COMMAND) & access_lanes[0]; => wire commands = writes & (access_address == DRAIN_COMMAND);
//: damaged wire fifo_clear = commands & access_data[CLEAR]; => wire fifo_clear = access_write & (access_address == DRAIN_COMMAND) & access_lanes[0] & access_data[CLEAR];
//: damaged DRAIN_LENGTH: head = {26'd0, port_length}; => 
//: damaged DRAIN_START_LO: head = start; => 6'h28: head = start;
//: damaged losing <= loses; => losing <= loses & !clear;
//: damaged .clear(fifo_clear), => .clear(fifo_clear & !streams),

localparam DEPTH = 7'd64, FREE = 7'd48;

reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
initial assume (rst);

// Requests of software.
wire software = access_request & access_write & access_lanes[0];
wire asks_to_take = software & access_address == 6'h22 & access_data[0];
wire asks_to_clear = software & access_address == 6'h22 & access_data[1];
reg hold_on = 1'b0, stream_on = 1'b0;
always @(posedge clk) begin
  if (software & access_address == 6'h20) {stream_on, hold_on} <= access_data[1:0];
  if (rst) {stream_on, hold_on} <= 2'd0;
end

// Entries in flight, as the proofs `on_way_*` bound them: their number grows by at most one in a cycle, and only while
// the core is not held.
localparam MOST = 7'd46;
(* anyseq *) reg [6:0] on_way;
reg [6:0] most = 7'd0;
always @(posedge clk) most <= rst ? 7'd0 : on_way + {6'd0, !hold} - {6'd0, left_valid};
always @* begin
  assume (on_way <= MOST & on_way <= most);
  assume (!left_valid | on_way != 7'd0);
end

// HOLD has been set since there was enough room.
reg guarded = 1'b0, held = 1'b0;
wire short = DEPTH - fifo_level < FREE;
always @(posedge clk) begin
  guarded <= !rst & hold_on & (guarded | !short);
  held <= !rst & hold_on & short;
end
always @* if (after_reset) begin
  on: assert (holds == hold_on);
  holds_then: assert (hold == held);
  fits: assert (fifo_level <= DEPTH & (!fifo_shown | fifo_level != 7'd0));
  if (guarded & hold) room_for_all: assert (fifo_level + on_way <= DEPTH);
  if (guarded & !hold) room: assert (fifo_level <= DEPTH - FREE + 7'd1);
  if (guarded) nothing_lost: assert (!fifo_loses);
end

// Arrivals and departures, one cycle later.
(* keep *) wire [6:0] write_pointer, read_pointer;
reg loses_before = 1'b0, goes_on = 1'b0, cleared = 1'b0, one_goes = 1'b0;
reg [6:0] first, next;
always @(posedge clk) begin
  loses_before <= fifo_loses & !rst;
  one_goes <= (port_valid & port_ready) | (!stream_on & fifo_shown & asks_to_take);
  goes_on <= !asks_to_clear & !rst;
  cleared <= asks_to_clear & !rst;
  first <= read_pointer;
  next <= write_pointer;
end
always @* if (after_reset) begin
  told: assert (lost == loses_before);
  to_ports: assert (streams == stream_on);
  level: assert (fifo_level == write_pointer - read_pointer);
  if (goes_on) goes: assert (read_pointer == first + {6'd0, one_goes});
  if (cleared) all_go: assert (read_pointer == next);
  offered: assert (port_valid == (fifo_shown & stream_on));
end

// The words of the oldest entry, as software reads them.
reg [5:0] asked = 6'd0;
reg shown_before;
reg [99:0] words_before;
always @(posedge clk) begin
  asked <= access_address;
  shown_before <= fifo_shown;
  words_before <= {port_start[31:2], port_outcomes, port_length, port_count};
end
wire [31:0] expected = !shown_before ? 32'd0
    : asked == 6'h23 ? words_before[31:0]
    : asked == 6'h24 ? {26'd0, words_before[37:32]}
    : asked == 6'h25 ? words_before[69:38]
    : asked == 6'h27 ? {words_before[99:70], 2'd0}
    : 32'd0;
always @* if (after_reset & asked >= 6'h23 & asked <= 6'h28) read: assert (access_read_data == expected);
