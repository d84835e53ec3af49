// vexriscv_bench: a VexRiscv with 64 KB of memory, and a profiler that follows its last stage: beside it, or with HPP_BIND bound into it.
//
// `wait_memory` withholds answers of the memory, `timer_interrupt` interrupts the core: both from outside, at any moment.

`default_nettype none

module vexriscv_bench (
    input  wire        clk,
    input  wire        rst,
    input  wire        timer_interrupt,
    input  wire        wait_memory,

    // Last stage of the core.
    output wire [1:0]  retire,              // {traps, fires}
    output wire [31:0] retire_insn,
    output wire        retire_expanded,
    output wire [31:0] retire_pc,
    output wire        retire_stall,

    // Paths made of them.
    output wire        path_valid,
    output wire [31:0] path_start,
    output wire [5:0]  path_length,
    output wire [31:0] path_outcomes,

    // End of the program.
    output reg         finish,
    output reg  [31:0] finish_status
);
    // Core ------------------------------------------------------------------------------------

    wire        fetch_stb;
    wire [29:0] fetch_address;
    reg         fetch_ack;
    reg  [31:0] fetch_data;
    wire        data_stb;
    wire [29:0] data_address;
    wire        data_write;
    wire [3:0]  data_select;
    wire [31:0] data_out;
    reg         data_ack;
    reg  [31:0] data_in;

    VexRiscv core (
        .externalResetVector(32'd0),
        .timerInterrupt(timer_interrupt),
        .softwareInterrupt(1'b0),
        .externalInterruptArray(32'd0),
        .iBusWishbone_CYC(),
        .iBusWishbone_STB(fetch_stb),
        .iBusWishbone_ACK(fetch_ack),
        .iBusWishbone_WE(),
        .iBusWishbone_ADR(fetch_address),
        .iBusWishbone_DAT_MISO(fetch_data),
        .iBusWishbone_DAT_MOSI(),
        .iBusWishbone_SEL(),
        .iBusWishbone_ERR(1'b0),
        .iBusWishbone_CTI(),
        .iBusWishbone_BTE(),
        .dBusWishbone_CYC(),
        .dBusWishbone_STB(data_stb),
        .dBusWishbone_ACK(data_ack),
        .dBusWishbone_WE(data_write),
        .dBusWishbone_ADR(data_address),
        .dBusWishbone_DAT_MISO(data_in),
        .dBusWishbone_DAT_MOSI(data_out),
        .dBusWishbone_SEL(data_select),
        .dBusWishbone_ERR(1'b0),
        .dBusWishbone_CTI(),
        .dBusWishbone_BTE(),
`ifndef HPP_BIND
        .retire_fires(retire[0]),
        .retire_traps(retire[1]),
        .retire_insn(retire_insn),
        .retire_expanded(retire_expanded),
        .retire_pc(retire_pc),
`endif
        .clk(clk),
        .reset(rst)
    );

    // Memory: an access takes two cycles or more; a write at and above 0x8000_0000 ends the program -----

    reg [31:0] memory [0:16383];
    reg [8*1024-1:0] firmware;

    initial begin
        if ($value$plusargs("firmware=%s", firmware)) $readmemh(firmware, memory);
    end

    wire writes = data_stb && data_write && !data_ack && !wait_memory && !data_address[29];

    always @(posedge clk) begin
        fetch_ack  <= fetch_stb && !fetch_ack && !wait_memory;
        fetch_data <= memory[fetch_address[13:0]];
        data_ack   <= data_stb && !data_ack && !wait_memory;
        data_in    <= memory[data_address[13:0]];
        if (writes && data_select[0]) memory[data_address[13:0]][7:0]   <= data_out[7:0];
        if (writes && data_select[1]) memory[data_address[13:0]][15:8]  <= data_out[15:8];
        if (writes && data_select[2]) memory[data_address[13:0]][23:16] <= data_out[23:16];
        if (writes && data_select[3]) memory[data_address[13:0]][31:24] <= data_out[31:24];
        if (rst) begin
            finish        <= 1'b0;
        end else if (data_stb && data_write && data_address[29]) begin
            finish        <= 1'b1;
            finish_status <= data_out;
        end
    end

    // Profiler ----------------------------------------------------------------------------------

`ifdef HPP_BIND
    assign retire          = {core.hpp.retire_trap, core.hpp.retire_valid && !core.hpp.retire_trap};
    assign retire_insn     = core.hpp.retire_insn;
    assign retire_expanded = core.hpp.retire_expanded;
    assign retire_pc       = core.hpp.retire_pc;
    assign retire_stall    = core.hpp.retire_stall;
    assign path_valid      = core.hpp.path_valid;
    assign path_start      = core.hpp.path_start;
    assign path_length     = core.hpp.path_length;
    assign path_outcomes   = core.hpp.path_outcomes;
`else
    hpp profiler (
        .clk(clk),
        .rst(rst),
        .retire_valid(|retire),
        .retire_trap(retire[1]),
        .retire_insn(retire_insn),
        .retire_expanded(retire_expanded),
        .retire_pc(retire_pc),
        .retire_stall(retire_stall),
        .event_in(8'd0),
        .event_select(),
        .path_valid(path_valid),
        .path_start(path_start),
        .path_length(path_length),
        .path_outcomes(path_outcomes),
        .path_count()
    );
`endif
endmodule

`default_nettype wire
