// hpp_soc_serv: SERV (RV32I, a bit a cycle) with the memory, UART, timer and profiler of hpp_uncore.v; port for port and
// address for address the system of hpp_soc.v.
//
//   +--------+  RVFI                      +--------------+
//   |  SERV  |--------------------------->| hpp_uncore   |
//   +--+--+--+                            |              |
//      |  | code, data (Wishbone)         +------+-------+
//      +--+-------- by turns ---------------------+
//
// Nothing holds this core's retirement, nor needs to: an instruction takes more than thirty cycles. Define RISCV_FORMAL
// for its files.

`default_nettype none

module hpp_soc_serv #(
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

    // Retirement, for whoever watches.
    output wire        retire_valid,
    output wire [31:0] retire_insn,
    output wire [31:0] retire_pc,
    output wire [31:0] retire_next_pc,
    output wire        retire_trap,
    output wire        retire_intr
);
    // Core ------------------------------------------------------------------------------------

    wire        code_valid;
    wire [31:0] code_address;
    wire        data_valid;
    wire        data_writes;
    wire [3:0]  data_lanes;
    wire [31:0] data_address;
    wire [31:0] data_to_write;
    wire [31:0] read_data;
    wire [3:0]  rvfi_mem_rmask;
    wire [3:0]  rvfi_mem_wmask;
    wire        profiler_stall;
    wire        answer_next;
    reg         answer;

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
        .o_dbus_dat(data_to_write),
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

    assign trap = 1'b0;

    // Bus and profiler ------------------------------------------------------------------------

    // The core fetches when an instruction is over, and accesses data in the midst of one: never both.
    always @(posedge clk) answer <= !rst && answer_next;

    hpp_uncore #(
        .MEMORY_WORDS(MEMORY_WORDS),
        .FIRMWARE(FIRMWARE)
    ) uncore (
        .clk(clk),
        .rst(rst),
        .valid(data_valid || code_valid),
        .address(data_valid ? data_address[31:2] : code_address[31:2]),
        .write(data_valid && data_writes ? data_lanes : 4'b0000),
        .write_data(data_to_write),
        .hold(1'b0),
        .answer_next(answer_next),
        .answer(answer),
        .read_data(read_data),
        .memory_data(),
        .uart_valid(uart_valid),
        .uart_data(uart_data),
        .uart_ready(uart_ready),
        .finish(finish),
        .finish_status(finish_status),
        .retire_valid(retire_valid),
        .retire_insn(retire_insn),
        .retire_expanded(1'b0),
        .retire_trap(retire_trap),
        .retire_intr(retire_intr),
        .retire_pc(retire_pc),
        .retire_next_pc(retire_next_pc),
        .event_in({1'b0, retire_valid && |{rvfi_mem_rmask, rvfi_mem_wmask}}),
        .retire_stall(profiler_stall),
        .drain_irq()
    );
endmodule

`default_nettype wire
