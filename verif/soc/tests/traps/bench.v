// traps_bench: a core with 64 KB of memory, and a profiler that follows its last stage: beside it, or with HPP_BIND bound into it.
// With HPP_CHANNELS, so many instructions may retire in a cycle, and the profiler has RVFI's ingress, with neither `rvfi_intr` nor `rvfi_pc_wdata`.
//
// The core is the module `hpp_core`, of which each file of fpga/soc/cores is one; its interrupt is the timer's.
//
// `wait_memory` withholds answers of the memory, `timer_interrupt` interrupts the core: both from outside, at any moment.

`default_nettype none

`ifndef HPP_CHANNELS
`define HPP_CHANNELS 1
`define HPP_LAST_STAGE
`endif

`ifndef HPP_PC_BITS
`define HPP_PC_BITS 32
`endif

module traps_bench #(
    parameter integer CHANNELS = `HPP_CHANNELS,
    parameter integer PC_BITS = `HPP_PC_BITS
) (
    input  wire        clk,
    input  wire        rst,
    input  wire        timer_interrupt,
    input  wire        wait_memory,

    // Last stage of the core.
    output wire [2*CHANNELS-1:0]  retire,   // {traps, fires}
    output wire [32*CHANNELS-1:0] retire_insn,
    output wire        retire_expanded,
    output wire [PC_BITS*CHANNELS-1:0] retire_pc,
    output wire        retire_stall,

    // Paths made of them.
    output wire        path_valid,
    output wire [PC_BITS-1:0] path_start,
    output wire [5:0]  path_length,
    output wire [31:0] path_outcomes,

    // End of the program.
    output reg         finish,
    output reg  [31:0] finish_status
);
    // Core ------------------------------------------------------------------------------------

    wire        valid;
    wire [29:0] address;
    wire [3:0]  write;
    wire [31:0] write_data;
    wire        answer_next = valid && !answer && !wait_memory;
    reg         answer;
    reg  [31:0] memory_data;
    wire [CHANNELS-1:0]    shown_valid;
    wire [CHANNELS-1:0]    shown_trap;
    wire [32*CHANNELS-1:0] shown_insn;
    wire        shown_expanded;
    wire [PC_BITS*CHANNELS-1:0] shown_pc;

    hpp_core core (
        .clk(clk),
        .rst(rst),
        .valid(valid),
        .address(address),
        .write(write),
        .write_data(write_data),
        .hold(),
        .answer_next(answer_next),
        .answer(answer),
        .read_data(memory_data),
        .memory_data(memory_data),
        .irq(timer_interrupt),
        .retire_valid(shown_valid),
        .retire_insn(shown_insn),
        .retire_expanded(shown_expanded),
        .retire_trap(shown_trap),
        .retire_intr(),
        .retire_pc(shown_pc),
        .retire_next_pc(),
        .events(),
        .stall(1'b0),
        .gave_up()
    );

    // Memory: an access takes two cycles or more; a write at and above 0x8000_0000 ends the program -----

    reg [31:0] memory [0:16383];
    reg [8*1024-1:0] firmware;

    initial begin
        if ($value$plusargs("firmware=%s", firmware)) $readmemh(firmware, memory);
    end

    wire ends = address[29] && write != 4'b0000;

    always @(posedge clk) begin
        answer      <= !rst && answer_next;
        memory_data <= memory[address[13:0]];
        if (answer_next && !ends) begin
            if (write[0]) memory[address[13:0]][7:0]   <= write_data[7:0];
            if (write[1]) memory[address[13:0]][15:8]  <= write_data[15:8];
            if (write[2]) memory[address[13:0]][23:16] <= write_data[23:16];
            if (write[3]) memory[address[13:0]][31:24] <= write_data[31:24];
        end
        if (rst) begin
            finish        <= 1'b0;
        end else if (answer_next && ends) begin
            finish        <= 1'b1;
            finish_status <= write_data;
        end
    end

    // Profiler ----------------------------------------------------------------------------------

`ifdef HPP_BIND
    assign retire          = {core.core.hpp.retire_trap, core.core.hpp.retire_valid && !core.core.hpp.retire_trap};
    assign retire_insn     = core.core.hpp.retire_insn;
    assign retire_expanded = core.core.hpp.retire_expanded;
    assign retire_pc       = core.core.hpp.retire_pc;
    assign retire_stall    = core.core.hpp.retire_stall;
    assign path_valid      = core.core.hpp.path_valid;
    assign path_start      = core.core.hpp.path_start;
    assign path_length     = core.core.hpp.path_length;
    assign path_outcomes   = core.core.hpp.path_outcomes;
`else
    assign retire          = {shown_valid & shown_trap, shown_valid & ~shown_trap};
    assign retire_insn     = shown_insn;
    assign retire_expanded = shown_expanded;
    assign retire_pc       = shown_pc;

    hpp profiler (
        .clk(clk),
        .rst(rst),
`ifdef HPP_LAST_STAGE
        .retire_valid(|retire),
        .retire_trap(retire[1]),
        .retire_insn(retire_insn),
        .retire_expanded(retire_expanded),
        .retire_pc(retire_pc),
        .retire_stall(retire_stall),
`else
        .rvfi_valid(shown_valid),
        .rvfi_trap(shown_trap),
        .rvfi_insn(retire_insn),
        .rvfi_pc_rdata(retire_pc),
        .rvfi_stall(retire_stall),
`endif
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
