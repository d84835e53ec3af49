#!/bin/sh
# cocotb 2.1.0 (PyPI) with Icarus Verilog 11.0 (Debian 12: iverilog 11.0-1.1+b1): a variable is written by `Immediate` at time 0, as cocotbext-ahb 0.5.1 (PyPI) does
# with every input of a bus; later writes are plain ones.
# - A continuous assignment that selects bits of it, `assign low = value[1:0]`, is x for ever, though `value` itself has each new word. One of the whole variable
#   follows, and so does a process that selects the same bits. We had expected the same of all three.
# - The same write one clock later does no harm.
# So a decoder made of assignments, such as the byte lanes of an AHB slave, stays unknown in a test whose master is made before the first edge.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check cocotb==2.1.0
apt-get -qq download iverilog "libpython$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')" 2>/dev/null || apt-get -qq download iverilog 2>/dev/null
for package in *.deb; do
    dpkg -x "$package" root
done
mkdir bin
for tool in "iverilog -B" "vvp -M"; do
    printf '#!/bin/sh\nexec "%s/root/usr/bin/%s" %s "%s/root/usr/lib/x86_64-linux-gnu/ivl" "$@"\n' "$folder" "${tool% *}" "${tool#* }" "$folder" >"bin/${tool% *}"
done
chmod +x bin/*
bin/iverilog -V 2>/dev/null | head -n 1
cat >bits.v <<'V'
module bits;
  reg clk;
  reg [3:0] value;
  wire [1:0] low = value[1:0];
  wire [3:0] whole = value;
  reg [1:0] low_q;
  always @(posedge clk) low_q <= value[1:0];
endmodule
V
cat >writes.py <<'P'
import os

import cocotb
from cocotb.clock import Clock
from cocotb.handle import Immediate
from cocotb.triggers import RisingEdge


@cocotb.test()
async def writes(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    if os.environ["LATE"] == "1":
        await RisingEdge(dut.clk)
    dut.value.set(Immediate(0))
    for word in (1, 2, 3):
        await RisingEdge(dut.clk)
        dut.value.value = word
    await RisingEdge(dut.clk)
    await RisingEdge(dut.clk)
    seen = " ".join(str(getattr(dut, name).value) for name in ("value", "whole", "low_q", "low"))
    with open("seen", "a") as file:
        print("late" if os.environ["LATE"] == "1" else "at 0", seen, file=file)
P
cat >run.py <<'P'
from cocotb_tools.runner import get_runner

runner = get_runner("icarus")
runner.build(sources=["bits.v"], hdl_toplevel="bits", timescale=("1ns", "1ns"))
for late in "01":
    runner.test(test_module="writes", hdl_toplevel="bits", test_dir=".", extra_env={"LATE": late, "PYTHONPATH": "."})
P
library=$(venv/bin/python -m find_libpython || :)
[ -n "$library" ] || library=$(echo "$folder"/root/usr/lib/*/libpython3.*.so.1.0)
LIBPYTHON_LOC=$library PATH=$folder/bin:$PATH venv/bin/python run.py >said 2>&1 || { tail -n 40 said; exit 1; }
echo "          value whole low_q low"
cat seen
[ "$(cat seen)" = "at 0 0011 0011 11 XX
late 0011 0011 11 11" ]
