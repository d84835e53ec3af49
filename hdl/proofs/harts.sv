// The arbiter of several harts. In a cycle in which the table does not wait, one hart whose path waits is granted; none
// else, and none in another cycle. The others are held, and yield. At most one path of each other hart is granted while a
// hart's path waits.
//: inside hpp_hart_arbiter
//: circuit hart_arbiter
//: configuration [geometry]
//: configuration harts = 5
//: configuration context-bits = 3
//: steps 10
//: damaged wire [4:0] preferred = wanted & first; => wire [4:0] preferred = 5'd0;
//: damaged wire [4:0] preferred = wanted & first; => wire [4:0] preferred = first;
//: damaged wire [4:0] granted = among & up_to_it; => wire [4:0] granted = among;
//: damaged wire [4:0] granted = among & up_to_it; => wire [4:0] granted = up_to_it;
//: damaged wire grants = (|among) & !waits; => wire grants = |among;
//: damaged if (grants) first <= ~up_to_it; => if (grants) first <= up_to_it;
//: damaged if (grants) first <= ~up_to_it; => first <= ~up_to_it;
//: damaged assign holds = waits ? 5'h1f : others; => assign holds = others;
//: damaged assign yields = grants ? others : 5'd0; => assign yields = others;

localparam HARTS = 5;

reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
initial assume (rst);

wire [HARTS-1:0] given = ~holds;
always @* if (after_reset) begin
  one: assert ((given & (given - 5'd1)) == 5'd0);
  waiting: assert ((given & ~wanted) == 5'd0);
  some: assert ((given != 5'd0) == (wanted != 5'd0 && !waits));
  yielding: assert (yields == (given != 5'd0 ? ~given : 5'd0));
end

// Any two harts, one of which waits: how often the other was granted since.
(* anyconst *) reg [2:0] hart, other;
always @* assume (hart < HARTS && other < HARTS && hart != other);
reg [1:0] passed;
always @(posedge clk)
  if (rst | !wanted[hart] | given[hart]) passed <= 2'd0;
  else if (given[other]) passed <= passed + 2'd1;
always @* if (after_reset) begin
  fair: assert (passed <= 2'd1);
  above: assert ((~first & (~first + 5'd1)) == 5'd0);
  // What makes it so: once the other has been granted, the hart comes before it, until it is granted.
  before: assert (passed == 2'd0 || (first[hart] ? !first[other] || hart < other : hart < other && !first[other]));
end
