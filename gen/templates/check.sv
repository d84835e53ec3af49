// hpp_check: checks the RVFI signals of a core; for simulation only. At the end of the simulation it prints the same report as
// `hpp check` on a recording. Instantiate it beside the core, and simulate a program with interrupts and exceptions.

module hpp_check #(
  parameter integer XLEN = 32,
  parameter integer NRET = 1,
  parameter integer HAS_INTR = 1,      // 0: the core has no rvfi_intr
  parameter integer HAS_PC_WDATA = 1   // 0: the core has no rvfi_pc_wdata
) (
  input wire                 clk,            // Clock; RVFI is sampled at the rising edge.
  input wire                 rst,            // Reset, active high; instructions before and after it are not compared.
  input wire [NRET-1:0]      rvfi_valid,
  input wire [32*NRET-1:0]   rvfi_insn,
  input wire [NRET-1:0]      rvfi_trap,
  input wire [NRET-1:0]      rvfi_intr,
  input wire [XLEN*NRET-1:0] rvfi_pc_rdata,
  input wire [XLEN*NRET-1:0] rvfi_pc_wdata
);
  localparam integer NAMED = 6;           // handlers listed in the report
  localparam integer MOST_HANDLERS = 64;  // above the size of any interrupt vector table

  // Results.
  integer retired, runs, traps, trap_ignored, interrupts, marked;
  integer marked_elsewhere, unmarked_at_begin, wrong_next, wrong_before_handler, wrong_return, wrong_unread, expanded;
  reg [XLEN-1:0] begins;

  // Interrupt handlers, and the number of entries to each.
  reg [XLEN-1:0] handler [$];
  integer entered [$];
  // Computed jumps, evaluated at the end of the simulation, when all handlers are known. Each element holds the next address,
  // rvfi_pc_wdata, a flag for a trap return, and a flag for an instruction that looks expanded.
  reg [2*XLEN+1:0] jumps [$];

  // The last instruction and its possible targets.
  reg known, reported;
  reg last_trap, transfer, direct, conditional, returns, wide;
  reg [XLEN-1:0] last_pc, last_wdata, follows, target;

  initial begin
    retired = 0;
    runs = 0;
    traps = 0;
    trap_ignored = 0;
    interrupts = 0;
    marked = 0;
    marked_elsewhere = 0;
    unmarked_at_begin = 0;
    wrong_next = 0;
    wrong_before_handler = 0;
    wrong_return = 0;
    wrong_unread = 0;
    expanded = 0;
    known = 1'b0;
    reported = 1'b0;
  end

  // Decodes the possible targets of an instruction.
  task decode(input [31:0] insn, input [XLEN-1:0] pc);
    reg signed [20:0] offset;
    begin
      wide = insn[1:0] == 2'b11;
      follows = pc + (wide ? 4 : 2);
      {transfer, direct, conditional, returns} = 4'b0000;
      offset = 21'd0;
      if (wide && (insn & 32'hcfffffff) == 32'h00200073) begin
        {transfer, returns} = 2'b11;
      end else if (wide && insn[6:0] == 7'h67) begin
        transfer = 1'b1;
      end else if (wide && insn[6:0] == 7'h6f) begin
        {transfer, direct} = 2'b11;
        offset = {insn[31], insn[19:12], insn[20], insn[30:21], 1'b0};
      end else if (wide && insn[6:0] == 7'h63) begin
        {transfer, direct, conditional} = 3'b111;
        offset = {{9{insn[31]}}, insn[7], insn[30:25], insn[11:8], 1'b0};
      end else if (insn[1:0] == 2'b01 && (insn[15:13] == 3'd5 || (insn[15:13] == 3'd1 && XLEN == 32))) begin
        {transfer, direct} = 2'b11;
        offset = {{10{insn[12]}}, insn[8], insn[10:9], insn[6], insn[7], insn[2], insn[11], insn[5:3], 1'b0};
      end else if (insn[1:0] == 2'b01 && insn[15:14] == 2'b11) begin
        {transfer, direct, conditional} = 3'b111;
        offset = {{13{insn[12]}}, insn[6:5], insn[2], insn[11:10], insn[4:3], 1'b0};
      end else if (insn[1:0] == 2'b10 && insn[15:13] == 3'd4 && insn[6:2] == 5'd0 && insn[11:7] != 5'd0) begin
        transfer = 1'b1;
      end
      target = pc + {{(XLEN-21){offset[20]}}, offset};
    end
  endtask

  // Whether `pc` is a target of the last instruction. Not for computed jumps.
  function leads(input [XLEN-1:0] pc);
    if (transfer) leads = pc == target || (conditional && pc == follows);
    else leads = pc == follows;
  endfunction

  // The index of a handler; the next free index for a new handler.
  function integer number_of(input [XLEN-1:0] pc);
    integer number;
    begin
      number = 0;
      while (number < handler.size() && handler[number] != pc) number = number + 1;
      number_of = number;
    end
  endfunction

  task enter(input [XLEN-1:0] pc, input intr, input right, input is_expanded);
    integer number;
    begin
      number = number_of(pc);
      if (number == handler.size()) begin
        handler.push_back(pc);
        entered.push_back(0);
      end
      entered[number] = entered[number] + 1;
      interrupts = interrupts + 1;
      if (intr) marked = marked + 1;
      else if (pc == begins) unmarked_at_begin = unmarked_at_begin + 1;
      if (is_expanded) expanded = expanded + 1;
      if (!right && transfer) wrong_before_handler = wrong_before_handler + 1;
      if (!right && !transfer) wrong_unread = wrong_unread + 1;
    end
  endtask

  // Compares the next retired instruction with the last one.
  task follow(input [XLEN-1:0] pc, input intr);
    reg computed, two_on;
    begin
      computed = transfer && !direct;
      two_on = wide && pc == last_pc + 2;
      if (last_trap) begin
        traps = traps + 1;
        if (pc == follows) trap_ignored = trap_ignored + 1;
      end else if (computed && !intr) begin
        jumps.push_back({pc, last_wdata, returns, two_on});
      end else if (computed || !leads(pc)) begin
        enter(pc, intr, (computed || leads(last_wdata)) && last_wdata != pc, two_on);
      end else begin
        if (intr) marked_elsewhere = marked_elsewhere + 1;
        if (last_wdata != pc && transfer) wrong_next = wrong_next + 1;
        if (last_wdata != pc && !transfer) wrong_unread = wrong_unread + 1;
      end
    end
  endtask

  integer channel;
  reg [XLEN-1:0] now;
  task observe;
    if (rst) known = 1'b0;
    else for (channel = 0; channel < NRET; channel = channel + 1) if (rvfi_valid[channel]) begin
      now = rvfi_pc_rdata[XLEN*channel +: XLEN];
      if (retired == 0) begins = now;
      if (!known) runs = runs + 1;
      else follow(now, HAS_INTR != 0 && rvfi_intr[channel]);
      retired = retired + 1;
      known = 1'b1;
      last_pc = now;
      last_trap = rvfi_trap[channel];
      last_wdata = HAS_PC_WDATA != 0 ? rvfi_pc_wdata[XLEN*channel +: XLEN] : 0;
      decode(rvfi_insn[32*channel +: 32], now);
    end
  endtask
  always @(posedge clk) observe();

  // Evaluates the computed jumps. All handlers are known at the end of the simulation.
  task settle;
    integer place;
    reg [XLEN-1:0] to, said;
    reg returned, two_on;
    begin
      transfer = 1'b1;
      for (place = 0; place < jumps.size(); place = place + 1) begin
        {to, said, returned, two_on} = jumps[place];
        if (number_of(to) < handler.size()) enter(to, 1'b0, said != to, two_on);
        else if (said != to && returned) wrong_return = wrong_return + 1;
        else if (said != to) wrong_next = wrong_next + 1;
      end
    end
  endtask

  task swap(input integer one, input integer other);
    reg [XLEN-1:0] pc;
    integer count;
    begin
      pc = handler[one];
      count = entered[one];
      handler[one] = handler[other];
      entered[one] = entered[other];
      handler[other] = pc;
      entered[other] = count;
    end
  endtask

  // Number with noun: `1 trap`, `1,234 traps`.
  function automatic string count_of(input integer number, input string what);
    string text;
    integer rest;
    begin
      text = "";
      rest = number;
      while (rest >= 1000) begin
        text = {$sformatf(",%03d", rest % 1000), text};
        rest = rest / 1000;
      end
      count_of = {$sformatf("%0d", rest), text, " ", what, number == 1 ? "" : "s"};
    end
  endfunction

  task tell;
    integer place, other, missed, all;
    reg fatal, wrong;
    string head;
    begin
      for (place = 0; place < handler.size() && place < NAMED; place = place + 1)
        for (other = place + 1; other < handler.size(); other = other + 1)
          if (handler[other] < handler[place]) swap(place, other);
      head = {count_of(retired, "retirement"), ", ", count_of(traps, "trap"), ", ", count_of(interrupts, "interrupt")};
      if (runs > 1) head = {head, ", ", count_of(runs - 1, "reset")};
      for (place = 0; place < handler.size() && place < NAMED; place = place + 1)
        head = {head, place == 0 ? "; handlers of interrupts: " : ", ", $sformatf("0x%0h (%0d)", handler[place], entered[place])};
      if (handler.size() > NAMED) head = {head, $sformatf(" and %0d more", handler.size() - NAMED)};
      $display("%s", head);

      fatal = expanded > 0 || handler.size() > MOST_HANDLERS || trap_ignored > 0;
      if (expanded > 0)
        $display("wrong: `insn` of a compressed instruction is not the program's: %s the next one is 2 bytes on, after an instruction of 4 bytes", count_of(expanded, "time"));
      else if (handler.size() > MOST_HANDLERS)
        $display("wrong: %0d addresses are reached from where no instruction leads to them: retirements are missing, or two are shown in one", handler.size());
      if (trap_ignored > 0)
        $display("wrong: `trap` is 1, and the instruction after it retires next: %0d of %0d times", trap_ignored, traps);

      missed = interrupts - marked;
      all = wrong_next + wrong_before_handler;
      wrong = HAS_INTR == 0 || HAS_PC_WDATA == 0 || missed > 0 || marked_elsewhere > 0 || all > 0;
      if (HAS_INTR == 0) $display("wrong: there is no `intr`");
      else if (missed > 0 && marked == 0) $display("wrong: `intr` never seen, %0d %s of a handler", interrupts, interrupts == 1 ? "entry" : "entries");
      else if (missed > 0) $display("wrong: `intr` is 0 at %0d of %0d entries of a handler", missed, interrupts);
      if (marked_elsewhere > 0) $display("wrong: `intr` is 1 where the instruction before leads there itself: %s", count_of(marked_elsewhere, "time"));
      if (HAS_PC_WDATA == 0) $display("wrong: there is no `pc_wdata`");
      else if (all > 0) $display("wrong: `pc_wdata` of a jump or branch is not the next `pc_rdata`: %0d, %0d before a handler", all, wrong_before_handler);

      if (unmarked_at_begin > 0 && HAS_INTR != 0)
        $display("note: 0x%0h, where the recording begins, is reached %s without `intr`; remedy, if these are resets: rst", begins, count_of(unmarked_at_begin, "time"));
      if (wrong_unread > 0 && HAS_PC_WDATA != 0)
        $display("harmless: `pc_wdata` is wrong %s where the instruction is no jump or branch; no ingress reads it", count_of(wrong_unread, "time"));
      if (wrong_return > 0 && HAS_PC_WDATA != 0)
        $display("harmless: `pc_wdata` of a trap return is not where it went, %s; no ingress reads it", count_of(wrong_return, "time"));
      if (interrupts == 0) $display("not seen: no interrupt, so nothing is known of what the core shows there");
      if (traps == 0) $display("not seen: no trap, so nothing is known of what the core shows there");
      if (fatal) $display("The profiler cannot work with these signals as they are.");
      else if (wrong) $display("`pc_wdata` or `intr` is wrong; remedy: gen-verilog --ingress rvfi --rvfi-next retirement");
      else if (interrupts == 0 || traps == 0) $display("As far as the recording goes, these signals are right: gen-verilog --ingress rvfi");
      else $display("These signals are right: gen-verilog --ingress rvfi");
    end
  endtask

  // Prints the report once. A testbench may call it before the end of the simulation.
  task report;
    if (!reported) begin
      reported = 1'b1;
      settle();
      if (retired == 0) $display("nothing retires; remedy: simulate longer, or look at rvfi_valid, clk and rst");
      else tell();
    end
  endtask

  final report();
endmodule
