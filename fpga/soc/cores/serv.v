// hpp_core: SERV (RV32I, a bit a cycle) as the core of hpp_soc.v.
//
// Nothing holds this core's retirement, nor needs to: an instruction takes more than thirty cycles. A tiny profiler may be at work for longer: it holds the next
// fetch, which begins in the cycle in which an instruction retires, so an instruction takes a cycle more. Define RISCV_FORMAL for its files.

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
    wire        code_valid;
    wire [31:0] code_address;
    wire        data_valid;
    wire        data_writes;
    wire [3:0]  data_lanes;
    wire [31:0] data_address;
    wire [3:0]  rvfi_mem_rmask;
    wire [3:0]  rvfi_mem_wmask;

    serv_rf_top #(
        .RESET_PC(32'h0000_0000)
    ) core (
        .clk(clk),
        .i_rst(rst),
        .i_timer_irq(1'b0),
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
        .o_ibus_adr(code_address),
        .o_ibus_cyc(code_valid),
        .i_ibus_rdt(read_data),
        .i_ibus_ack(answer && !data_valid),
        .o_dbus_adr(data_address),
        .o_dbus_dat(write_data),
        .o_dbus_sel(data_lanes),
        .o_dbus_we(data_writes),
        .o_dbus_cyc(data_valid),
        .i_dbus_rdt(read_data),
        .i_dbus_ack(answer && data_valid),
        .o_ext_rs1(),
        .o_ext_rs2(),
        .o_ext_funct3(),
        .i_ext_rd(32'd0),
        .i_ext_ready(1'b0),
        .o_mdu_valid()
    );

    assign gave_up         = 1'b0;  // it traps instead
    assign retire_expanded = 1'b0;
    assign events          = {1'b0, retire_valid && |{rvfi_mem_rmask, rvfi_mem_wmask}};

    // The core fetches when an instruction is over, and accesses data in the midst of one: never both.
    assign valid   = data_valid || code_valid;
    assign address = data_valid ? data_address[31:2] : code_address[31:2];
    assign write   = data_valid && data_writes ? data_lanes : 4'b0000;
`ifdef HPP_TINY
    assign hold    = retire_valid || stall;
`else
    assign hold    = 1'b0;
`endif
endmodule

`default_nettype wire
