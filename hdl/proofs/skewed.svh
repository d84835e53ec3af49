// The ring of a skewed table and how many of its paths are in the pipeline; what `skewed_order` says of them is CLAIMed.
//: join oldest = ring.oldest
//: join read_pointer = ring.read_pointer
//: join write_pointer = ring.write_pointer
reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
always @* assume (rst == !after_reset);

(* keep *) wire [5:0] oldest, read_pointer, write_pointer;
wire [5:0] occupancy = write_pointer - oldest;
wire [2:0] under_way = {2'd0, path_0} + {2'd0, path_1} + {2'd0, path_2} + {2'd0, path_3} + {2'd0, path_4};
wire some_under_way = path_0 | path_1 | path_2 | path_3 | path_4;
wire some_clear = clear_1 | clear_2 | clear_3 | clear_4;
reg [35:0] judged;
always @(posedge clk) if (judges_4) judged <= {`COUNT_4, tag_4};
always @* if (after_reset) begin
  room: `CLAIM (!ring_put | occupancy != 6'd32);
  counted: assert (read_pointer - oldest == {3'd0, under_way});
  in_ring: assert (occupancy <= 6'd32 & {3'd0, under_way} <= occupancy);
  shown: assert (!ring_valid | {3'd0, under_way} < occupancy);
  judged_alone: assert (!`BUSY | (!some_under_way & occupancy != 6'd0));
  cleared_alone: assert (!some_clear | !(some_under_way | `BUSY));
  found_of_path: assert (!found_4 | path_4);
end
