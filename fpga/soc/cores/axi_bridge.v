// hpp_axi_bridge: a master of AXI4 with words of 64 bits, on the bus of hpp_soc.v.
//
// One transfer at a time, reads before writes; a word takes an access for each of its halves that is wanted. Bursts count up.

`default_nettype none

module hpp_axi_bridge (
    input  wire        clk,
    input  wire        rst,                       // synchronous, active high

    input  wire        ar_valid,
    output wire        ar_ready,
    input  wire [3:0]  ar_id,
    input  wire [31:0] ar_addr,
    input  wire [7:0]  ar_len,
    input  wire [2:0]  ar_size,
    output wire        r_valid,
    input  wire        r_ready,
    output wire [3:0]  r_id,
    output wire [63:0] r_data,
    output wire        r_last,

    input  wire        aw_valid,
    output wire        aw_ready,
    input  wire [3:0]  aw_id,
    input  wire [31:0] aw_addr,
    input  wire        w_valid,
    output wire        w_ready,
    input  wire [63:0] w_data,
    input  wire [7:0]  w_strb,
    input  wire        w_last,
    output wire        b_valid,
    input  wire        b_ready,
    output wire [3:0]  b_id,

    // Bus: an access stands until the cycle of its answer.
    output wire        valid,
    output wire [29:0] address,                   // of a 32-bit word
    output wire [3:0]  write,                     // bytes to write; 0: read
    output wire [31:0] write_data,
    input  wire        answer,
    input  wire [31:0] read_data
);
    reg         reads;                            // a transfer is under way
    reg         writes;
    reg         on_bus;                           // an access of it is
    reg         both;                             // of this word both halves are wanted
    reg         high;                             // this is the high one
    reg         last;                             // word of the transfer
    reg  [3:0]  id;
    reg  [28:0] word;
    reg  [7:0]  left;                             // words to read after this one
    reg  [63:0] data;
    reg  [7:0]  lanes;

    wire idle        = !reads && !writes;
    wire take_read   = idle && ar_valid;
    wire take_write  = idle && !ar_valid && aw_valid && w_valid;
    wire take_more   = writes && !on_bus && !last && w_valid;
    wire low_wanted  = w_strb[3:0] != 4'd0;
    wire high_wanted = w_strb[7:4] != 4'd0;

    assign ar_ready = take_read;
    assign aw_ready = take_write;
    assign w_ready  = take_write || take_more;
    assign r_valid  = reads && !on_bus;
    assign r_id     = id;
    assign r_data   = data;
    assign r_last   = left == 8'd0;
    assign b_valid  = writes && !on_bus && last;
    assign b_id     = id;

    always @(posedge clk) begin
        if (rst) begin
            reads  <= 1'b0;
            writes <= 1'b0;
            on_bus <= 1'b0;
        end else if (take_read) begin
            reads  <= 1'b1;
            on_bus <= 1'b1;
            both   <= ar_size == 3'd3;
            high   <= ar_size != 3'd3 && ar_addr[2];
            id     <= ar_id;
            word   <= ar_addr[31:3];
            left   <= ar_len;
        end else if (take_write || take_more) begin
            writes <= 1'b1;
            on_bus <= low_wanted || high_wanted;
            both   <= low_wanted && high_wanted;
            high   <= !low_wanted;
            last   <= w_last;
            data   <= w_data;
            lanes  <= w_strb;
            if (take_write) id <= aw_id;
            word   <= take_write ? aw_addr[31:3] : word + 29'd1;
        end else if (on_bus && answer) begin
            high   <= 1'b1;
            on_bus <= both && !high;
            if (reads && high)  data[63:32] <= read_data;
            if (reads && !high) data[31:0]  <= read_data;
        end else if (r_valid && r_ready) begin
            reads  <= left != 8'd0;
            on_bus <= left != 8'd0;
            high   <= 1'b0;
            word   <= word + 29'd1;
            left   <= left - 8'd1;
        end else if (b_valid && b_ready) begin
            writes <= 1'b0;
        end
    end

    assign valid      = on_bus;
    assign address    = {word, high};
    assign write      = !writes ? 4'd0 : high ? lanes[7:4] : lanes[3:0];
    assign write_data = high ? data[63:32] : data[31:0];
endmodule

`default_nettype wire
