// vexriscv_retire: what VexRiscv's last stage shows, as the retirements of a RISC-V Formal Interface.
//
//    last stage        +--------------+        RVFI
//    fires, traps ---->| one          |----> valid, intr
//    insn ------------>| retirement   |----> insn
//    pc ----------+--->| of delay     |----> pc_rdata
//                 |    +--------------+
//                 +------------------------> pc_wdata
//
// An instruction is shown when the next one fires, whose address is its pc_wdata; or when a trap is taken, whose
// return address is. The core's text gets the four outputs that this circuit reads from vexriscv_ports.py.
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

    wire       follows = retire_fires || retire_traps;

    always @(posedge clk) begin
        if (rst)          held <= 1'b0;
        else if (follows) held <= 1'b1;

        if (follows)      entry <= retire_traps;

        if (retire_traps)      insn <= NO_OPERATION;
        else if (retire_fires) insn <= retire_insn;

        if (retire_fires) pc <= retire_pc;
    end

    assign rvfi_valid    = held && follows;
    assign rvfi_insn     = insn;
    assign rvfi_trap     = 1'b0;
    assign rvfi_intr     = entry;
    assign rvfi_pc_rdata = entry ? retire_pc : pc;
    assign rvfi_pc_wdata = retire_pc;
endmodule

`default_nettype wire
