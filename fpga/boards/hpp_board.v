// hpp_board: the SoC as it stands on a board: clock, serial line, and two lamps.
//
//   clk --+--> power-on reset --+
//         |                     v
//         +-----------------> hpp_soc --byte--> uart_transmitter --> uart_tx
//
// The program is in the memory from the start (FIRMWARE). `done`: it has ended with status 0; `failed`: it ended with
// another status, or the core met an instruction that it does not have.

`default_nettype none

module hpp_board #(
    parameter integer CLOCK_HZ = 12000000,
    parameter integer BAUD = 115200,
    parameter integer MEMORY_WORDS = 2048,
    parameter FIRMWARE = "firmware.hex"           // file for $readmemh
) (
    input  wire clk,
    output wire uart_tx,
    output wire done,
    output wire failed
);
    // Registers start at 0 on every device here, so the reset needs no pin.
    reg [7:0] awake_q = 8'd0;
    wire      rst     = !awake_q[7];

    always @(posedge clk) begin
        if (rst) awake_q <= awake_q + 8'd1;
    end

    wire        uart_valid;
    wire [7:0]  uart_data;
    wire        uart_ready;
    wire        finish;
    wire [31:0] finish_status;
    wire        gave_up;

    hpp_soc #(
        .MEMORY_WORDS(MEMORY_WORDS),
        .FIRMWARE(FIRMWARE)
    ) soc (
        .clk(clk),
        .rst(rst),
        .uart_valid(uart_valid),
        .uart_data(uart_data),
        .uart_ready(uart_ready),
        .finish(finish),
        .finish_status(finish_status),
        .gave_up(gave_up)
    );

    uart_transmitter #(
        .CYCLES_PER_BIT((CLOCK_HZ + BAUD / 2) / BAUD)
    ) uart (
        .clk(clk),
        .rst(rst),
        .valid(uart_valid),
        .data(uart_data),
        .ready(uart_ready),
        .tx(uart_tx)
    );

    assign done   = finish && finish_status == 32'd0;
    assign failed = gave_up || (finish && finish_status != 32'd0);
endmodule

`default_nettype wire
