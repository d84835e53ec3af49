// uart_transmitter: sends bytes as 8N1 at CLOCK_HZ / CYCLES_PER_BIT baud.
//
//            ___                                               _______
//   tx          |_start_|_bit 0_|_bit 1_|  ...  |_bit 7_| stop
//
// A byte is taken when valid and ready are both 1; ready falls until its stop bit has been sent.

`default_nettype none

module uart_transmitter #(
    parameter integer CYCLES_PER_BIT = 104        // 2 or more
) (
    input  wire       clk,
    input  wire       rst,                        // synchronous, active high
    input  wire       valid,
    input  wire [7:0] data,
    output wire       ready,
    output wire       tx
);
    localparam integer COUNT_BITS = $clog2(CYCLES_PER_BIT);
    localparam integer LAST_COUNT = CYCLES_PER_BIT - 1;

    reg [COUNT_BITS-1:0] count_q;                 // cycles of the current bit that are over
    reg [8:0]            shift_q;                 // bits to come, the one on the line lowest
    reg [3:0]            left_q;                  // bits to come, stop bit included; 0: idle

    wire bit_over = count_q == LAST_COUNT[COUNT_BITS-1:0];

    assign ready = left_q == 4'd0;
    assign tx    = shift_q[0];

    always @(posedge clk) begin
        if (rst) begin
            count_q <= {COUNT_BITS{1'b0}};
            shift_q <= 9'h1FF;
            left_q  <= 4'd0;
        end else if (ready) begin
            count_q <= {COUNT_BITS{1'b0}};
            if (valid) begin
                shift_q <= {data, 1'b0};
                left_q  <= 4'd10;
            end
        end else if (bit_over) begin
            count_q <= {COUNT_BITS{1'b0}};
            shift_q <= {1'b1, shift_q[8:1]};
            left_q  <= left_q - 4'd1;
        end else begin
            count_q <= count_q + 1'b1;
        end
    end
endmodule

`default_nettype wire
