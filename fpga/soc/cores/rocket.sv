// hpp_core: Rocket as the core of hpp_soc.v: RV64IMAC with caches, as it is generated for LiteX (its configuration `LitexConfig`).
//
// It has the memory from 0x8000_0000 on, in its caches, and the devices from 0x3000_0000 on, without them: UART, profiler, end of
// the run and timer are 0x2000_0000 above their places. It starts in a ROM of its own, which goes to 0x1000_0000: from there the program is entered.
//
// Shown is the port for a trace encoder of its CSR file. Define HPP_RETIRE, and HPP_PC_BITS=34 for the system.
//
// Nothing can hold this core, so the profiler has to take a record in every cycle.

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
    output wire [33:0] retire_pc,
    output wire [33:0] retire_next_pc,
    output wire [1:0]  events,
    input  wire        stall,                     // the profiler cannot take another retirement
    output wire        gave_up                    // the core will do nothing any more
);
    wire        mem_ar_valid, mem_ar_ready, mem_r_valid, mem_r_ready, mem_r_last;
    wire        mem_aw_valid, mem_aw_ready, mem_w_valid, mem_w_ready, mem_w_last, mem_b_valid, mem_b_ready;
    wire [3:0]  mem_ar_id, mem_r_id, mem_aw_id, mem_b_id;
    wire [31:0] mem_ar_addr, mem_aw_addr;
    wire [7:0]  mem_ar_len, mem_w_strb;
    wire [2:0]  mem_ar_size;
    wire [63:0] mem_r_data, mem_w_data;
    wire        mmio_ar_valid, mmio_ar_ready, mmio_r_valid, mmio_r_ready, mmio_r_last;
    wire        mmio_aw_valid, mmio_aw_ready, mmio_w_valid, mmio_w_ready, mmio_w_last, mmio_b_valid, mmio_b_ready;
    wire [3:0]  mmio_ar_id, mmio_r_id, mmio_aw_id, mmio_b_id;
    wire [30:0] mmio_ar_addr, mmio_aw_addr;
    wire [7:0]  mmio_ar_len, mmio_w_strb;
    wire [2:0]  mmio_ar_size;
    wire [63:0] mmio_r_data, mmio_w_data;
    wire        dmactive;

    ExampleRocketSystem core (
        .clock(clk),
        .reset(rst),
        .mem_axi4_0_aw_ready(mem_aw_ready),
        .mem_axi4_0_aw_valid(mem_aw_valid),
        .mem_axi4_0_aw_bits_id(mem_aw_id),
        .mem_axi4_0_aw_bits_addr(mem_aw_addr),
        .mem_axi4_0_aw_bits_len(),
        .mem_axi4_0_aw_bits_size(),
        .mem_axi4_0_aw_bits_burst(),
        .mem_axi4_0_aw_bits_lock(),
        .mem_axi4_0_aw_bits_cache(),
        .mem_axi4_0_aw_bits_prot(),
        .mem_axi4_0_aw_bits_qos(),
        .mem_axi4_0_w_ready(mem_w_ready),
        .mem_axi4_0_w_valid(mem_w_valid),
        .mem_axi4_0_w_bits_data(mem_w_data),
        .mem_axi4_0_w_bits_strb(mem_w_strb),
        .mem_axi4_0_w_bits_last(mem_w_last),
        .mem_axi4_0_b_ready(mem_b_ready),
        .mem_axi4_0_b_valid(mem_b_valid),
        .mem_axi4_0_b_bits_id(mem_b_id),
        .mem_axi4_0_b_bits_resp(2'b00),
        .mem_axi4_0_ar_ready(mem_ar_ready),
        .mem_axi4_0_ar_valid(mem_ar_valid),
        .mem_axi4_0_ar_bits_id(mem_ar_id),
        .mem_axi4_0_ar_bits_addr(mem_ar_addr),
        .mem_axi4_0_ar_bits_len(mem_ar_len),
        .mem_axi4_0_ar_bits_size(mem_ar_size),
        .mem_axi4_0_ar_bits_burst(),
        .mem_axi4_0_ar_bits_lock(),
        .mem_axi4_0_ar_bits_cache(),
        .mem_axi4_0_ar_bits_prot(),
        .mem_axi4_0_ar_bits_qos(),
        .mem_axi4_0_r_ready(mem_r_ready),
        .mem_axi4_0_r_valid(mem_r_valid),
        .mem_axi4_0_r_bits_id(mem_r_id),
        .mem_axi4_0_r_bits_data(mem_r_data),
        .mem_axi4_0_r_bits_resp(2'b00),
        .mem_axi4_0_r_bits_last(mem_r_last),
        .mmio_axi4_0_aw_ready(mmio_aw_ready),
        .mmio_axi4_0_aw_valid(mmio_aw_valid),
        .mmio_axi4_0_aw_bits_id(mmio_aw_id),
        .mmio_axi4_0_aw_bits_addr(mmio_aw_addr),
        .mmio_axi4_0_aw_bits_len(),
        .mmio_axi4_0_aw_bits_size(),
        .mmio_axi4_0_aw_bits_burst(),
        .mmio_axi4_0_aw_bits_lock(),
        .mmio_axi4_0_aw_bits_cache(),
        .mmio_axi4_0_aw_bits_prot(),
        .mmio_axi4_0_aw_bits_qos(),
        .mmio_axi4_0_w_ready(mmio_w_ready),
        .mmio_axi4_0_w_valid(mmio_w_valid),
        .mmio_axi4_0_w_bits_data(mmio_w_data),
        .mmio_axi4_0_w_bits_strb(mmio_w_strb),
        .mmio_axi4_0_w_bits_last(mmio_w_last),
        .mmio_axi4_0_b_ready(mmio_b_ready),
        .mmio_axi4_0_b_valid(mmio_b_valid),
        .mmio_axi4_0_b_bits_id(mmio_b_id),
        .mmio_axi4_0_b_bits_resp(2'b00),
        .mmio_axi4_0_ar_ready(mmio_ar_ready),
        .mmio_axi4_0_ar_valid(mmio_ar_valid),
        .mmio_axi4_0_ar_bits_id(mmio_ar_id),
        .mmio_axi4_0_ar_bits_addr(mmio_ar_addr),
        .mmio_axi4_0_ar_bits_len(mmio_ar_len),
        .mmio_axi4_0_ar_bits_size(mmio_ar_size),
        .mmio_axi4_0_ar_bits_burst(),
        .mmio_axi4_0_ar_bits_lock(),
        .mmio_axi4_0_ar_bits_cache(),
        .mmio_axi4_0_ar_bits_prot(),
        .mmio_axi4_0_ar_bits_qos(),
        .mmio_axi4_0_r_ready(mmio_r_ready),
        .mmio_axi4_0_r_valid(mmio_r_valid),
        .mmio_axi4_0_r_bits_id(mmio_r_id),
        .mmio_axi4_0_r_bits_data(mmio_r_data),
        .mmio_axi4_0_r_bits_resp(2'b00),
        .mmio_axi4_0_r_bits_last(mmio_r_last),
        .l2_frontend_bus_axi4_0_aw_ready(),
        .l2_frontend_bus_axi4_0_aw_valid(1'd0),
        .l2_frontend_bus_axi4_0_aw_bits_id(8'd0),
        .l2_frontend_bus_axi4_0_aw_bits_addr(32'd0),
        .l2_frontend_bus_axi4_0_aw_bits_len(8'd0),
        .l2_frontend_bus_axi4_0_aw_bits_size(3'd0),
        .l2_frontend_bus_axi4_0_aw_bits_burst(2'd0),
        .l2_frontend_bus_axi4_0_aw_bits_lock(1'd0),
        .l2_frontend_bus_axi4_0_aw_bits_cache(4'd0),
        .l2_frontend_bus_axi4_0_aw_bits_prot(3'd0),
        .l2_frontend_bus_axi4_0_aw_bits_qos(4'd0),
        .l2_frontend_bus_axi4_0_w_ready(),
        .l2_frontend_bus_axi4_0_w_valid(1'd0),
        .l2_frontend_bus_axi4_0_w_bits_data(64'd0),
        .l2_frontend_bus_axi4_0_w_bits_strb(8'd0),
        .l2_frontend_bus_axi4_0_w_bits_last(1'd0),
        .l2_frontend_bus_axi4_0_b_ready(1'd0),
        .l2_frontend_bus_axi4_0_b_valid(),
        .l2_frontend_bus_axi4_0_b_bits_id(),
        .l2_frontend_bus_axi4_0_b_bits_resp(),
        .l2_frontend_bus_axi4_0_ar_ready(),
        .l2_frontend_bus_axi4_0_ar_valid(1'd0),
        .l2_frontend_bus_axi4_0_ar_bits_id(8'd0),
        .l2_frontend_bus_axi4_0_ar_bits_addr(32'd0),
        .l2_frontend_bus_axi4_0_ar_bits_len(8'd0),
        .l2_frontend_bus_axi4_0_ar_bits_size(3'd0),
        .l2_frontend_bus_axi4_0_ar_bits_burst(2'd0),
        .l2_frontend_bus_axi4_0_ar_bits_lock(1'd0),
        .l2_frontend_bus_axi4_0_ar_bits_cache(4'd0),
        .l2_frontend_bus_axi4_0_ar_bits_prot(3'd0),
        .l2_frontend_bus_axi4_0_ar_bits_qos(4'd0),
        .l2_frontend_bus_axi4_0_r_ready(1'd0),
        .l2_frontend_bus_axi4_0_r_valid(),
        .l2_frontend_bus_axi4_0_r_bits_id(),
        .l2_frontend_bus_axi4_0_r_bits_data(),
        .l2_frontend_bus_axi4_0_r_bits_resp(),
        .l2_frontend_bus_axi4_0_r_bits_last(),
        .resetctrl_hartIsInReset_0(rst),
        .debug_clock(clk),
        .debug_reset(rst),
        .debug_clockeddmi_dmi_req_ready(),
        .debug_clockeddmi_dmi_req_valid(1'b0),
        .debug_clockeddmi_dmi_req_bits_addr(7'd0),
        .debug_clockeddmi_dmi_req_bits_data(32'd0),
        .debug_clockeddmi_dmi_req_bits_op(2'd0),
        .debug_clockeddmi_dmi_resp_ready(1'b0),
        .debug_clockeddmi_dmi_resp_valid(),
        .debug_clockeddmi_dmi_resp_bits_data(),
        .debug_clockeddmi_dmi_resp_bits_resp(),
        .debug_clockeddmi_dmiClock(clk),
        .debug_clockeddmi_dmiReset(rst),
        .debug_ndreset(),
        .debug_dmactive(dmactive),
        .debug_dmactiveAck(dmactive),
        .interrupts(8'd0)
    );

    // What retires -----------------------------------------------------------------------------

    assign retire_valid    = core.tile_prci_domain.tile_reset_domain_tile.core.csr_io_trace_0_valid && !rst;
    assign retire_insn     = core.tile_prci_domain.tile_reset_domain_tile.core.csr_io_trace_0_insn;
    assign retire_expanded = 1'b0;
    assign retire_trap     = core.tile_prci_domain.tile_reset_domain_tile.core.csr_io_trace_0_exception;
    assign retire_intr     = 1'b0;
    assign retire_pc       = core.tile_prci_domain.tile_reset_domain_tile.core.csr_io_trace_0_iaddr;
    assign retire_next_pc  = 34'd0;
    assign events          = 2'b00;
    assign gave_up         = retire_valid && retire_trap && retire_pc == 34'd0;  // a trap without a handler leads there, where nothing is

    // The core's own log, where +core_log=FILE says so, and its timer interrupt: in its text, where there is no port for either.
    string log_file;
    initial begin
        if ($value$plusargs("core_log=%s", log_file)) hpp_rocket::log = $fopen(log_file, "w");
    end
    final begin
        if (hpp_rocket::log != 0) $fclose(hpp_rocket::log);
    end
    always_comb hpp_rocket::timer = irq;

    // Bus: devices before memory -----------------------------------------------------------------

    wire        mem_valid, mmio_valid;
    wire [29:0] mem_address, mmio_address;
    wire [3:0]  mem_write, mmio_write;
    wire [31:0] mem_write_data, mmio_write_data;

    // A program is entered by `li t0, 1; slli t0, t0, 31; jr t0`.
    wire        at_entry   = mmio_valid && mmio_address[28:26] == 3'h1;
    wire        wants_mmio = mmio_valid && !at_entry;
    reg         entry_answer;
    wire [31:0] entry_word = mmio_address[1:0] == 2'd0 ? 32'h0010_0293 : mmio_address[1:0] == 2'd1 ? 32'h01f2_9293 : 32'h0002_8067;

    reg         on_bus;                           // an access is, of the devices' master or the memory's
    reg         of_mmio;
    wire        mmio_now   = on_bus ? of_mmio : wants_mmio;

    always @(posedge clk) begin
        entry_answer <= !rst && at_entry && !entry_answer;
        on_bus       <= !rst && !answer && valid;
        of_mmio      <= mmio_now;
    end

    hpp_axi_bridge mem_bridge (
        .clk(clk),
        .rst(rst),
        .ar_valid(mem_ar_valid),
        .ar_ready(mem_ar_ready),
        .ar_id(mem_ar_id),
        .ar_addr(mem_ar_addr),
        .ar_len(mem_ar_len),
        .ar_size(mem_ar_size),
        .r_valid(mem_r_valid),
        .r_ready(mem_r_ready),
        .r_id(mem_r_id),
        .r_data(mem_r_data),
        .r_last(mem_r_last),
        .aw_valid(mem_aw_valid),
        .aw_ready(mem_aw_ready),
        .aw_id(mem_aw_id),
        .aw_addr(mem_aw_addr),
        .w_valid(mem_w_valid),
        .w_ready(mem_w_ready),
        .w_data(mem_w_data),
        .w_strb(mem_w_strb),
        .w_last(mem_w_last),
        .b_valid(mem_b_valid),
        .b_ready(mem_b_ready),
        .b_id(mem_b_id),
        .valid(mem_valid),
        .address(mem_address),
        .write(mem_write),
        .write_data(mem_write_data),
        .answer(answer && !mmio_now),
        .read_data(read_data)
    );

    hpp_axi_bridge mmio_bridge (
        .clk(clk),
        .rst(rst),
        .ar_valid(mmio_ar_valid),
        .ar_ready(mmio_ar_ready),
        .ar_id(mmio_ar_id),
        .ar_addr({1'b0, mmio_ar_addr}),
        .ar_len(mmio_ar_len),
        .ar_size(mmio_ar_size),
        .r_valid(mmio_r_valid),
        .r_ready(mmio_r_ready),
        .r_id(mmio_r_id),
        .r_data(mmio_r_data),
        .r_last(mmio_r_last),
        .aw_valid(mmio_aw_valid),
        .aw_ready(mmio_aw_ready),
        .aw_id(mmio_aw_id),
        .aw_addr({1'b0, mmio_aw_addr}),
        .w_valid(mmio_w_valid),
        .w_ready(mmio_w_ready),
        .w_data(mmio_w_data),
        .w_strb(mmio_w_strb),
        .w_last(mmio_w_last),
        .b_valid(mmio_b_valid),
        .b_ready(mmio_b_ready),
        .b_id(mmio_b_id),
        .valid(mmio_valid),
        .address(mmio_address),
        .write(mmio_write),
        .write_data(mmio_write_data),
        .answer(at_entry ? entry_answer : answer && mmio_now),
        .read_data(at_entry ? entry_word : read_data)
    );

    // As a core that caches what is below has them: the devices from 0x8000_0000 on, the memory from 0 on.
    assign valid      = mmio_now ? wants_mmio : mem_valid;
    assign address    = mmio_now ? {1'b1, mmio_address[28:26] - 3'h2, mmio_address[25:0]} : {1'b0, mem_address[28:0]};
    assign write      = mmio_now ? mmio_write : mem_write;
    assign write_data = mmio_now ? mmio_write_data : mem_write_data;
    assign hold       = 1'b0;
endmodule

`default_nettype wire
