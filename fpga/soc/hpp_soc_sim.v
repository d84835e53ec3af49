// hpp_soc_sim: the SoC as a simulation looks at it: everything worth recording in five words a cycle.

`default_nettype none

module hpp_soc_sim #(
    parameter integer MEMORY_WORDS = 524288,      // 2 MiB
    parameter integer DRAIN_BASE = 524288         // first word of what left the profiler's table
) (
    input  wire        clk,
    input  wire        rst,
    output wire [63:0] retire_addresses,          // {address of the next instruction, address}
    output wire [46:0] retire,                    // {loop end, context, expanded, events, intr, trap, valid, instruction}
`ifdef HPP_CHANNELS
    output wire [63:0] second_addresses,          // what retires behind it in the same cycle
    output wire [37:0] second,
`endif
    output wire [38:0] register_write,            // profiler's bus: {valid, word address, data}
    output wire [8:0]  uart,                      // {valid, byte}
    output wire [33:0] stop                       // {core trapped, finished, exit status}
);
    wire        uart_valid;
    wire [7:0]  uart_data;
    wire        finish;
    wire [31:0] finish_status;
    wire        gave_up;

    hpp_soc #(
        .MEMORY_WORDS(MEMORY_WORDS),
        .DRAIN_BASE(DRAIN_BASE)
    ) soc (
        .clk(clk),
        .rst(rst),
        .uart_valid(uart_valid),
        .uart_data(uart_data),
        .uart_ready(1'b1),
        .finish(finish),
        .finish_status(finish_status),
        .gave_up(gave_up)
    );

    assign retire_addresses = {soc.retire_next_pc[31:0], soc.retire_pc[31:0]};
`ifdef HPP_SECOND_HART
    wire [7:0] context_shown = {{9-`HPP_CONTEXT_BITS{1'b0}}, soc.first_profiled};
`elsif HPP_CONTEXT_BITS
    wire [7:0] context_shown = {{8-`HPP_CONTEXT_BITS{1'b0}}, soc.retire_context};
`else
    wire [7:0] context_shown = 8'd0;
`endif

`ifdef HPP_COREV
    wire       loop_end = soc.retire_loop_end;
`else
    wire       loop_end = 1'b0;
`endif

    assign retire           = {loop_end, context_shown, soc.retire_expanded, soc.events, soc.retire_intr[0], soc.retire_trap[0], soc.retire_valid[0],
                               soc.retire_insn[31:0]};
`ifdef HPP_CHANNELS
    assign second_addresses = {soc.retire_next_pc[63:32], soc.retire_pc[63:32]};
    assign second           = {3'd0, soc.retire_intr[1], soc.retire_trap[1], soc.retire_valid[1], soc.retire_insn[63:32]};
`endif
    assign register_write   = {soc.profiler_access && soc.writes && soc.profiler_ack,
                               soc.address[5:0], soc.write_data};
    assign uart             = {uart_valid, uart_data};
    assign stop             = {gave_up, finish, finish_status};

`ifndef HPP_TINY
`ifndef HPP_DRAIN
    // PicoRV32 retires at most every other cycle, SERV hardly ever, and nothing can hold the others, so the profiler never has to hold the core.
    always @(posedge clk) begin
        if (!rst && soc.stall) begin
            $display("the profiler holds the core, which it never needs to");
            $stop;
        end
    end
`endif
`endif
endmodule

`default_nettype wire
