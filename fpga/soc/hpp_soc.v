// hpp_soc: PicoRV32 (RV32IMC by default) with one memory, a byte-wide UART port, and the profiler.
//
//                    +------------+  RVFI   +-----------+
//                    |  picorv32  |-------->| hpp       |
//                    |            |<--------| (profiler)|
//                    +-----+------+  stall  +-----+-----+
//                          | valid/ready bus      | Wishbone
//         +----------------+----------------+-----+
//         | 0x0000_0000    | 0x1000_0000    | 0x2000_0000    0x3000_0000
//      +--+-----+      +---+---+         registers of     end of the run
//      | memory |      | UART  |         the profiler     (exit status)
//      +--------+      +-------+
//
// Every access takes at least two cycles: address in the first, data in the second. Without HPP_PROFILER
// defined, the profiler is left out and its addresses read 0.
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
    output reg         finish,
    output reg  [31:0] finish_status,
    output wire        trap,

    // Retirement, for whoever watches.
    output wire        retire_valid,
    output wire [31:0] retire_insn,
    output wire [31:0] retire_pc,
    output wire [31:0] retire_next_pc,
    output wire        retire_trap,
    output wire        retire_intr
);
    localparam integer ADDRESS_BITS = $clog2(MEMORY_WORDS);
`ifdef HPP_PROFILER
    localparam [0:0] HAS_PROFILER = 1'b1;
`else
    localparam [0:0] HAS_PROFILER = 1'b0;
`endif

    // Core ------------------------------------------------------------------------------------

    wire        mem_valid;
    wire        mem_ready;
    wire [31:0] mem_addr;
    wire [31:0] mem_wdata;
    wire [3:0]  mem_wstrb;
    wire [31:0] mem_rdata;
    wire [3:0]  rvfi_mem_rmask;
    wire [3:0]  rvfi_mem_wmask;
    wire        profiler_ack;
    wire [31:0] profiler_data;
    wire        profiler_stall;

    picorv32 #(
        .BARREL_SHIFTER(BARREL_SHIFTER),
        .COMPRESSED_ISA(COMPRESSED),
        .ENABLE_FAST_MUL(MULTIPLY_DIVIDE),
        .ENABLE_DIV(MULTIPLY_DIVIDE),
        .PROGADDR_RESET(32'h0000_0000)
    ) core (
        .clk(clk),
        .resetn(!rst),
        .trap(trap),
        .mem_valid(mem_valid),
        .mem_ready(mem_ready),
        .mem_addr(mem_addr),
        .mem_wdata(mem_wdata),
        .mem_wstrb(mem_wstrb),
        .mem_rdata(mem_rdata),
        .mem_instr(),
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
        .irq(32'd0),
        .eoi(),
        .rvfi_valid(retire_valid),
        .rvfi_order(),
        .rvfi_insn(retire_insn),
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

    // Address decoder -------------------------------------------------------------------------

    wire memory_access   = mem_valid && mem_addr[31:28] == 4'h0;
    wire uart_access     = mem_valid && mem_addr[31:28] == 4'h1;
    wire profiler_access = mem_valid && mem_addr[31:28] == 4'h2 && HAS_PROFILER;
    wire finish_access   = mem_valid && mem_addr[31:28] == 4'h3;
    wire write           = mem_wstrb != 4'b0000;

    // Everything but the profiler answers in the second cycle of an access, addresses with nothing behind them
    // included; a UART write waits for the byte to leave. What answers is a register, and so is the word read elsewhere
    // than in the memory: the profiler is not a level of logic in front of `mem_ready`, and the choice by the address is
    // the same without it.
    reg  answered;                                // the access has been carried out
    reg  ready_q;                                 // and the core is told
    reg  [31:0] other_q;                          // word read elsewhere than in the memory
    wire wait_uart = uart_access && write && !uart_ready && !answered;
    wire carry_out = mem_valid && !profiler_access && !wait_uart && !ready_q;

    // The core fetches its instructions over this bus: without an answer it retires nothing. The stall comes a cycle
    // late, so that the profiler's queue is not in the core's longest path, and still in time: it rises in the cycle
    // after a retirement, and the fetch for the next one is answered two cycles after it or later. (Not so for an
    // instruction in the high half of a word already fetched: with compressed instructions, the profiler must be one
    // that takes a record every cycle.)
    always @(posedge clk) begin
        answered <= !rst && carry_out;
        ready_q  <= !rst && (carry_out && !profiler_stall || profiler_ack);

        if (profiler_access) other_q <= profiler_data;
        else                 other_q <= {31'd0, uart_access && uart_ready};
    end

    assign mem_ready = ready_q;
    assign mem_rdata = memory_access ? memory_q : other_q;

    // Memory ----------------------------------------------------------------------------------

    reg [31:0] memory [0:MEMORY_WORDS-1];
    reg [31:0] memory_q;
    wire [ADDRESS_BITS-1:0] memory_word = mem_addr[ADDRESS_BITS+1:2];

    always @(posedge clk) begin
        if (memory_access) begin
            if (mem_wstrb[0]) memory[memory_word][7:0]   <= mem_wdata[7:0];
            if (mem_wstrb[1]) memory[memory_word][15:8]  <= mem_wdata[15:8];
            if (mem_wstrb[2]) memory[memory_word][23:16] <= mem_wdata[23:16];
            if (mem_wstrb[3]) memory[memory_word][31:24] <= mem_wdata[31:24];
            memory_q <= memory[memory_word];
        end
    end

    initial begin
        if (FIRMWARE != "") $readmemh(FIRMWARE, memory);
    end

`ifdef HPP_SIMULATION
    // A simulation takes its program from the command line: +firmware=FILE.
    reg [8*1024-1:0] firmware;
    initial begin
        if ($value$plusargs("firmware=%s", firmware)) $readmemh(firmware, memory);
    end
`endif

    // UART and end of the run -----------------------------------------------------------------

    assign uart_valid = uart_access && mem_wstrb[0] && !answered;
    assign uart_data  = mem_wdata[7:0];

    always @(posedge clk) begin
        if (rst) begin
            finish        <= 1'b0;
            finish_status <= 32'd0;
        end else if (finish_access && write) begin
            finish        <= 1'b1;
            finish_status <= mem_wdata;
        end
    end

    // Profiler --------------------------------------------------------------------------------

`ifdef HPP_PROFILER
    hpp profiler (
        .clk(clk),
        .rst(rst),
        .rvfi_valid(retire_valid),
        .rvfi_insn(retire_insn),
        .rvfi_trap(retire_trap),
        .rvfi_intr(retire_intr),
        .rvfi_pc_rdata(retire_pc),
        .rvfi_pc_wdata(retire_next_pc),
        .rvfi_stall(profiler_stall),
        // Event 2 of the profiler: loads and stores.
        .event_in({7'd0, retire_valid && |{rvfi_mem_rmask, rvfi_mem_wmask}}),
        .event_select(),
        .path_valid(),
        .path_start(),
        .path_length(),
        .path_outcomes(),
        .path_count(),
        .wb_cyc_i(profiler_access && !ready_q),
        .wb_stb_i(profiler_access && !ready_q),
        .wb_we_i(write),
        .wb_adr_i(mem_addr[6:2]),
        .wb_sel_i(write ? mem_wstrb : 4'b1111),
        .wb_dat_i(mem_wdata),
        .wb_dat_o(profiler_data),
        .wb_ack_o(profiler_ack),
        .wb_stall_o(),
        .wb_err_o()
    );
`else
    assign profiler_ack   = 1'b0;
    assign profiler_data  = 32'd0;
    assign profiler_stall = 1'b0;
`endif
endmodule

`default_nettype wire
