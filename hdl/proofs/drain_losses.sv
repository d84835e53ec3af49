// The loss counters of a drain: the entries lost since reset or a clear, and the sum of their accumulators, modulo 2^32
// and 2^64. Losses in or next to the cycle of a clear are included. Each loss is reported one cycle later and counted
// two cycles later.
//: inside hpp_lost_entries
//: configuration [geometry]
//: configuration drain-depth = 64
//: steps 2
//: within 6
//: damaged losing <= loses; => losing <= loses & !losing;
//: damaged losing <= loses; => losing <= loses & !clear;
//: damaged count_stage <= count; => if (!clear) count_stage <= count;
//: damaged entries <= entries + 32'd1; => entries <= {entries[31:16], entries[15:0] + 16'd1};
//: damaged total <= total + {32'd0, count_stage}; => total <= {total[63:32], total[31:0] + count_stage};
//: damaged total <= total + {32'd0, count_stage}; => total <= total + {32'd0, count};
//: damaged entries <= 32'd0; => if (!losing) entries <= 32'd0;
//: damaged total <= 64'd0; => 
//: damaged losing <= 1'b0; => 

reg after_reset = 1'b0;
always @(posedge clk) after_reset <= 1'b1;
initial assume (rst);

// A clear removes the losses before its cycle.
reg told = 1'b0;
reg [31:0] number = 32'd0;
reg [63:0] sum = 64'd0;
always @(posedge clk) begin
  told <= loses & !rst;
  number <= (clear ? 32'd0 : number) + {31'd0, loses};
  sum <= (clear ? 64'd0 : sum) + (loses ? {32'd0, count} : 64'd0);
  if (rst) begin
    number <= 32'd0;
    sum <= 64'd0;
  end
end
always @* if (after_reset) begin
  tells: assert (losing == told);
  lost: assert (entries + {31'd0, losing} == number);
  adds_up: assert (total + (losing ? {32'd0, count_stage} : 64'd0) == sum);
end
