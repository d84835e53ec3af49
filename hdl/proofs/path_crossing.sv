// The FIFO of two clocks in docs/adapters.md. Paths are read in the order in which they were written, each once and unchanged,
// however the edges of the two clocks follow each other. None is written over before it is read.
//: inside path_crossing
//: circuit path_crossing
//: steps 1
//: within 12
//: instead parameter WIDTH = 78, parameter ADDRESS = 4 => parameter WIDTH = 2, parameter ADDRESS = 2
//: instead reg [ADDRESS:0] write, write_gray, => (* anyseq *) reg ticks, read_ticks; reg [ADDRESS:0] write, write_gray,
//: instead always @(posedge clk) begin => always @(posedge clk) if (ticks) begin
//: instead always @(posedge read_clk) begin => always @(posedge clk) if (read_ticks) begin
//: damaged if (path_valid & !full) begin => if (path_valid) begin
//: damaged {~read_gray_2[ADDRESS:ADDRESS-1], read_gray_2[ADDRESS-2:0]} => {~read_gray_2[ADDRESS], read_gray_2[ADDRESS-1:0]}
//: damaged if (read_valid & read_ready) {read, => if (read_ready) {read,
//: damaged {read, read_gray} <= {next_read, next_read ^ (next_read >> 1)} => {read, read_gray} <= {next_read, next_read}
//: damaged cells[write[ADDRESS-1:0]] <= path; => cells[write_gray[ADDRESS-1:0]] <= path;
//: damaged assign read_path = cells[read[ADDRESS-1:0]]; => assign read_path = cells[next_read[ADDRESS-1:0]];

// In each step either clock has an edge, or both have, or none. After the reset that the page asks for, all is 0.
initial {write, write_gray, write_gray_1, write_gray_2, read, read_gray, read_gray_1, read_gray_2} = 0;
always @* assume (!rst & !read_rst);

function [ADDRESS:0] binary(input [ADDRESS:0] gray);
  integer i;
  for (i = ADDRESS; i >= 0; i = i - 1) binary[i] = ^(gray >> i);
endfunction

// What a side knows of the other's pointer is older. Counted from the oldest, what the writer knows of the reader:
wire [ADDRESS:0] oldest = binary(read_gray_2);
wire [ADDRESS:0] since_reader_1 = binary(read_gray_1) - oldest, since_read = read - oldest, since_writer_2 = binary(write_gray_2) - oldest;
wire [ADDRESS:0] since_writer_1 = binary(write_gray_1) - oldest, since_write = write - oldest;

// Any path, from its write on.
(* anyconst *) reg [ADDRESS:0] place;
reg [WIDTH-1:0] written;
always @(posedge clk) if (ticks & path_valid & !full & write == place) written <= path;
wire [ADDRESS:0] before = place - read, waiting = write - read;
always @* begin
  gray: assert (write_gray == (write ^ (write >> 1)) & read_gray == (read ^ (read >> 1)));
  order: assert (since_reader_1 <= since_read & since_read <= since_writer_2 & since_writer_2 <= since_writer_1 & since_writer_1 <= since_write);
  occupancy: assert (since_write <= 1 << ADDRESS);
  if (before < waiting) untouched: assert (cells[place[ADDRESS-1:0]] == written);
  if (read_valid & read == place) unchanged: assert (read_path == written & before < waiting);
end
