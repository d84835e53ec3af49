// hpp_core: CVA6 as the core of hpp_soc.v: RV32IMAC, with caches, and up to two instructions that retire in a cycle.
//
// It takes everything below 0x8000_0000 for memory that it may keep: its programs reach UART, profiler and timer above.
//
// Define RVFI_TRACE for its files, and HPP_CHANNELS=2 and HPP_NEXT_RETIREMENT for the system: the profiler believes neither
// `pc_wdata` nor `intr`, which this core does not drive. What stands on `retire_intr` here is for the simulation.
//
// Nothing can hold this core, so the profiler has to take what retires in every cycle.

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

    // What retires, for profiler and simulation, the earlier instruction in the low half, and events to count beside cycles and
    // instructions.
    output wire [1:0]  retire_valid,
    output wire [63:0] retire_insn,
    output wire        retire_expanded,           // a compressed instruction, shown as what it stands for
    output wire [1:0]  retire_trap,
    output wire [1:0]  retire_intr,               // the first instruction behind a trap
    output wire [63:0] retire_pc,
    output wire [63:0] retire_next_pc,
    output wire [1:0]  events,
    input  wire        stall,                     // the profiler cannot take another retirement
    output wire        gave_up                    // the core will do nothing any more
);
    localparam ariane_pkg::ariane_cfg_t CONFIG = '{
        RASDepth:              2,
        BTBEntries:            32,
        BHTEntries:            128,
        NrNonIdempotentRules:  1,
        NonIdempotentAddrBase: 1024'h8000_0000,
        NonIdempotentLength:   1024'h8000_0000,
        NrExecuteRegionRules:  1,
        ExecuteRegionAddrBase: 1024'h0,
        ExecuteRegionLength:   1024'h1000_0000,
        NrCachedRegionRules:   1,
        CachedRegionAddrBase:  1024'h0,
        CachedRegionLength:    1024'h8000_0000,
        AxiCompliant:          1'b1,
        SwapEndianess:         1'b0,
        DmBaseAddress:         64'h0,
        NrPMPEntries:          8
    };

    reg rst_n = 1'b1;
    always @(posedge clk) rst_n <= !rst;

    ariane_axi::req_t            request;
    ariane_axi::resp_t           response;
    ariane_rvfi_pkg::rvfi_port_t rvfi;

    ariane #(
        .ArianeCfg(CONFIG)
    ) core (
        .clk_i(clk),
        .rst_ni(rst_n),
        .boot_addr_i(32'd0),
        .hart_id_i(32'd0),
        .irq_i(2'b00),
        .ipi_i(1'b0),
        .time_irq_i(irq),
        .debug_req_i(1'b0),
        .rvfi_o(rvfi),
        .axi_req_o(request),
        .axi_resp_i(response)
    );

    // What retires -----------------------------------------------------------------------------

    assign retire_valid    = {rvfi[1].valid, rvfi[0].valid};
    assign retire_insn     = {rvfi[1].insn, rvfi[0].insn};
    assign retire_expanded = 1'b0;
    assign retire_trap     = {rvfi[1].trap, rvfi[0].trap};
    assign retire_intr     = {1'b0, entered};
    assign retire_pc       = {rvfi[1].pc_rdata, rvfi[0].pc_rdata};
    assign retire_next_pc  = 64'd0;
    assign events          = 2'b00;
    assign gave_up         = 1'b0;  // it traps instead

    // A trap was taken since the last retirement.
    reg entered;
    always @(posedge clk) entered <= !rst && (core.i_cva6.ex_commit.valid || entered && !retire_valid[0]);

    // AXI: one transfer at a time, a word of 64 bits in up to two accesses -----------------------

    reg         reads;                            // a transfer is under way
    reg         writes;
    reg         on_bus;                           // an access of it is
    reg         high;                             // that of the high half
    reg         both;                             // that of the low half comes before it
    reg  [3:0]  id;
    reg  [28:0] word;
    reg  [7:0]  left;                             // words after this one
    reg  [63:0] data;
    reg  [7:0]  lanes;

    wire idle       = !reads && !writes;
    wire take_read  = idle && request.ar_valid;
    wire take_write = idle && !request.ar_valid && request.aw_valid && request.w_valid;
    wire read_taken = reads && !on_bus && request.r_ready;

    always @(posedge clk) begin
        if (rst) begin
            reads  <= 1'b0;
            writes <= 1'b0;
            on_bus <= 1'b0;
        end else if (take_read) begin
            reads  <= 1'b1;
            on_bus <= 1'b1;
            both   <= request.ar.size == 3'd3;
            high   <= request.ar.size != 3'd3 && request.ar.addr[2];
            id     <= request.ar.id;
            word   <= request.ar.addr[31:3];
            left   <= request.ar.len;
        end else if (take_write) begin
            writes <= 1'b1;
            on_bus <= 1'b1;
            both   <= request.w.strb[3:0] != 4'd0 && request.w.strb[7:4] != 4'd0;
            high   <= request.w.strb[3:0] == 4'd0;
            id     <= request.aw.id;
            word   <= request.aw.addr[31:3];
            data   <= request.w.data;
            lanes  <= request.w.strb;
        end else if (on_bus && answer) begin
            high   <= 1'b1;
            on_bus <= both && !high;
            if (reads && high)  data[63:32] <= read_data;
            if (reads && !high) data[31:0]  <= read_data;
        end else if (read_taken) begin
            reads  <= left != 8'd0;
            on_bus <= left != 8'd0;
            high   <= 1'b0;
            word   <= word + 29'd1;
            left   <= left - 8'd1;
        end else if (writes && !on_bus && request.b_ready) begin
            writes <= 1'b0;
        end
    end

    always_comb begin
        response          = '0;
        response.ar_ready = take_read;
        response.aw_ready = take_write;
        response.w_ready  = take_write;
        response.r_valid  = reads && !on_bus;
        response.r.id     = id;
        response.r.data   = data;
        response.r.last   = left == 8'd0;
        response.b_valid  = writes && !on_bus;
        response.b.id     = id;
    end

    assign valid      = on_bus;
    assign address    = {word, high};
    assign write      = !writes ? 4'd0 : high ? lanes[7:4] : lanes[3:0];
    assign write_data = high ? data[63:32] : data[31:0];
    assign hold       = 1'b0;
endmodule

`default_nettype wire
