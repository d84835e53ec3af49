// hpp_core: VexRiscv as the core of hpp_soc.v: RV32I (the wheel's variant VexRiscv_Min), with caches (VexRiscv), or with
// compressed instructions too (VexRiscv_IMAC).
//
// A core with caches takes everything below 0x8000_0000 for memory that it may keep: its programs reach UART, profiler and timer above.
// A line that one of its caches fetches is an event.
//
// Nothing outside this core can hold its retirement, so the profiler has to take a record in every cycle.
//
// With HPP_CONTEXT_BITS, which is 8, it is the variant VexRiscv_Linux with supervisor mode and address spaces, RV32IMA: a context has a 1
// outside user mode, above seven bits of the address space's identifier (ASID). This variant caches all but three parts of its addresses: of these,
// 0xe000_0000 has the memory again, and 0xf100_0000, 0xf200_0000, ... what the system has at 0x1000_0000, 0x2000_0000, ...
// With HPP_TIMER_INTERRUPT, the timer's interrupt has the place of the drain's, which is an external one.
//
// The core's text needs the outputs that vexriscv_ports.py adds. Define HPP_RETIRE: the profiler watches the last stage.

`default_nettype none

module hpp_core (
    input  wire        clk,
    input  wire        rst,                       // synchronous, active high

    // Bus: an access stands until the cycle of its answer.
    output wire        valid,
    output wire [29:0] address,                   // of a 32-bit word
    output wire [3:0]  write,                     // bytes to write; 0: read
    output wire [31:0] write_data,
    output wire        hold,                      // no answer yet, except from the profiler
    input  wire        answer_next,               // the next cycle is that of the answer
    input  wire        answer,
    input  wire [31:0] read_data,                 // with `answer`
    input  wire [31:0] memory_data,               // the same, if the memory was read
    input  wire        irq,                       // level: the profiler's drain asks for service
`ifdef HPP_TIMER_INTERRUPT
    input  wire        timer_irq,                 // level
`endif
`ifdef HPP_CONTEXT_BITS
    output wire [`HPP_CONTEXT_BITS-1:0] retire_context,
`endif

    // What the last stage does, for profiler and simulation, and events to count beside cycles and instructions.
    output wire        retire_valid,
    output wire [31:0] retire_insn,
    output wire        retire_expanded,           // a compressed instruction, shown as what it stands for
    output wire        retire_trap,
    output wire        retire_intr,
    output wire [31:0] retire_pc,
    output wire [31:0] retire_next_pc,
    output wire [1:0]  events,
    input  wire        stall,                     // the profiler cannot take another retirement
    output wire        gave_up                    // the core will do nothing any more
);
    wire        code_valid;
    reg         code_ready;
    wire [29:0] code_word;
    wire        retire_fires;
    wire        data_valid;
    wire        data_writes;
    reg         data_ready;
    wire [29:0] data_word;
    wire [3:0]  data_lanes;
    wire [2:0]  code_burst;
    wire [2:0]  data_burst;

`ifdef HPP_TIMER_INTERRUPT
    wire        timer_interrupt    = timer_irq;
    wire        external_interrupt = irq;
`else
    wire        timer_interrupt    = irq;
    wire        external_interrupt = 1'b0;
`endif
`ifdef HPP_CONTEXT_BITS
    wire        retire_privileged;
    wire [8:0]  retire_asid;

    assign retire_context = {retire_privileged, retire_asid[6:0]};
`endif

    VexRiscv core (
        .externalResetVector(32'h0000_0000),
        .timerInterrupt(timer_interrupt),
        .softwareInterrupt(1'b0),
        .externalInterruptArray({31'd0, external_interrupt}),
        .iBusWishbone_CYC(),
        .iBusWishbone_STB(code_valid),
        .iBusWishbone_ACK(code_ready),
        .iBusWishbone_WE(),
        .iBusWishbone_ADR(code_word),
        .iBusWishbone_DAT_MISO(memory_data),
        .iBusWishbone_DAT_MOSI(),
        .iBusWishbone_SEL(),
        .iBusWishbone_ERR(1'b0),
        .iBusWishbone_CTI(code_burst),
        .iBusWishbone_BTE(),
        .dBusWishbone_CYC(),
        .dBusWishbone_STB(data_valid),
        .dBusWishbone_ACK(data_ready),
        .dBusWishbone_WE(data_writes),
        .dBusWishbone_ADR(data_word),
        .dBusWishbone_DAT_MISO(read_data),
        .dBusWishbone_DAT_MOSI(write_data),
        .dBusWishbone_SEL(data_lanes),
        .dBusWishbone_ERR(1'b0),
        .dBusWishbone_CTI(data_burst),
        .dBusWishbone_BTE(),
        .clk(clk),
        .reset(rst),
`ifdef HPP_CONTEXT_BITS
        .retire_privileged(retire_privileged),
        .retire_asid(retire_asid),
`endif
        .retire_fires(retire_fires),
        .retire_traps(retire_trap),
        .retire_insn(retire_insn),
        .retire_expanded(retire_expanded),
        .retire_pc(retire_pc)
    );

    // The address that follows is not known here: the next instruction has it.
    assign retire_valid   = retire_fires || retire_trap;
    assign retire_intr    = 1'b0;
    assign retire_next_pc = 32'd0;
    assign gave_up        = 1'b0;  // it traps instead

    // A line begins with its first word, of a burst whose address counts up (2).
    wire code_refill = code_ready && code_burst == 3'd2 && code_word[2:0] == 3'd0;
    wire data_refill = data_ready && data_burst == 3'd2 && data_word[2:0] == 3'd0;

    assign events = {data_refill, code_refill};

`ifdef HPP_CONTEXT_BITS
    wire        data_device = data_word[29:26] == 4'hf;
    wire [29:0] data_place  = {1'b0, data_device ? data_word[24:22] : 3'd0, data_device ? 4'd0 : data_word[25:22], data_word[21:0]};
`else
    wire [29:0] data_place  = data_word;
`endif

    // Data goes before code, which is in the memory only. The core is told by registers, and fetches straight from the
    // memory's word: so nothing else that is read is in front of its instructions.
    assign valid   = data_valid || code_valid;
    assign address = data_valid ? data_place : {4'h0, code_word[25:0]};
    assign write   = data_valid && data_writes ? data_lanes : 4'b0000;
    assign hold    = 1'b0;

    always @(posedge clk) begin
        code_ready <= !rst && answer_next && !data_valid;
        data_ready <= !rst && answer_next && data_valid;
    end
endmodule

`default_nettype wire
