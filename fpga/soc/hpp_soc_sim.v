// hpp_soc_sim: the SoC as a simulation looks at it: everything worth recording in five words a cycle. HPP_SOC names the
// system: hpp_soc, of PicoRV32, if it is not defined. HPP_PIPELINE: stages of a core that lets one choose.

`ifndef HPP_SOC
`define HPP_SOC hpp_soc
`endif

`default_nettype none

module hpp_soc_sim #(
    parameter integer MEMORY_WORDS = 524288       // 2 MiB
) (
    input  wire        clk,
    input  wire        rst,
    output wire [63:0] retire_addresses,          // {address of the next instruction, address}
    output wire [37:0] retire,                    // {expanded, events, intr, trap, valid, instruction}
    output wire [38:0] register_write,            // profiler's bus: {valid, word address, data}
    output wire [8:0]  uart,                      // {valid, byte}
    output wire [33:0] stop                       // {core trapped, finished, exit status}
);
    wire        uart_valid;
    wire [7:0]  uart_data;
    wire        finish;
    wire [31:0] finish_status;
    wire        trap;
    wire        valid;
    wire [31:0] insn;
    wire [31:0] pc;
    wire [31:0] next_pc;
    wire        retire_trap;
    wire        retire_intr;

    `HPP_SOC #(
`ifdef HPP_PIPELINE
        .PIPELINE(`HPP_PIPELINE),
`endif
        .MEMORY_WORDS(MEMORY_WORDS)
    ) soc (
        .clk(clk),
        .rst(rst),
        .uart_valid(uart_valid),
        .uart_data(uart_data),
        .uart_ready(1'b1),
        .finish(finish),
        .finish_status(finish_status),
        .trap(trap),
        .retire_valid(valid),
        .retire_insn(insn),
        .retire_pc(pc),
        .retire_next_pc(next_pc),
        .retire_trap(retire_trap),
        .retire_intr(retire_intr)
    );

    assign retire_addresses = {next_pc, pc};
    assign retire           = {soc.uncore.retire_expanded, soc.uncore.event_in, retire_intr, retire_trap, valid, insn};
    assign register_write   = {soc.uncore.profiler_access && soc.uncore.writes && soc.uncore.profiler_ack,
                               soc.uncore.address[5:0], soc.uncore.write_data};
    assign uart             = {uart_valid, uart_data};
    assign stop             = {trap, finish, finish_status};

`ifndef HPP_DRAIN
    // PicoRV32 retires at most every other cycle, SERV hardly ever, and nothing can hold the others, so the profiler never has to hold the core.
    always @(posedge clk) begin
        if (!rst && soc.profiler_stall) begin
            $display("the profiler holds the core, which it never needs to");
            $stop;
        end
    end
`endif
endmodule

`default_nettype wire
