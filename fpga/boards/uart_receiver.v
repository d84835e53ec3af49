// uart_receiver: bytes off a serial line of BAUD, 8N1, as a terminal at the other end reads them; for simulation.
//
// It keeps its own time, to a fraction of a cycle: a line whose bits are too long or too short shows as a framing error.
//
//            ___                                               _______
//   rx          |_start_|_bit 0_|_bit 1_|  ...  |_bit 7_| stop
//                   ^       ^       ^               ^       ^            looked at in the middle of each bit

`default_nettype none

module uart_receiver #(
    parameter integer CLOCK_HZ = 12000000,
    parameter integer BAUD = 115200
) (
    input  wire       clk,
    input  wire       rst,                        // synchronous, active high
    input  wire       rx,
    output reg        valid,                      // for one cycle: `data` is a byte
    output reg  [7:0] data,
    output reg        framing_error               // from the first stop bit on that was 0
);
    reg [3:0]  left_q;                            // bits to look at, stop bit included; 0: the line is idle
    reg [31:0] phase_q;                           // time within the bit: CLOCK_HZ is a whole bit
    reg        old_q;

    wire [31:0] phase = phase_q + BAUD;

    always @(posedge clk) begin
        valid <= 1'b0;
        old_q <= rx;
        if (rst) begin
            left_q        <= 4'd0;
            framing_error <= 1'b0;
            old_q         <= 1'b1;
        end else if (left_q == 4'd0) begin
            phase_q <= CLOCK_HZ / 2;
            if (old_q && !rx) left_q <= 4'd10;
        end else if (phase < CLOCK_HZ) begin
            phase_q <= phase;
        end else begin
            phase_q <= phase - CLOCK_HZ;
            left_q  <= left_q - 4'd1;
            if (left_q == 4'd1) begin
                valid         <= rx;
                framing_error <= framing_error || !rx;
            end else begin
                data <= {rx, data[7:1]};          // the start bit is shifted out again
            end
        end
    end
endmodule

`default_nettype wire
