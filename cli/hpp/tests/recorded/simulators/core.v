module core;
  reg clk = 0, rst_n = 0; always #5 clk = !clk;
  reg rvfi_valid, rvfi_trap, rvfi_intr; reg [31:0] rvfi_insn, rvfi_pc_rdata, rvfi_pc_wdata; integer step = 0;
  always @(posedge clk) begin
    step <= step + 1; rvfi_valid <= 0;
    if (rst_n) begin rvfi_valid <= 1; rvfi_trap <= 0; rvfi_intr <= 0;
      if (step % 2 == 0) begin rvfi_insn <= 32'hfff50513; rvfi_pc_rdata <= 32'h100; rvfi_pc_wdata <= 32'h104; end
      else begin rvfi_insn <= 32'hfe051ee3; rvfi_pc_rdata <= 32'h104; rvfi_pc_wdata <= 32'h100; end
    end
  end
  initial begin $dumpfile("icarus.fst"); $dumpvars; #22 rst_n = 1; #280 $finish; end
endmodule
