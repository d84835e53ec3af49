// vexriscv_retire: what VexRiscv's last stage shows, as the retirements of a RISC-V Formal Interface.
//
//    last stage     +-----+        +--------------+        RVFI
//    fires, traps ->| one |------->| one          |----> valid, intr
//    insn --------->| cy- |------->| retirement   |----> insn
//    pc ----------->| cle |---+--->| of delay     |----> pc_rdata
//                   +-----+   |    +--------------+
//                             +------------------------> pc_wdata
//
// An instruction is shown when the next one fires, whose address is its pc_wdata; or when a trap is taken, whose
// return address is. Registers come first, so that none of this, nor what listens to it, lies in a path of the core or
// draws the core's cells towards it. The core's text gets the four outputs that this circuit reads from vexriscv_ports.py.
//
// Entry into a trap handler is shown as a retirement of its own, in the cycle in which the handler's first
// instruction fires and nothing else could be shown: a no-operation at that instruction's address, with intr. So
// no retirement makes two branch records, and a profiler that takes a record every cycle never has to hold the
// core, which nothing outside of it can do. Where instructions are counted as events, an entry counts as one.
//
// An instruction that traps does not fire: rvfi_trap is 0.

`default_nettype none

module vexriscv_retire (
    input  wire        clk,
    input  wire        rst,             // synchronous, active high

    // Last stage of the core.
    input  wire        retire_fires,    // an instruction leaves the pipeline, and is done
    input  wire        retire_traps,    // a trap is taken: retire_pc is the address it returns to
    input  wire [31:0] retire_insn,
    input  wire [31:0] retire_pc,

    // Retirement.
    output wire        rvfi_valid,
    output wire [31:0] rvfi_insn,
    output wire        rvfi_trap,
    output wire        rvfi_intr,
    output wire [31:0] rvfi_pc_rdata,
    output wire [31:0] rvfi_pc_wdata
);
    localparam [31:0] NO_OPERATION = 32'h0000_0013;

    reg        held;                    // something waits for the address that follows it:
    reg        entry;                   // the entry into a handler, or else
    reg [31:0] insn;                    // this instruction
    reg [31:0] pc;

    reg        fires_q;                 // the last stage a cycle ago
    reg        traps_q;
    reg [31:0] insn_q;
    reg [31:0] pc_q;

    wire       follows = fires_q || traps_q;

    always @(posedge clk) begin
        fires_q <= retire_fires && !rst;
        traps_q <= retire_traps && !rst;
        insn_q  <= retire_insn;
        pc_q    <= retire_pc;

        if (rst)          held <= 1'b0;
        else if (follows) held <= 1'b1;

        if (follows) entry <= traps_q;

        if (traps_q)      insn <= NO_OPERATION;
        else if (fires_q) insn <= insn_q;

        if (fires_q) pc <= pc_q;
    end

    assign rvfi_valid    = held && follows;
    assign rvfi_insn     = insn;
    assign rvfi_trap     = 1'b0;
    assign rvfi_intr     = entry;
    assign rvfi_pc_rdata = entry ? pc_q : pc;
    assign rvfi_pc_wdata = pc_q;
endmodule

`default_nettype wire
