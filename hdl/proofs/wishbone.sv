// The Wishbone adapter in front of the register file, with scanned counters and an entry that arrives within ENTRY
// cycles. Each access is acknowledged once, within the bound, or aborted by its master without effect. No
// acknowledgement comes without a request.
//: around
//: steps 20
//: damaged assign wb_ack_o = registers_done & wb_cyc_i; => assign wb_ack_o = registers_done;
//: damaged wb_stall_o <= wb_cyc_i & ((wb_stall_o & !registers_done) | (!wb_stall_o & wb_stb_i)); => wb_stall_o <= wb_cyc_i & (wb_stall_o | wb_stb_i);
//: damaged wb_stall_o <= wb_cyc_i & ((wb_stall_o & !registers_done) | (!wb_stall_o & wb_stb_i)); => wb_stall_o <= (wb_stall_o & !registers_done) | (!wb_stall_o & wb_stb_i);
//: damaged assign registers_request = wb_stall_o & wb_cyc_i & !registers_done; => assign registers_request = wb_stall_o & wb_cyc_i;
//: damaged assign registers_request = wb_stall_o & wb_cyc_i & !registers_done; => assign registers_request = wb_stall_o & !registers_done;
//: damaged assign wb_err_o = 1'b0; => assign wb_err_o = registers_done & registers_write;
//: damaged waits = (reads_low & !visited) => waits = (reads_low)

module wishbone_proof (
  input wire clk, input wire rst,
  input wire cyc, input wire stb, input wire we, input wire [4:0] adr, input wire [3:0] sel, input wire [31:0] dat,
  input wire entry_valid
);
  wire [31:0] data, read_data;
  wire ack, stall, err, request, write, done;
  wire [4:0] address;
  wire [3:0] lanes;
  // The scan may rest in front of word 0, and goes on one cycle after a request.
  (* anyseq *) reg tired;
  reg [3:0] scan = 4'd0;
  reg scans = 1'b1;

  hpp_wishbone port (
    .clk(clk), .rst(rst), .wb_cyc_i(cyc), .wb_stb_i(stb), .wb_we_i(we), .wb_adr_i(adr), .wb_sel_i(sel), .wb_dat_i(dat),
    .wb_ack_o(ack), .wb_stall_o(stall), .wb_err_o(err),
    .registers_request(request), .registers_write(write), .registers_address(address), .registers_data(data),
    .registers_lanes(lanes), .registers_done(done), .registers_read_data(read_data)
  );
  hpp_register_file file (
    .clk(clk), .rst(rst), .access_request(request), .access_write(write), .access_address(address), .access_data(data),
    .access_lanes(lanes), .access_done(done), .access_read_data(read_data),
    .counter_visits(scans), .counter_word(scan), .entry_valid(entry_valid)
  );

  reg after_reset = 1'b0;
  always @(posedge clk) begin
    after_reset <= 1'b1;
    if (scans) scan <= scan + 4'd1;
    scans <= request | (scans & !(tired & scan == 4'd15));
  end
  initial assume (rst);

  // The access in progress, if there is one, and its age.
  reg open = 1'b0;
  reg [4:0] age = 5'd0;
  always @(posedge clk) begin
    open <= !rst & cyc & (open ? !ack : stb & !stall);
    age <= open ? age + {4'd0, age != 5'd31} : 5'd1;
  end

  // The entry is missing for at most ENTRY consecutive cycles.
  localparam ENTRY = 5'd12;
  reg [4:0] missing = 5'd0;
  always @(posedge clk) missing <= entry_valid ? 5'd0 : missing + 5'd1;
  always @* assume (entry_valid | (missing < ENTRY));

  always @* if (after_reset) begin
    at_rest: assert (scans | scan == 4'd0);
    stalls_while_open: assert (stall == open);
    asked_for: assert (!ack | (open & cyc));
    done_for_open: assert (!done | open);
    bounded: assert (!open | !cyc | ack | age < 5'd17);
    no_error: assert (!err);
  end
endmodule
