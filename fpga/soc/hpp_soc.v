// hpp_soc: PicoRV32 (RV32IMC by default) with the memory, UART, timer and profiler of hpp_uncore.v.
//
//   +------------+  RVFI   +--------------+
//   |  picorv32  |-------->| hpp_uncore   |
//   |            |<--------|              |
//   +-----+------+  stall  +------+-------+
//         |   valid/ready bus     |
//         +-----------------------+
//
// With HPP_DRAIN defined the profiler's `drain_irq` is the core's interrupt 3. The handler is at 0x10 and in whole words.
//
// Define RISCV_FORMAL for this file and picorv32.v: it gives the core its retirement port (RVFI).

`default_nettype none

module hpp_soc #(
    parameter integer MEMORY_WORDS = 16384,       // power of two, 32-bit words
    parameter FIRMWARE = "",                      // file for $readmemh; empty: memory not initialised
    parameter [0:0] COMPRESSED = 1,               // the core's C extension
    parameter [0:0] MULTIPLY_DIVIDE = 1,          // the core's M extension
    parameter [0:0] BARREL_SHIFTER = 1            // shifts in one cycle, not one bit a cycle
) (
    input  wire        clk,
    input  wire        rst,                       // synchronous, active high

    // UART, a byte at a time: a byte leaves when valid and ready are both 1.
    output wire        uart_valid,
    output wire [7:0]  uart_data,
    input  wire        uart_ready,

    // End of the run: `finish` is 1 from the cycle after the write on; `trap`: the core gave up.
    output wire        finish,
    output wire [31:0] finish_status,
    output wire        trap,

    // Retirement, for whoever watches.
    output wire        retire_valid,
    output wire [31:0] retire_insn,
    output wire [31:0] retire_pc,
    output wire [31:0] retire_next_pc,
    output wire        retire_trap,
    output wire        retire_intr
);
    // Core ------------------------------------------------------------------------------------

`ifdef HPP_DRAIN
    localparam [0:0] INTERRUPTS = 1;
`else
    localparam [0:0] INTERRUPTS = 0;
`endif
    // A handler ends with `mret`, as everywhere. The core has an instruction of its own for it; whoever watches sees `mret`.
    localparam [31:0] MRET   = 32'h3020_0073;
    localparam [31:0] RETIRQ = 32'h0400_000b;

    wire        mem_valid;
    wire        mem_instr;
    wire [31:0] mem_addr;
    wire [31:0] mem_wdata;
    wire [3:0]  mem_wstrb;
    wire [31:0] mem_rdata;
    wire [3:0]  rvfi_mem_rmask;
    wire [3:0]  rvfi_mem_wmask;
    wire [31:0] insn;
    wire        drain_irq;
    wire        profiler_stall;
    wire        answer_next;
    reg         ready_q;

    picorv32 #(
        .BARREL_SHIFTER(BARREL_SHIFTER),
        .COMPRESSED_ISA(COMPRESSED),
        .ENABLE_FAST_MUL(MULTIPLY_DIVIDE),
        .ENABLE_DIV(MULTIPLY_DIVIDE),
        .ENABLE_IRQ(INTERRUPTS),
        .ENABLE_IRQ_TIMER(0),
        .LATCHED_IRQ(32'hffff_fff7),
        .PROGADDR_RESET(32'h0000_0000)
    ) core (
        .clk(clk),
        .resetn(!rst),
        .trap(trap),
        .mem_valid(mem_valid),
        .mem_ready(ready_q),
        .mem_addr(mem_addr),
        .mem_wdata(mem_wdata),
        .mem_wstrb(mem_wstrb),
        .mem_rdata(INTERRUPTS && mem_instr && mem_rdata == MRET ? RETIRQ : mem_rdata),
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
        .irq({28'd0, drain_irq, 3'd0}),
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

    assign retire_insn = INTERRUPTS && insn == RETIRQ ? MRET : insn;

    // Bus and profiler ------------------------------------------------------------------------

    // The core fetches its instructions over this bus: without an answer it retires nothing. The stall comes a cycle
    // late, so that the profiler's queue is not in the core's longest path, and still in time: it rises in the cycle
    // after a retirement, and the fetch for the next one is answered two cycles after it or later. (Not so for an
    // instruction in the high half of a word already fetched: with compressed instructions, the profiler must be one
    // that takes a record every cycle.)
    always @(posedge clk) ready_q <= !rst && answer_next;

    hpp_uncore #(
        .MEMORY_WORDS(MEMORY_WORDS),
        .FIRMWARE(FIRMWARE)
    ) uncore (
        .clk(clk),
        .rst(rst),
        .valid(mem_valid),
        .address(mem_addr[31:2]),
        .write(mem_wstrb),
        .write_data(mem_wdata),
        .hold(profiler_stall),
        .answer_next(answer_next),
        .answer(ready_q),
        .read_data(mem_rdata),
        .memory_data(),
        .uart_valid(uart_valid),
        .uart_data(uart_data),
        .uart_ready(uart_ready),
        .finish(finish),
        .finish_status(finish_status),
        .retire_valid(retire_valid),
        .retire_insn(retire_insn),
        .retire_expanded(1'b0),
        .retire_trap(retire_trap),
        .retire_intr(retire_intr),
        .retire_pc(retire_pc),
        .retire_next_pc(retire_next_pc),
        .event_in({1'b0, retire_valid && |{rvfi_mem_rmask, rvfi_mem_wmask}}),
        .retire_stall(profiler_stall),
        .drain_irq(drain_irq)
    );
endmodule

`default_nettype wire
