// hpp_soc_vexriscv: the system of hpp_soc.v around a VexRiscv (RV32I, the wheel's variant VexRiscv_Min) in the place of PicoRV32.
//
//                +------------+ fires, traps, insn, pc +------------------+  RVFI  +-----------+
//                |  VexRiscv  |----------------------->| vexriscv_retire  |------->| hpp       |
//                +--+------+--+                        +------------------+        | (profiler)|
//         Wishbone  | code | data                                                  +-----+-----+
//                   +--+---+                                                             | Wishbone
//         +------------+----+----------------+------------------+------------------------+
//         | 0x0000_0000     | 0x1000_0000    | 0x3000_0000      | 0x2000_0000
//      +--+-----+       +---+---+         end of the run     registers of
//      | memory |       | UART  |         (exit status)      the profiler
//      +--------+       +-------+
//
// Same ports, same address map and same meaning as hpp_soc. Code and data take turns at the one memory, two cycles an
// access. Nothing outside this core can hold its retirement, so the profiler has to take a record in every cycle.
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

    wire        code_valid;
    reg         code_ready;
    wire [29:0] code_word;
    wire        data_valid;
    reg         data_ready;
    wire        write;
    wire [29:0] data_word;
    wire [3:0]  data_lanes;
    wire [31:0] mem_wdata;
    wire [31:0] data_read;
    wire [31:0] mem_addr = {data_word, 2'b00};
    wire        retire_fires;
    wire        retire_traps;
    wire [31:0] last_stage_insn;
    wire [31:0] last_stage_pc;
    wire        profiler_ack;
    wire [31:0] profiler_data;
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
        .iBusWishbone_DAT_MISO(memory_q),
        .iBusWishbone_DAT_MOSI(),
        .iBusWishbone_SEL(),
        .iBusWishbone_ERR(1'b0),
        .iBusWishbone_CTI(),
        .iBusWishbone_BTE(),
        .dBusWishbone_CYC(),
        .dBusWishbone_STB(data_valid),
        .dBusWishbone_ACK(data_ready),
        .dBusWishbone_WE(write),
        .dBusWishbone_ADR(data_word),
        .dBusWishbone_DAT_MISO(data_read),
        .dBusWishbone_DAT_MOSI(mem_wdata),
        .dBusWishbone_SEL(data_lanes),
        .dBusWishbone_ERR(1'b0),
        .dBusWishbone_CTI(),
        .dBusWishbone_BTE(),
        .clk(clk),
        .reset(rst),
        .retire_fires(retire_fires),
        .retire_traps(retire_traps),
        .retire_insn(last_stage_insn),
        .retire_pc(last_stage_pc)
    );

    vexriscv_retire retire (
        .clk(clk),
        .rst(rst),
        .retire_fires(retire_fires),
        .retire_traps(retire_traps),
        .retire_insn(last_stage_insn),
        .retire_pc(last_stage_pc),
        .rvfi_valid(retire_valid),
        .rvfi_insn(retire_insn),
        .rvfi_trap(retire_trap),
        .rvfi_intr(retire_intr),
        .rvfi_pc_rdata(retire_pc),
        .rvfi_pc_wdata(retire_next_pc)
    );

    assign trap = 1'b0;

    // Address decoder -------------------------------------------------------------------------

    wire uart_access     = data_valid && mem_addr[31:28] == 4'h1;
    wire profiler_access = data_valid && mem_addr[31:28] == 4'h2 && HAS_PROFILER;
    wire finish_access   = data_valid && mem_addr[31:28] == 4'h3;

    // Everything but the profiler answers in the second cycle of an access; data goes before code. A UART write waits
    // for the byte to leave. What answers is registers, and the word read is the memory's or another register,
    // whichever is not 0: so the profiler is a level of logic neither in front of the two `ready` nor in front of the
    // data, from which the core's longest paths go.
    reg  [31:0] other_q;                          // word read elsewhere than in the memory
    wire wait_uart  = uart_access && write && !uart_ready;
    wire answered   = code_ready || data_ready;
    wire data_start = data_valid && !profiler_access && !wait_uart && !answered;
    wire code_start = code_valid && !data_valid && !answered;

    always @(posedge clk) begin
        code_ready <= !rst && code_start;
        data_ready <= !rst && (data_start || profiler_ack);

        if (profiler_access) other_q <= profiler_data;
        else                 other_q <= {31'd0, uart_access && uart_ready};
    end

    assign data_read = memory_q | other_q;

    // Memory ----------------------------------------------------------------------------------

    reg [31:0] memory [0:MEMORY_WORDS-1];
    reg [31:0] memory_q;
    wire       memory_access  = code_start || data_start;
    wire       data_elsewhere = data_valid && mem_addr[31:28] != 4'h0;
    wire       memory_write   = data_start && write && !data_elsewhere;
    wire [ADDRESS_BITS-1:0] memory_word = data_valid ? data_word[ADDRESS_BITS-1:0] : code_word[ADDRESS_BITS-1:0];

    always @(posedge clk) begin
        if (memory_write && data_lanes[0]) memory[memory_word][7:0]   <= mem_wdata[7:0];
        if (memory_write && data_lanes[1]) memory[memory_word][15:8]  <= mem_wdata[15:8];
        if (memory_write && data_lanes[2]) memory[memory_word][23:16] <= mem_wdata[23:16];
        if (memory_write && data_lanes[3]) memory[memory_word][31:24] <= mem_wdata[31:24];
    end

    always @(posedge clk) begin
        if (data_elsewhere)                      memory_q <= 32'd0;
        else if (memory_access && !memory_write) memory_q <= memory[memory_word];
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

    assign uart_valid = uart_access && write && data_lanes[0] && !answered;
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
        .event_in(8'd0),
        .event_select(),
        .path_valid(),
        .path_start(),
        .path_length(),
        .path_outcomes(),
        .path_count(),
        .wb_cyc_i(profiler_access && !data_ready),
        .wb_stb_i(profiler_access && !data_ready),
        .wb_we_i(write),
        .wb_adr_i(data_word[4:0]),
        .wb_sel_i(data_lanes),
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
