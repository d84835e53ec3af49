// hpp_core: CV32E40P, or with HPP_CV32E40X defined CV32E40X, as the core of hpp_soc.v: RV32IMC. With HPP_COREV, CV32E40P has CORE-V's extensions.
//
// Neither core has ports that show what retires. Shown here is what its own counter of retired instructions counts, and the
// address that a trap saves, which it does in a cycle in which nothing retires. Define HPP_RETIRE: the profiler watches these signals.
//
// Nothing can hold these cores, so the profiler has to take a record in every cycle.

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
`ifdef HPP_COREV
    output wire        retire_loop_end,           // the last instruction of a hardware loop's body
`endif
    output wire        retire_trap,
    output wire        retire_intr,
    output wire [31:0] retire_pc,
    output wire [31:0] retire_next_pc,
    output wire [1:0]  events,
    input  wire        stall,                     // the profiler cannot take another retirement
    output wire        gave_up                    // the core will do nothing any more
);
    reg rst_n = 1'b1;
    always @(posedge clk) rst_n <= !rst;

    wire        code_request;
    wire        code_granted;
    wire [31:0] code_address;
    wire        data_request;
    wire        data_granted;
    wire        data_writes;
    wire [3:0]  data_lanes;
    wire [31:0] data_address;
    wire [31:0] data_to_write;

    wire        retires;

    reg         busy;                             // an access is on the bus:
    reg         of_data;
    reg  [29:0] word;
    reg  [3:0]  lanes;
    reg  [31:0] word_to_write;

`ifdef HPP_CV32E40X
    if_xif xif ();
    wire flush;

    cv32e40x_core core (
        .clk_i(clk),
        .rst_ni(rst_n),
        .scan_cg_en_i(1'b0),
        .boot_addr_i(32'd0),
        .dm_exception_addr_i(32'd0),
        .dm_halt_addr_i(32'd0),
        .mhartid_i(32'd0),
        .mimpid_patch_i(4'd0),
        .mtvec_addr_i(32'd0),
        .instr_req_o(code_request),
        .instr_gnt_i(code_granted),
        .instr_rvalid_i(answer && !of_data),
        .instr_addr_o(code_address),
        .instr_memtype_o(),
        .instr_prot_o(),
        .instr_dbg_o(),
        .instr_rdata_i(read_data),
        .instr_err_i(1'b0),
        .data_req_o(data_request),
        .data_gnt_i(data_granted),
        .data_rvalid_i(answer && of_data),
        .data_addr_o(data_address),
        .data_be_o(data_lanes),
        .data_we_o(data_writes),
        .data_wdata_o(data_to_write),
        .data_memtype_o(),
        .data_prot_o(),
        .data_dbg_o(),
        .data_atop_o(),
        .data_rdata_i(read_data),
        .data_err_i(1'b0),
        .data_exokay_i(1'b0),
        .mcycle_o(),
        .xif_compressed_if(xif),
        .xif_issue_if(xif),
        .xif_commit_if(xif),
        .xif_mem_if(xif),
        .xif_mem_result_if(xif),
        .xif_result_if(xif),
        .irq_i({24'd0, irq, 7'd0}),               // machine timer
        .wu_wfe_i(1'b0),
        .clic_irq_i(1'b0),
        .clic_irq_id_i(5'd0),
        .clic_irq_level_i(8'd0),
        .clic_irq_priv_i(2'd0),
        .clic_irq_shv_i(1'b0),
        .fencei_flush_req_o(flush),
        .fencei_flush_ack_i(flush),
        .debug_req_i(1'b0),
        .debug_havereset_o(),
        .debug_running_o(),
        .debug_halted_o(),
        .fetch_enable_i(1'b1),
        .core_sleep_o()
    );

    // It retires in the last stage, which has the program's word.
    assign retires         = core.ctrl_fsm.mhpmevent.minstret;
    assign retire_trap     = core.ctrl_fsm.csr_save_cause;
    assign retire_insn     = core.ex_wb_pipe.instr.bus_resp.rdata;
    assign retire_expanded = 1'b0;
    assign retire_pc       = retire_trap ? core.ctrl_fsm.pipe_pc : core.ex_wb_pipe.pc;
`else
    cv32e40p_top
`ifdef HPP_COREV
        #(.COREV_PULP(1))
`endif
    core (
        .clk_i(clk),
        .rst_ni(rst_n),
        .pulp_clock_en_i(1'b0),
        .scan_cg_en_i(1'b0),
        .boot_addr_i(32'd0),
        .mtvec_addr_i(32'd0),
        .dm_halt_addr_i(32'd0),
        .hart_id_i(32'd0),
        .dm_exception_addr_i(32'd0),
        .instr_req_o(code_request),
        .instr_gnt_i(code_granted),
        .instr_rvalid_i(answer && !of_data),
        .instr_addr_o(code_address),
        .instr_rdata_i(read_data),
        .data_req_o(data_request),
        .data_gnt_i(data_granted),
        .data_rvalid_i(answer && of_data),
        .data_we_o(data_writes),
        .data_be_o(data_lanes),
        .data_addr_o(data_address),
        .data_wdata_o(data_to_write),
        .data_rdata_i(read_data),
        .irq_i({24'd0, irq, 7'd0}),               // machine timer
        .irq_ack_o(),
        .irq_id_o(),
        .debug_req_i(1'b0),
        .debug_havereset_o(),
        .debug_running_o(),
        .debug_halted_o(),
        .fetch_enable_i(1'b1),
        .core_sleep_o()
    );

    // It retires when it leaves the decode stage, where compressed instructions are expanded.
    assign retires         = core.core_i.id_stage_i.minstret;
    assign retire_trap     = core.core_i.csr_save_cause;
    assign retire_insn     = core.core_i.instr_rdata_id;
    assign retire_expanded = core.core_i.is_compressed_id;
    assign retire_pc       = retire_trap ? core.core_i.cs_registers_i.exception_pc : core.core_i.pc_id;
`ifdef HPP_COREV
    // Whether rounds are left or not: the profiler sees by the next address where it led.
    assign retire_loop_end = core.core_i.id_stage_i.controller_i.hwlp_end0_eq_pc || core.core_i.id_stage_i.controller_i.hwlp_end1_eq_pc;
`endif
`endif

    assign retire_valid   = retires || retire_trap;
    assign retire_intr    = 1'b0;
    assign retire_next_pc = 32'd0;
    assign events         = 2'b00;
    assign gave_up        = 1'b0;  // it traps instead

    // A request is taken when the one before has its answer; data goes before code.
    wire take = !busy || answer;

    assign data_granted = take && data_request;
    assign code_granted = take && code_request && !data_request;

    always @(posedge clk) begin
        if (rst)       busy <= 1'b0;
        else if (take) busy <= data_request || code_request;
        if (take) begin
            of_data       <= data_request;
            word          <= data_request ? data_address[31:2] : {4'h0, code_address[27:2]};
            lanes         <= data_request && data_writes ? data_lanes : 4'b0000;
            word_to_write <= data_to_write;
        end
    end

    assign valid      = busy;
    assign address    = word;
    assign write      = lanes;
    assign write_data = word_to_write;
    assign hold       = 1'b0;
endmodule

// The clock of a core that sleeps runs on here: no latch is in its way.
`ifdef HPP_CV32E40X
module cv32e40x_clock_gate #(
    parameter LIB = 0
) (
`else
module cv32e40p_clock_gate (
`endif
    input  wire clk_i,
    input  wire en_i,
    input  wire scan_cg_en_i,
    output wire clk_o
);
    assign clk_o = clk_i;
endmodule

`default_nettype wire
