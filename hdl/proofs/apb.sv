// The APB adapter in front of the register file, with a master that obeys the protocol. Each transfer ends once, within
// the bound, and only in its access phase.
//: around
//: circuit apb
//: configuration bus = "apb"
//: steps 20
//: damaged assign registers_request = s_apb_psel & !registers_done; => assign registers_request = s_apb_psel;
//: damaged assign s_apb_pready = registers_done; => assign s_apb_pready = 1'b1;
//: damaged waits = (reads_low & !visited) => waits = (reads_low)

module apb_proof (
  input wire clk, input wire rst,
  input wire psel, input wire penable, input wire pwrite, input wire [6:0] paddr, input wire [31:0] pwdata, input wire [3:0] pstrb,
  input wire entry_valid
);
  wire [31:0] prdata, data, read_data;
  wire pready, pslverr, request, write, done;
  wire [4:0] address;
  wire [3:0] lanes;
  // The scan may rest in front of word 0, and goes on one cycle after a request.
  (* anyseq *) reg tired;
  reg [3:0] scan = 4'd0;
  reg scans = 1'b1;

  hpp_apb port (
    .s_apb_psel(psel), .s_apb_penable(penable), .s_apb_pwrite(pwrite), .s_apb_paddr(paddr), .s_apb_pwdata(pwdata),
    .s_apb_pstrb(pstrb), .s_apb_prdata(prdata), .s_apb_pready(pready), .s_apb_pslverr(pslverr),
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

  // The master: a setup phase, then the access phase until the transfer ends, with stable signals.
  reg under_way = 1'b0;
  reg [44:0] transfer;
  always @(posedge clk) begin
    under_way <= !rst & psel & !(penable & pready);
    transfer <= {pwrite, paddr, pwdata, pstrb, 1'b0};
  end
  always @* begin
    assume (penable == under_way);
    if (under_way) assume (psel & ({pwrite, paddr, pwdata, pstrb, 1'b0} == transfer));
    if (rst) assume (!psel);
  end

  // The entry is missing for at most ENTRY consecutive cycles.
  localparam ENTRY = 5'd12;
  reg [4:0] missing = 5'd0;
  always @(posedge clk) missing <= entry_valid ? 5'd0 : missing + 5'd1;
  always @* assume (entry_valid | (missing < ENTRY));

  reg [4:0] age = 5'd0;
  always @(posedge clk) age <= (psel & !pready & !rst) ? age + {4'd0, age != 5'd31} : 5'd0;

  always @* if (after_reset & !rst) begin
    in_access_phase: assert (!pready | (psel & penable));
    bounded: assert (!psel | pready | age < 5'd17);
    no_error: assert (!pslverr);
  end
endmodule
