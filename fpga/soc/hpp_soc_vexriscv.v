// hpp_soc_vexriscv: VexRiscv (RV32I, the wheel's variant VexRiscv_Min; or with caches, VexRiscv; or with compressed instructions, VexRiscv_IMAC) with the memory, UART, timer and profiler of
// hpp_uncore.v; port for port and address for address the system of hpp_soc.v.
//
//   +------------+ fires, traps, insn, pc  +--------------+
//   |  VexRiscv  |------------------------>| hpp_uncore   |
//   +--+------+--+                         |              |
//      | code | data (Wishbone)            +------+-------+
//      +------+------------- by turns ------------+
//
// A core with caches takes everything below 0x8000_0000 for memory that it may keep: its programs reach UART, profiler and timer above.
// A line that one of its caches fetches is an event.
//
// Nothing outside this core can hold its retirement, so the profiler has to take a record in every cycle.
//
// The core's text needs the outputs that vexriscv_ports.py adds.

`default_nettype none

module hpp_soc_vexriscv #(
    parameter integer MEMORY_WORDS = 16384,       // power of two, 32-bit words
    parameter FIRMWARE = ""                       // file for $readmemh; empty: memory not initialised
) (
    input  wire        clk,
    input  wire        rst,                       // synchronous, active high

    // UART, a byte at a time: a byte leaves when valid and ready are both 1.
    output wire        uart_valid,
    output wire [7:0]  uart_data,
    input  wire        uart_ready,

    // End of the run: `finish` is 1 from the cycle after the write on. The core traps instead of giving up.
    output wire        finish,
    output wire [31:0] finish_status,
    output wire        trap,

    // The last stage, for whoever watches: an instruction at its address, or a trap and the address it returns to.
    output wire        retire_valid,
    output wire [31:0] retire_insn,
    output wire [31:0] retire_pc,
    output wire [31:0] retire_next_pc,
    output wire        retire_trap,
    output wire        retire_intr
);
    // Core ------------------------------------------------------------------------------------

    wire        code_valid;
    reg         code_ready;
    wire [29:0] code_word;
    wire [31:0] code_read;
    wire        data_valid;
    reg         data_ready;
    wire        write;
    wire [29:0] data_word;
    wire [3:0]  data_lanes;
    wire [31:0] data_to_write;
    wire [31:0] data_read;
    wire [2:0]  code_burst;
    wire [2:0]  data_burst;
    wire        retire_fires;
    wire        retire_expanded;
    wire        profiler_stall;

    VexRiscv core (
        .externalResetVector(32'h0000_0000),
        .timerInterrupt(1'b0),
        .softwareInterrupt(1'b0),
        .externalInterruptArray(32'd0),
        .iBusWishbone_CYC(),
        .iBusWishbone_STB(code_valid),
        .iBusWishbone_ACK(code_ready),
        .iBusWishbone_WE(),
        .iBusWishbone_ADR(code_word),
        .iBusWishbone_DAT_MISO(code_read),
        .iBusWishbone_DAT_MOSI(),
        .iBusWishbone_SEL(),
        .iBusWishbone_ERR(1'b0),
        .iBusWishbone_CTI(code_burst),
        .iBusWishbone_BTE(),
        .dBusWishbone_CYC(),
        .dBusWishbone_STB(data_valid),
        .dBusWishbone_ACK(data_ready),
        .dBusWishbone_WE(write),
        .dBusWishbone_ADR(data_word),
        .dBusWishbone_DAT_MISO(data_read),
        .dBusWishbone_DAT_MOSI(data_to_write),
        .dBusWishbone_SEL(data_lanes),
        .dBusWishbone_ERR(1'b0),
        .dBusWishbone_CTI(data_burst),
        .dBusWishbone_BTE(),
        .clk(clk),
        .reset(rst),
        .retire_fires(retire_fires),
        .retire_traps(retire_trap),
        .retire_insn(retire_insn),
        .retire_expanded(retire_expanded),
        .retire_pc(retire_pc)
    );

    // The address that follows is not known here: the next instruction has it.
    assign retire_valid   = retire_fires || retire_trap;
    assign retire_intr    = 1'b0;
    assign retire_next_pc = 32'd0;

    assign trap = 1'b0;

    // A line begins with its first word, of a burst whose address counts up (2).
    wire code_refill = code_ready && code_burst == 3'd2 && code_word[2:0] == 3'd0;
    wire data_refill = data_ready && data_burst == 3'd2 && data_word[2:0] == 3'd0;

    // Bus and profiler ------------------------------------------------------------------------

    // Data goes before code, which is in the memory only. The core is told by registers, and fetches straight from the
    // memory's word: so nothing else that is read is in front of its instructions.
    wire answer_next;

    always @(posedge clk) begin
        code_ready <= !rst && answer_next && !data_valid;
        data_ready <= !rst && answer_next && data_valid;
    end

    hpp_uncore #(
        .MEMORY_WORDS(MEMORY_WORDS),
        .FIRMWARE(FIRMWARE)
    ) uncore (
        .clk(clk),
        .rst(rst),
        .valid(data_valid || code_valid),
        .address(data_valid ? data_word : {4'h0, code_word[25:0]}),
        .write(data_valid && write ? data_lanes : 4'b0000),
        .write_data(data_to_write),
        .hold(1'b0),
        .answer_next(answer_next),
        .answer(code_ready || data_ready),
        .read_data(data_read),
        .memory_data(code_read),
        .uart_valid(uart_valid),
        .uart_data(uart_data),
        .uart_ready(uart_ready),
        .finish(finish),
        .finish_status(finish_status),
        .retire_valid(retire_valid),
        .retire_insn(retire_insn),
        .retire_expanded(retire_expanded),
        .retire_trap(retire_trap),
        .retire_intr(retire_intr),
        .retire_pc(retire_pc),
        .retire_next_pc(retire_next_pc),
        .event_in({data_refill, code_refill}),
        .retire_stall(profiler_stall),
        .drain_irq()
    );

`ifdef HPP_SIMULATION
    always @(posedge clk) begin
        if (!rst && profiler_stall) begin
            $display("the profiler would hold the core, which nothing can");
            $stop;
        end
    end
`endif
endmodule

`default_nettype wire
