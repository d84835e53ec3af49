// hpp_board_sim: a board as a simulation looks at it: everything worth recording in five words a cycle, as hpp_soc_sim has it.
//
// What the program prints is read off the board's serial line, and its end is read off the lamps.

`default_nettype none

module hpp_board_sim #(
    parameter integer CLOCK_HZ = 12000000,
    parameter integer BAUD = 115200,
    parameter integer MEMORY_WORDS = 2048
) (
    input  wire        clk,
    input  wire        rst,                       // of the receiver; a board resets itself
    output wire [63:0] retire_addresses,          // {address of the next instruction, address}
    output wire [34:0] retire,                    // {intr, trap, valid, instruction}
    output wire [38:0] register_write,            // profiler's bus: {valid, word address, data}
    output wire [8:0]  uart,                      // {valid, byte}
    output wire [33:0] stop                       // {core trapped, finished, exit status}
);
    wire       tx;
    wire       done;
    wire       failed;
    wire       received;
    wire [7:0] received_data;
    wire       framing_error;

    hpp_board #(
        .CLOCK_HZ(CLOCK_HZ),
        .BAUD(BAUD),
        .MEMORY_WORDS(MEMORY_WORDS),
        .FIRMWARE("")
    ) board (
        .clk(clk),
        .uart_tx(tx),
        .done(done),
        .failed(failed)
    );

    uart_receiver #(
        .CLOCK_HZ(CLOCK_HZ),
        .BAUD(BAUD)
    ) terminal (
        .clk(clk),
        .rst(rst),
        .rx(tx),
        .valid(received),
        .data(received_data),
        .framing_error(framing_error)
    );

    // The last byte is still on its way when the program ends.
    wire finished = (done || failed) && board.uart_ready;

    assign retire_addresses = {board.soc.retire_next_pc, board.soc.retire_pc};
    assign retire           = {board.soc.retire_intr, board.soc.retire_trap, board.soc.retire_valid, board.soc.retire_insn};
    assign register_write   = {board.soc.profiler_access && board.soc.writes && board.soc.profiler_ack,
                               board.soc.address[5:0], board.soc.write_data};
    assign uart             = {received, received_data};
    assign stop             = {board.gave_up, finished, board.finish_status};

    always @(posedge clk) begin
        if (!rst && framing_error) begin
            $display("a stop bit is missing on the serial line");
            $stop;
        end
        if (!board.rst && done && failed) begin
            $display("both lamps are lit");
            $stop;
        end
    end
endmodule

`default_nettype wire
