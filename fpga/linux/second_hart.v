// hpp_second_hart: a hart beside the one that boots Linux, for a profiler that both share. It runs a loop of loops in user mode for ever.

`default_nettype none

module hpp_second_hart (
    input  wire        clk,
    input  wire        rst,                       // synchronous, active high
    output wire        retire_valid,
    output wire [31:0] retire_insn,
    output wire        retire_expanded,
    output wire        retire_trap,
    output wire [31:0] retire_pc,
    output wire [`HPP_CONTEXT_BITS-1:0] retire_context
);
    wire        valid;
    wire [29:0] address;
    reg         answer;
    wire        answer_next = valid && !answer;
    reg  [31:0] word;
    reg  [31:0] code [0:15];

    hpp_core core (
        .clk(clk),
        .rst(rst),
        .valid(valid),
        .address(address),
        .write(),
        .write_data(),
        .hold(),
        .answer_next(answer_next),
        .answer(answer),
        .read_data(word),
        .memory_data(word),
        .irq(1'b0),
        .timer_irq(1'b0),
        .retire_context(retire_context),
        .retire_valid(retire_valid),
        .retire_insn(retire_insn),
        .retire_expanded(retire_expanded),
        .retire_trap(retire_trap),
        .retire_intr(),
        .retire_pc(retire_pc),
        .retire_next_pc(),
        .events(),
        .stall(1'b0),
        .gave_up()
    );

    always @(posedge clk) begin
        answer <= !rst && answer_next;
        word   <= code[address[3:0]];
    end

    // A round has three paths: up to the first jump back, from there to each of the next three, and out of the inner loop.
    // Divisions, so that records are no more frequent than a table that looks ways up one after another can take.
    integer i;
    initial begin
        for (i = 12; i < 16; i = i + 1) code[i] = 32'h0000_0013;
        code[0]  = 32'h0000_22b7;  //        lui  t0, 2
        code[1]  = 32'h8002_8293;  //        addi t0, t0, -2048
        code[2]  = 32'h3002_b073;  //        csrc mstatus, t0
        code[3]  = 32'h0180_0313;  //        li   t1, 0x18
        code[4]  = 32'h3413_1073;  //        csrw mepc, t1
        code[5]  = 32'h3020_0073;  //        mret
        code[6]  = 32'h0050_0513;  // 18:    li   a0, 5
        code[7]  = 32'h02a5_d5b3;  // 1c:    divu a1, a1, a0
        code[8]  = 32'h02a5_d5b3;  //        divu a1, a1, a0
        code[9]  = 32'hfff5_0513;  //        addi a0, a0, -1
        code[10] = 32'hfe05_1ae3;  //        bnez a0, 1c
        code[11] = 32'hfedf_f06f;  //        j    18
    end
endmodule

`default_nettype wire
