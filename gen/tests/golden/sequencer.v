`default_nettype none

module seq (
  input  wire        clk,
  input  wire        rst,
  input  wire        start,
  input  wire [6:0]  spare,
  input  wire [11:0] limit,
  output wire        busy,
  output wire [11:0] count
);
  localparam [1:0] PHASE_IDLE = 2'd0;
  localparam [1:0] PHASE_LAST_STEP = 2'd2;
  localparam [1:0] PHASE_RUN = 2'd1;

  wire [1:0] phase_q;

  reg [11:0] counter_d;
  always @* begin
    counter_d = count;
    case (phase_q)
      PHASE_IDLE: begin
        if (start) counter_d = 12'd0;
      end
      PHASE_RUN: counter_d = count + 12'd2;
      default: ;
    endcase
  end

  reg [1:0] phase_d;
  always @* begin
    phase_d = phase_q;
    case (phase_q)
      PHASE_IDLE: begin
        if (start) phase_d = PHASE_RUN;
      end
      PHASE_RUN: begin
        if (count >= limit) phase_d = PHASE_LAST_STEP;
      end
      default: phase_d = PHASE_IDLE;
    endcase
  end

  assign busy = phase_q != PHASE_IDLE;

  seq_phase phase (
    .clk(clk),
    .rst(rst),
    .d(phase_d),
    .q(phase_q)
  );

  seq_register_12 counter (
    .clk(clk),
    .rst(rst),
    .d(counter_d),
    .q(count)
  );

  // Inputs that this configuration does not use.
  wire unused = &{1'b0, spare};
endmodule

module seq_phase (
  input  wire       clk,
  input  wire       rst,
  input  wire [1:0] d,
  output reg  [1:0] q
);
  always @(posedge clk)
    if (rst) q <= 2'd0;
    else q <= d;
endmodule

// Register with synchronous reset.
module seq_register_12 (
  input  wire        clk,
  input  wire        rst,
  input  wire [11:0] d,
  output reg  [11:0] q
);
  always @(posedge clk) begin
    if (rst) q <= 12'd0;
    else q <= d;
  end
endmodule

`default_nettype wire
