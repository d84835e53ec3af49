// hpp_core: PicoRV32 (RV32IMC; with HPP_BASE_ISA defined RV32I, with shifts of a bit a cycle) as the core of hpp_soc.v.
//
// With HPP_DRAIN defined `irq` is the core's interrupt 3. Its handler is at 0x10; the `mret` of it lies in one word of
// the memory, because it is replaced where it is fetched.
//
// Define RISCV_FORMAL for this file and picorv32.v: it gives the core its retirement port (RVFI).

`default_nettype none

module hpp_core (
    input  wire        clk,
    input  wire        rst,                       // synchronous, active high

    // Bus: an access stands until the cycle of its answer.
    output wire        valid,
    output wire [29:0] address,                   // of a 32-bit word
    output wire [3:0]  write,                     // bytes to write; 0: read
    output wire [31:0] write_data,
    output wire        hold,                      // no answer yet, except from the profiler
    input  wire        answer_next,               // the next cycle is that of the answer
    input  wire        answer,
    input  wire [31:0] read_data,                 // with `answer`
    input  wire [31:0] memory_data,               // the same, if the memory was read
    input  wire        irq,                       // level: the profiler's drain asks for service

    // What the last stage does, for profiler and simulation, and events to count beside cycles and instructions.
    output wire        retire_valid,
    output wire [31:0] retire_insn,
    output wire        retire_expanded,           // a compressed instruction, shown as what it stands for
    output wire        retire_trap,
    output wire        retire_intr,
    output wire [31:0] retire_pc,
    output wire [31:0] retire_next_pc,
    output wire [1:0]  events,
    input  wire        stall,                     // the profiler cannot take another retirement
    output wire        gave_up                    // the core will do nothing any more
);
`ifdef HPP_DRAIN
    localparam [0:0] INTERRUPTS = 1;
`else
    localparam [0:0] INTERRUPTS = 0;
`endif
`ifdef HPP_BASE_ISA
    localparam [0:0] OPTIONS = 0;
`else
    localparam [0:0] OPTIONS = 1;
`endif
    // A handler ends with `mret`, as everywhere. The core has an instruction of its own for it; whoever watches sees `mret`.
    localparam [31:0] MRET   = 32'h3020_0073;
    localparam [31:0] RETIRQ = 32'h0400_000b;

    wire        mem_instr;
    wire [1:0]  byte_address;
    wire [3:0]  rvfi_mem_rmask;
    wire [3:0]  rvfi_mem_wmask;
    wire [31:0] insn;

    picorv32 #(
        .BARREL_SHIFTER(OPTIONS),
        .COMPRESSED_ISA(OPTIONS),
        .ENABLE_FAST_MUL(OPTIONS),
        .ENABLE_DIV(OPTIONS),
        .ENABLE_IRQ(INTERRUPTS),
        .ENABLE_IRQ_TIMER(0),
        .LATCHED_IRQ(32'hffff_fff7),
        .PROGADDR_RESET(32'h0000_0000)
    ) core (
        .clk(clk),
        .resetn(!rst),
        .trap(gave_up),
        .mem_valid(valid),
        .mem_ready(answer),
        .mem_addr({address, byte_address}),
        .mem_wdata(write_data),
        .mem_wstrb(write),
        .mem_rdata(INTERRUPTS && mem_instr && read_data == MRET ? RETIRQ : read_data),
        .mem_instr(mem_instr),
        .mem_la_read(),
        .mem_la_write(),
        .mem_la_addr(),
        .mem_la_wdata(),
        .mem_la_wstrb(),
        .pcpi_valid(),
        .pcpi_insn(),
        .pcpi_rs1(),
        .pcpi_rs2(),
        .pcpi_wr(1'b0),
        .pcpi_rd(32'd0),
        .pcpi_wait(1'b0),
        .pcpi_ready(1'b0),
        .irq({28'd0, irq, 3'd0}),
        .eoi(),
        .rvfi_valid(retire_valid),
        .rvfi_order(),
        .rvfi_insn(insn),
        .rvfi_trap(retire_trap),
        .rvfi_halt(),
        .rvfi_intr(retire_intr),
        .rvfi_mode(),
        .rvfi_ixl(),
        .rvfi_rs1_addr(),
        .rvfi_rs2_addr(),
        .rvfi_rs1_rdata(),
        .rvfi_rs2_rdata(),
        .rvfi_rd_addr(),
        .rvfi_rd_wdata(),
        .rvfi_pc_rdata(retire_pc),
        .rvfi_pc_wdata(retire_next_pc),
        .rvfi_mem_addr(),
        .rvfi_mem_rmask(rvfi_mem_rmask),
        .rvfi_mem_wmask(rvfi_mem_wmask),
        .rvfi_mem_rdata(),
        .rvfi_mem_wdata(),
        .rvfi_csr_mcycle_rmask(),
        .rvfi_csr_mcycle_wmask(),
        .rvfi_csr_mcycle_rdata(),
        .rvfi_csr_mcycle_wdata(),
        .rvfi_csr_minstret_rmask(),
        .rvfi_csr_minstret_wmask(),
        .rvfi_csr_minstret_rdata(),
        .rvfi_csr_minstret_wdata(),
        .trace_valid(),
        .trace_data()
    );

    assign retire_insn     = INTERRUPTS && insn == RETIRQ ? MRET : insn;
    assign retire_expanded = 1'b0;
    assign events          = {1'b0, retire_valid && |{rvfi_mem_rmask, rvfi_mem_wmask}};

    // The core fetches its instructions over this bus: without an answer it retires nothing. The answer is registered, so
    // the stall comes a cycle late and the profiler's queue is not in the core's longest path. It is still in time: it rises
    // in the cycle after a retirement, and the fetch for the next one is answered two cycles after it or later. (Not so for
    // an instruction in the high half of a word already fetched: with compressed instructions, the profiler must be one
    // that takes a record every cycle.)
    assign hold = stall;
endmodule

`default_nettype wire
