// hpp_core: CVA6 as the core of hpp_soc.v: RV32IMAC, with caches, and up to two instructions that retire in a cycle.
//
// It takes everything below 0x8000_0000 for memory that it may keep: its programs reach UART, profiler and timer above.
//
// Define RVFI_TRACE for its files, and HPP_CHANNELS=2 and HPP_NEXT_RETIREMENT for the system: the profiler relies on neither
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

    // Bus --------------------------------------------------------------------------------------

    hpp_axi_bridge bridge (
        .clk(clk),
        .rst(rst),
        .ar_valid(request.ar_valid),
        .ar_ready(response.ar_ready),
        .ar_id(request.ar.id),
        .ar_addr(request.ar.addr[31:0]),
        .ar_len(request.ar.len),
        .ar_size(request.ar.size),
        .r_valid(response.r_valid),
        .r_ready(request.r_ready),
        .r_id(response.r.id),
        .r_data(response.r.data),
        .r_last(response.r.last),
        .aw_valid(request.aw_valid),
        .aw_ready(response.aw_ready),
        .aw_id(request.aw.id),
        .aw_addr(request.aw.addr[31:0]),
        .w_valid(request.w_valid),
        .w_ready(response.w_ready),
        .w_data(request.w.data),
        .w_strb(request.w.strb),
        .w_last(request.w.last),
        .b_valid(response.b_valid),
        .b_ready(request.b_ready),
        .b_id(response.b.id),
        .valid(valid),
        .address(address),
        .write(write),
        .write_data(write_data),
        .answer(answer),
        .read_data(read_data)
    );

    assign response.r.resp = axi_pkg::RESP_OKAY;
    assign response.r.user = '0;
    assign response.b.resp = axi_pkg::RESP_OKAY;
    assign response.b.user = '0;
    assign hold            = 1'b0;
endmodule

`default_nettype wire
