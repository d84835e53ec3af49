// hpp_core: Ibex (RV32IMC) as the core of hpp_soc.v.
//
// Nothing can hold this core, so the profiler has to take a record in every cycle. It begins at 0x80 above its boot
// address: what is there in this system jumps to address 0, where programs begin. Define RVFI for its files.
//
// HPP_PIPELINE is the number of its stages: 2 is the configuration `small` of the core's package, 3 its `maxperf`, with a
// write-back stage, an adder for branch targets and multiplication in a cycle.

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
    localparam integer STAGES = `HPP_PIPELINE;
    localparam [31:0] BOOT = 32'h8000_0000;
    localparam [31:0] JUMP_TO_0 = 32'h0000_0067;  // jr zero

    // The core's flip-flops behind its clock gate want an edge of the reset.
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
    wire [3:0]  rvfi_mem_rmask;
    wire [3:0]  rvfi_mem_wmask;

    reg         busy;                             // an access is on the bus:
    reg         of_data;
    reg         of_boot;
    reg  [29:0] word;
    reg  [3:0]  lanes;
    reg  [31:0] word_to_write;

    ibex_top #(
        .RV32M(STAGES == 3 ? ibex_pkg::RV32MSingleCycle : ibex_pkg::RV32MFast),
        .BranchTargetALU(STAGES == 3),
        .WritebackStage(STAGES == 3)
    ) core (
        .clk_i(clk),
        .rst_ni(rst_n),
        .test_en_i(1'b0),
        .ram_cfg_i('0),
        .hart_id_i(32'd0),
        .boot_addr_i(BOOT),
        .instr_req_o(code_request),
        .instr_gnt_i(code_granted),
        .instr_rvalid_i(answer && !of_data),
        .instr_addr_o(code_address),
        .instr_rdata_i(of_boot ? JUMP_TO_0 : read_data),
        .instr_rdata_intg_i(7'd0),
        .instr_err_i(1'b0),
        .data_req_o(data_request),
        .data_gnt_i(data_granted),
        .data_rvalid_i(answer && of_data),
        .data_we_o(data_writes),
        .data_be_o(data_lanes),
        .data_addr_o(data_address),
        .data_wdata_o(data_to_write),
        .data_wdata_intg_o(),
        .data_rdata_i(read_data),
        .data_rdata_intg_i(7'd0),
        .data_err_i(1'b0),
        .irq_software_i(1'b0),
        .irq_timer_i(1'b0),
        .irq_external_i(1'b0),
        .irq_fast_i(15'd0),
        .irq_nm_i(1'b0),
        .scramble_key_valid_i(1'b0),
        .scramble_key_i('0),
        .scramble_nonce_i('0),
        .scramble_req_o(),
        .debug_req_i(1'b0),
        .crash_dump_o(),
        .double_fault_seen_o(gave_up),
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
        .rvfi_rs3_addr(),
        .rvfi_rs1_rdata(),
        .rvfi_rs2_rdata(),
        .rvfi_rs3_rdata(),
        .rvfi_rd_addr(),
        .rvfi_rd_wdata(),
        .rvfi_pc_rdata(retire_pc),
        .rvfi_pc_wdata(retire_next_pc),
        .rvfi_mem_addr(),
        .rvfi_mem_rmask(rvfi_mem_rmask),
        .rvfi_mem_wmask(rvfi_mem_wmask),
        .rvfi_mem_rdata(),
        .rvfi_mem_wdata(),
        .rvfi_ext_pre_mip(),
        .rvfi_ext_post_mip(),
        .rvfi_ext_nmi(),
        .rvfi_ext_nmi_int(),
        .rvfi_ext_debug_req(),
        .rvfi_ext_debug_mode(),
        .rvfi_ext_rf_wr_suppress(),
        .rvfi_ext_mcycle(),
        .rvfi_ext_mhpmcounters(),
        .rvfi_ext_mhpmcountersh(),
        .rvfi_ext_ic_scr_key_valid(),
        .rvfi_ext_irq_valid(),
        .fetch_enable_i(ibex_pkg::IbexMuBiOn),
        .alert_minor_o(),
        .alert_major_internal_o(),
        .alert_major_bus_o(),
        .core_sleep_o(),
        .scan_rst_ni(1'b1)
    );

    assign retire_expanded = 1'b0;
    assign events          = {1'b0, retire_valid && |{rvfi_mem_rmask, rvfi_mem_wmask}};

    // A request is taken when the one before has its answer; data goes before code.
    wire take = !busy || answer;

    assign data_granted = take && data_request;
    assign code_granted = take && code_request && !data_request;

    always @(posedge clk) begin
        if (rst)       busy <= 1'b0;
        else if (take) busy <= data_request || code_request;
        if (take) begin
            of_data       <= data_request;
            of_boot       <= !data_request && code_address[31];
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

`default_nettype wire
