// hpp_plic: a platform-level interrupt controller of RISC-V for one source and one context, as Linux drives it (riscv,plic0).
//
//   irq ---> gateway ---> pending ---+--- enabled, priority above threshold ---> external_irq
//               ^            |
//               |          claim (a read)
//           complete         |
//          (a write) <---- served
//
// Words, by their offset in bytes: 0x4 priority, 0x1000 pending, 0x2000 enabled, 0x200000 threshold, 0x200004 claim and complete. Pending and
// enabled have the source as bit 1, and a claim answers 1, the source's number, or 0.

`default_nettype none

module hpp_plic (
    input  wire        clk,
    input  wire        rst,                       // synchronous, active high
    input  wire        irq,                       // level

    input  wire        access,                    // for one cycle
    input  wire        writes,
    input  wire [21:0] address,                   // of a 32-bit word
    input  wire [31:0] write_data,
    output reg  [31:0] read_data,                 // in the cycle of the access

    output wire        external_irq               // level
);
    localparam [21:0] PRIORITY  = 22'h000001;
    localparam [21:0] PENDING   = 22'h000400;
    localparam [21:0] ENABLED   = 22'h000800;
    localparam [21:0] THRESHOLD = 22'h080000;
    localparam [21:0] CLAIM     = 22'h080001;

    reg  [2:0] priority_of_source;
    reg  [2:0] threshold;
    reg        enabled;
    reg        pending;
    reg        served;                            // claimed and not completed

    wire       claimable = pending && enabled && priority_of_source != 3'd0;
    wire       claim     = access && address == CLAIM && !writes && claimable;
    wire       complete  = access && address == CLAIM && writes && write_data == 32'd1 && enabled;

    assign external_irq = claimable && priority_of_source > threshold;

    always @(*) begin
        case (address)
            PRIORITY:  read_data = {29'd0, priority_of_source};
            PENDING:   read_data = {30'd0, pending, 1'b0};
            ENABLED:   read_data = {30'd0, enabled, 1'b0};
            THRESHOLD: read_data = {29'd0, threshold};
            CLAIM:     read_data = {31'd0, claimable};
            default:   read_data = 32'd0;
        endcase
    end

    always @(posedge clk) begin
        if (rst) begin
            priority_of_source <= 3'd0;
            threshold          <= 3'd0;
            enabled            <= 1'b0;
            pending            <= 1'b0;
            served             <= 1'b0;
        end else begin
            if (access && writes) begin
                case (address)
                    PRIORITY:  priority_of_source <= write_data[2:0];
                    ENABLED:   enabled            <= write_data[1];
                    THRESHOLD: threshold          <= write_data[2:0];
                    default: ;
                endcase
            end

            if (claim)               pending <= 1'b0;
            else if (irq && !served) pending <= 1'b1;

            if (claim)         served <= 1'b1;
            else if (complete) served <= 1'b0;
        end
    end
endmodule

`default_nettype wire
