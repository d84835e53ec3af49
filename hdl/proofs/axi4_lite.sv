// The AXI4-Lite adapter in front of the register file, with a master that obeys the protocol at any speed. A response
// is stable until it is accepted. There is one response for each accepted address. Address and data of a write are
// accepted together. A request is accepted within the bound, unless a response of its direction is pending.
//: around
//: configuration bus = "axi4-lite"
//: steps 20
//: damaged wire may_read = s_axi_arvalid & !s_axi_rvalid; => wire may_read = s_axi_arvalid;
//: damaged wire may_write = s_axi_awvalid & s_axi_wvalid & !s_axi_bvalid; => wire may_write = s_axi_awvalid & !s_axi_bvalid;
//: damaged assign s_axi_arready = registers_done & !registers_write; => assign s_axi_arready = registers_done;
//: damaged if (s_axi_bready) s_axi_bvalid <= 1'b0; => s_axi_bvalid <= 1'b0;
//: damaged if (registers_done) busy <= 1'b0; => 
//: damaged waits = (reads_low & !visited) => waits = (reads_low)

module axi4_lite_proof (
  input wire clk, input wire rst,
  input wire awvalid, input wire [6:0] awaddr, input wire wvalid, input wire [31:0] wdata, input wire [3:0] wstrb, input wire bready,
  input wire arvalid, input wire [6:0] araddr, input wire rready,
  input wire entry_valid
);
  wire awready, wready, bvalid, arready, rvalid, request, write, done;
  wire [31:0] rdata, data, read_data;
  wire [1:0] bresp, rresp;
  wire [4:0] address;
  wire [3:0] lanes;
  // The scan may rest in front of word 0, and goes on one cycle after a request.
  (* anyseq *) reg tired;
  reg [3:0] scan = 4'd0;
  reg scans = 1'b1;

  hpp_axi4_lite port (
    .clk(clk), .rst(rst), .s_axi_awvalid(awvalid), .s_axi_awready(awready), .s_axi_awaddr(awaddr), .s_axi_wvalid(wvalid),
    .s_axi_wready(wready), .s_axi_wdata(wdata), .s_axi_wstrb(wstrb), .s_axi_bvalid(bvalid), .s_axi_bready(bready),
    .s_axi_bresp(bresp), .s_axi_arvalid(arvalid), .s_axi_arready(arready), .s_axi_araddr(araddr), .s_axi_rvalid(rvalid),
    .s_axi_rready(rready), .s_axi_rdata(rdata), .s_axi_rresp(rresp),
    .registers_request(request), .registers_write(write), .registers_address(address), .registers_data(data),
    .registers_lanes(lanes), .registers_done(done), .registers_read_data(read_data)
  );
  hpp_register_file file (
    .clk(clk), .rst(rst), .access_request(request), .access_write(write), .access_address(address), .access_data(data),
    .access_lanes(lanes), .access_done(done), .access_read_data(read_data),
    .counter_visits(scans), .counter_word(scan), .entry_valid(entry_valid)
  );

  reg after_reset = 1'b0;
  reg was_reset = 1'b1;
  always @(posedge clk) begin
    after_reset <= 1'b1;
    was_reset <= rst;
    if (scans) scan <= scan + 4'd1;
    scans <= request | (scans & !(tired & scan == 4'd15));
  end
  initial assume (rst);

  // The master: a request is stable until it is accepted.
  reg aw = 1'b0, w = 1'b0, ar = 1'b0, b = 1'b0, r = 1'b0;
  reg [6:0] aw_address, ar_address;
  reg [35:0] w_word;
  reg [31:0] r_word;
  always @(posedge clk) begin
    aw <= !rst & awvalid & !awready;
    w <= !rst & wvalid & !wready;
    ar <= !rst & arvalid & !arready;
    b <= !rst & bvalid & !bready;
    r <= !rst & rvalid & !rready;
    aw_address <= awaddr;
    ar_address <= araddr;
    w_word <= {wstrb, wdata};
    r_word <= rdata;
  end
  always @* begin
    if (aw) assume (awvalid & (awaddr == aw_address));
    if (w) assume (wvalid & ({wstrb, wdata} == w_word));
    if (ar) assume (arvalid & (araddr == ar_address));
  end

  // Responses that are due.
  reg write_due = 1'b0, read_due = 1'b0;
  always @(posedge clk) begin
    write_due <= !rst & ((awvalid & awready) | (write_due & !(bvalid & bready)));
    read_due <= !rst & ((arvalid & arready) | (read_due & !(rvalid & rready)));
  end

  // The entry is missing for at most ENTRY consecutive cycles.
  localparam ENTRY = 5'd12;
  reg [4:0] missing = 5'd0;
  always @(posedge clk) missing <= entry_valid ? 5'd0 : missing + 5'd1;
  always @* assume (entry_valid | (missing < ENTRY));

  // Age of the access in progress, in cycles.
  reg [4:0] age = 5'd0;
  always @(posedge clk) age <= (request & !rst) ? age + {4'd0, age != 5'd31} : 5'd0;

  always @* if (after_reset) begin
    if (b) b_stands: assert (bvalid);
    if (r) r_stands: assert (rvalid & (rdata == r_word));
    b_due: assert (bvalid == write_due);
    r_due: assert (rvalid == read_due);
    together: assert (awready == wready);
    offered_both: assert (!awready | (awvalid & wvalid));
    offered_address: assert (!arready | arvalid);
    one_at_a_time: assert (!(awready & arready));
    not_over_b: assert (!awready | !bvalid);
    not_over_r: assert (!arready | !rvalid);
    bounded: assert (!request | age < 5'd17);
    okay: assert (bresp == 2'd0 & rresp == 2'd0);
  end
endmodule
