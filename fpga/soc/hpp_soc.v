// hpp_soc: a core with one memory, a byte-wide UART port, a timer, the end of the run, and the profiler.
//
//                                   core (cores/*)
//              bus                                                   last stage
//              |                                                        |
//   +----------+-----+----------------+----------------+----------------|---+
//   | 0x0000_0000    | 0x1000_0000    | 0x4000_0000    | 0x2000_0000    |   | 0x3000_0000
//   +--------+    +------+         +-------+        +----+--------------+-+ end of the run
//   | memory |    | UART |         | timer |        | hpp (the profiler)  | (exit status)
//   +--------+    +------+         +-------+        +---------------------+
//
// From 0x8000_0000 on there is the same again, for cores that cache what is below.
//
// The core is the module `hpp_core`, of which each file of cores/ is one: it gives a core of its own the ports of this
// system. An access stands on the bus (`valid`, with all that belongs to it) until the cycle of its answer. `answer_next` is
// 1 in the cycle before. Every access takes at least two cycles: address in the first, data in the second. Without
// HPP_PROFILER defined, the profiler is left out and its addresses read 0. With HPP_RETIRE defined, it has the ingress of
// a core's last stage instead of RVFI's, and with HPP_CACHES two inputs of events. With HPP_CHANNELS, so many instructions may
// retire in a cycle; with HPP_NEXT_RETIREMENT, RVFI's ingress has neither `rvfi_intr` nor `rvfi_pc_wdata`.
// With HPP_PC_BITS, addresses have so many bits, and not 32. With HPP_CONTEXT_BITS, the core says in which context, of so many bits, an
// instruction executes. With HPP_TIMER_INTERRUPT, the timer has 64 bits, the low word first, and behind them 64 bits of a time, from which on it interrupts;
// and the drain's interrupt goes through a controller at 0x6000_0000 (cores/plic.v).
//
// With HPP_SECOND_HART a second hart (fpga/linux/second_hart.v) shares the profiler, whose contexts then have the hart's number in place of the address
// space's highest bit.
//
// With HPP_TINY the profiler is a tiny one, which has neither inputs of events nor outputs of paths, and HPP_RETIRE is defined as well.
//
// With HPP_DRAIN the profiler keeps evicted entries in a FIFO, and asks by `drain_irq` to have them read. With
// HPP_DRAIN_WRITER besides, it goes into the memory, if software wants it so: from the word DRAIN_BASE to the end, in cycles in
// which the core leaves the memory alone; at 0x5000_0000 the number of entries there can be read, and a write begins again.

`default_nettype none

module hpp_soc #(
    parameter integer MEMORY_WORDS = 16384,       // power of two, 32-bit words
    parameter FIRMWARE = "",                      // file for $readmemh; empty: memory not initialised
    parameter integer DRAIN_BASE = 524288         // first word of what left the profiler's table
) (
    input  wire        clk,
    input  wire        rst,                       // synchronous, active high

    // UART, a byte at a time: a byte leaves when valid and ready are both 1.
    output wire        uart_valid,
    output wire [7:0]  uart_data,
    input  wire        uart_ready,

    // End of the run: `finish` is 1 from the cycle after the write on; `gave_up`: the core will do nothing any more.
    output reg         finish,
    output reg  [31:0] finish_status,
    output wire        gave_up
);
    localparam integer ADDRESS_BITS = $clog2(MEMORY_WORDS);
`ifdef HPP_CHANNELS
    localparam integer CHANNELS = `HPP_CHANNELS;
`else
    localparam integer CHANNELS = 1;
`endif
`ifdef HPP_PC_BITS
    localparam integer PC_BITS = `HPP_PC_BITS;
`else
    localparam integer PC_BITS = 32;
`endif
`ifdef HPP_CONTEXT_BITS
    localparam integer CONTEXT_BITS = `HPP_CONTEXT_BITS;
    localparam integer START_BITS = PC_BITS + CONTEXT_BITS;
`else
    localparam integer START_BITS = PC_BITS;
`endif
`ifdef HPP_PROFILER
    localparam [0:0] HAS_PROFILER = 1'b1;
`else
    localparam [0:0] HAS_PROFILER = 1'b0;
`endif

    wire        profiler_ack;
    wire [31:0] profiler_data;

    // Core ------------------------------------------------------------------------------------

    wire        valid;
    wire [29:0] address;                          // of a 32-bit word
    wire [3:0]  write;                            // bytes to write; 0: read
    wire [31:0] write_data;
    wire        hold;
    wire        answer_next;
    reg         answer;
    wire [31:0] read_data;
    reg  [31:0] memory_data;
    wire        drain_irq;                        // level: as many entries wait as the profiler was told, or more
    wire [CHANNELS-1:0]    retire_valid;
    wire [32*CHANNELS-1:0] retire_insn;
    wire        retire_expanded;
    wire [CHANNELS-1:0]    retire_trap;
    wire [CHANNELS-1:0]    retire_intr;
    wire [PC_BITS*CHANNELS-1:0] retire_pc;
    wire [PC_BITS*CHANNELS-1:0] retire_next_pc;
    wire [1:0]  events;
    wire        stall;
`ifdef HPP_CONTEXT_BITS
    wire [CONTEXT_BITS-1:0] retire_context;
`endif
`ifdef HPP_COREV
    wire        retire_loop_end;
`endif
    wire        irq;                              // of the drain, as the core is told it
`ifdef HPP_TIMER_INTERRUPT
    wire        timer_irq;                        // level
`endif

    hpp_core core (
        .clk(clk),
        .rst(rst),
        .valid(valid),
        .address(address),
        .write(write),
        .write_data(write_data),
        .hold(hold),
        .answer_next(answer_next),
        .answer(answer),
        .read_data(read_data),
        .memory_data(memory_data),
        .irq(irq),
`ifdef HPP_TIMER_INTERRUPT
        .timer_irq(timer_irq),
`endif
`ifdef HPP_CONTEXT_BITS
        .retire_context(retire_context),
`endif
`ifdef HPP_COREV
        .retire_loop_end(retire_loop_end),
`endif
        .retire_valid(retire_valid),
        .retire_insn(retire_insn),
        .retire_expanded(retire_expanded),
        .retire_trap(retire_trap),
        .retire_intr(retire_intr),
        .retire_pc(retire_pc),
        .retire_next_pc(retire_next_pc),
        .events(events),
        .stall(stall),
        .gave_up(gave_up)
    );

    always @(posedge clk) answer <= !rst && answer_next;

`ifdef HPP_SIMULATION
    always @(posedge clk) begin
        if (!rst && stall && !hold) begin
            $display("the profiler would hold the core, which nothing can");
            $stop;
        end
    end
`endif

    // Address decoder -------------------------------------------------------------------------

    wire memory_access   = valid && address[28:26] == 3'h0;
    wire uart_access     = valid && address[28:26] == 3'h1;
    wire profiler_access = valid && address[28:26] == 3'h2 && HAS_PROFILER;
    wire finish_access   = valid && address[28:26] == 3'h3;
    wire timer_access    = valid && address[28:26] == 3'h4;
    wire drain_access    = valid && address[28:26] == 3'h5;
    wire irq_access      = valid && address[28:26] == 3'h6;
    wire writes          = write != 4'b0000;

    // Everything but the profiler answers in the second cycle of an access, addresses with nothing behind them
    // included; a UART write waits for the byte to leave. What is read elsewhere than in the memory goes through a
    // register, so the profiler is a level of logic neither in front of the answer nor in front of the word.
    reg         carried_out;                      // the access, though perhaps not answered yet
    reg  [31:0] other_data;
    wire [31:0] timer_data;
    wire [31:0] controller_data;
    wire [31:0] drain_entries;                    // in memory
    wire        wait_uart = uart_access && writes && !uart_ready && !carried_out;
    wire        carry_out = valid && !profiler_access && !wait_uart && !answer;

    assign answer_next = carry_out && !hold || profiler_ack;
    assign read_data   = memory_access ? memory_data : other_data;

    always @(posedge clk) begin
        carried_out <= !rst && carry_out;

        if (profiler_access)   other_data <= profiler_data;
        else if (timer_access) other_data <= timer_data;
        else if (drain_access) other_data <= drain_entries;
        else if (irq_access)   other_data <= controller_data;
        else                   other_data <= {31'd0, uart_access && uart_ready};
    end

    // Memory ----------------------------------------------------------------------------------

    reg  [31:0] memory [0:MEMORY_WORDS-1];
    wire        drain_strobe;
    wire [29:0] drain_address;
    wire [31:0] drain_data;
    // The core's access is carried out before the cycle of its answer.
    wire        drain_writes = drain_strobe && (!memory_access || answer);
    wire [ADDRESS_BITS-1:0] memory_word = drain_writes ? drain_address[ADDRESS_BITS-1:0] : address[ADDRESS_BITS-1:0];

    always @(posedge clk) begin
        if (drain_writes) begin
            memory[memory_word] <= drain_data;
        end else if (memory_access) begin
            if (write[0]) memory[memory_word][7:0]   <= write_data[7:0];
            if (write[1]) memory[memory_word][15:8]  <= write_data[15:8];
            if (write[2]) memory[memory_word][23:16] <= write_data[23:16];
            if (write[3]) memory[memory_word][31:24] <= write_data[31:24];
            memory_data <= memory[memory_word];
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

    // UART, timer, interrupts, end of the run -------------------------------------------------

    assign uart_valid = uart_access && write[0] && !carried_out;
    assign uart_data  = write_data[7:0];

`ifdef HPP_TIMER_INTERRUPT
    reg  [63:0] timer;                            // cycles since reset
    reg  [63:0] timer_limit;

    assign timer_data = address[0] ? timer[63:32] : timer[31:0];
    assign timer_irq  = timer >= timer_limit;

    always @(posedge clk) begin
        if (rst) timer <= 64'd0;
        else     timer <= timer + 64'd1;

        if (rst) timer_limit <= 64'hffff_ffff_ffff_ffff;
        else if (timer_access && writes && address[1]) begin
            if (address[0]) timer_limit[63:32] <= write_data;
            else            timer_limit[31:0]  <= write_data;
        end
    end

    hpp_plic controller (
        .clk(clk),
        .rst(rst),
        .irq(drain_irq),
        .access(irq_access && !carried_out),
        .writes(writes),
        .address(address[21:0]),
        .write_data(write_data),
        .read_data(controller_data),
        .external_irq(irq)
    );
`else
    assign irq             = drain_irq;
    assign controller_data = 32'd0;

    reg  [31:0] timer;                            // cycles since reset, modulo 2^32

    assign timer_data = timer;

    always @(posedge clk) begin
        if (rst) timer <= 32'd0;
        else     timer <= timer + 32'd1;
    end
`endif

    always @(posedge clk) begin
        if (rst) begin
            finish        <= 1'b0;
            finish_status <= 32'd0;
        end else if (finish_access && writes) begin
            finish        <= 1'b1;
            finish_status <= write_data;
        end
    end

    // Profiler --------------------------------------------------------------------------------

`ifdef HPP_DRAIN
    wire        drain_valid;
    wire        drain_ready;
    wire [START_BITS-1:0] drain_start;
    wire [5:0]  drain_length;
    wire [31:0] drain_outcomes;
    wire [31:0] drain_count;
`else
    assign drain_irq = 1'b0;
`endif

`ifdef HPP_SECOND_HART
    wire        second_valid;
    wire [31:0] second_insn;
    wire        second_expanded;
    wire        second_trap;
    wire [31:0] second_pc;
    wire [CONTEXT_BITS-1:0] second_context;
    wire [CONTEXT_BITS-2:0] first_profiled  = {retire_context[CONTEXT_BITS-1], retire_context[CONTEXT_BITS-3:0]};
    wire [CONTEXT_BITS-2:0] second_profiled = {second_context[CONTEXT_BITS-1], second_context[CONTEXT_BITS-3:0]};

    hpp_second_hart second_hart (
        .clk(clk),
        .rst(rst),
        .retire_valid(second_valid),
        .retire_insn(second_insn),
        .retire_expanded(second_expanded),
        .retire_trap(second_trap),
        .retire_pc(second_pc),
        .retire_context(second_context)
    );
`endif

`ifdef HPP_PROFILER
    // By itself in synthesis, which otherwise judges what is deep in the core and what in the profiler by one measure.
    (* keep_hierarchy *)
    hpp profiler (
        .clk(clk),
        .rst(rst),
`ifdef HPP_SECOND_HART
        .retire_hart_0_valid(retire_valid),
        .retire_hart_0_insn(retire_insn),
        .retire_hart_0_expanded(retire_expanded),
        .retire_hart_0_trap(retire_trap),
        .retire_hart_0_pc(retire_pc),
        .retire_hart_0_context(first_profiled),
        .retire_hart_0_stall(stall),
        .event_in_hart_0({11'd0, events[1], 11'd0, events[0]}),
        .retire_hart_1_valid(second_valid),
        .retire_hart_1_insn(second_insn),
        .retire_hart_1_expanded(second_expanded),
        .retire_hart_1_trap(second_trap),
        .retire_hart_1_pc(second_pc),
        .retire_hart_1_context(second_profiled),
        .retire_hart_1_stall(),
        .event_in_hart_1(24'd0),
`elsif HPP_RETIRE
        .retire_valid(retire_valid),
        .retire_insn(retire_insn),
        .retire_trap(retire_trap),
        .retire_pc(retire_pc),
        .retire_stall(stall),
`ifndef HPP_TINY
        .retire_expanded(retire_expanded),
`endif
`ifdef HPP_CONTEXT_BITS
        .retire_context(retire_context),
`endif
`ifdef HPP_COREV
        .retire_loop_end(retire_loop_end),
`endif
`else
        .rvfi_valid(retire_valid),
        .rvfi_insn(retire_insn),
        .rvfi_trap(retire_trap),
        .rvfi_pc_rdata(retire_pc),
`ifndef HPP_NEXT_RETIREMENT
        .rvfi_intr(retire_intr),
        .rvfi_pc_wdata(retire_next_pc),
`endif
        .rvfi_stall(stall),
`endif
        .idle(),
`ifndef HPP_TINY
`ifdef HPP_SECOND_HART
`elsif HPP_CACHES
        .event_in({11'd0, events[1], 11'd0, events[0]}),
`else
        .event_in({7'd0, events[0]}),
`endif
        .event_select(),
        .path_valid(),
        .path_start(),
        .path_length(),
        .path_outcomes(),
        .path_count(),
`endif
`ifdef HPP_DRAIN
        .drain_valid(drain_valid),
        .drain_ready(drain_ready),
        .drain_start(drain_start),
        .drain_length(drain_length),
        .drain_outcomes(drain_outcomes),
        .drain_count(drain_count),
        .drain_irq(drain_irq),
        .wb_adr_i(address[5:0]),
`else
        .wb_adr_i(address[4:0]),
`endif
        .wb_cyc_i(profiler_access && !answer),
        .wb_stb_i(profiler_access && !answer),
        .wb_we_i(writes),
        .wb_sel_i(writes ? write : 4'b1111),
        .wb_dat_i(write_data),
        .wb_dat_o(profiler_data),
        .wb_ack_o(profiler_ack),
        .wb_stall_o(),
        .wb_err_o()
    );
`else
    assign profiler_ack  = 1'b0;
    assign profiler_data = 32'd0;
    assign stall         = 1'b0;
`endif

    // Evicted entries ----------------------------------------------------------------------------

`ifdef HPP_DRAIN_WRITER
    hpp_drain_writer drain_writer (
        .clk(clk),
        .rst(rst),
        .drain_valid(drain_valid),
        .drain_ready(drain_ready),
        .drain_start(drain_start),
        .drain_length(drain_length),
        .drain_outcomes(drain_outcomes),
        .drain_count(drain_count),
        .wb_cyc_o(),
        .wb_stb_o(drain_strobe),
        .wb_we_o(),
        .wb_adr_o(drain_address),
        .wb_sel_o(),
        .wb_dat_o(drain_data),
        .wb_ack_i(drain_writes),
        .base(DRAIN_BASE[29:0]),
        .room((MEMORY_WORDS - DRAIN_BASE) / ((START_BITS + 31) / 32 + 3)),
        .restart(drain_access && writes),
        .written(drain_entries)
    );
`else
`ifdef HPP_DRAIN
    assign drain_ready   = 1'b0;
`endif
    assign drain_entries = 32'd0;
    assign drain_strobe  = 1'b0;
    assign drain_address = 30'd0;
    assign drain_data    = 32'd0;
`endif
endmodule

`default_nettype wire
