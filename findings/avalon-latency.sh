#!/bin/sh
# cocotb-bus 0.3.0 and cocotbext-avalon 0.1.2 (PyPI), two Avalon-MM masters, with cocotb 2.1.0 and Icarus Verilog 11.0 (Debian 12): an agent with `waitrequest` and
# without `readdatavalid`, whose word is there in the cycle in which `waitrequest` is 0, as the specification says of waits without a read latency.
# - AvalonMaster of cocotb-bus takes the word after the edge that ends the transfer, a cycle late, whatever the agent is like: it returns what stands there then,
#   here 0, and says nothing. It drives `address` to x in that very moment. We had expected the word.
# - AvalonMMMasterBFM of cocotbext-avalon takes it in the cycle of the transfer; its `read_response_latency` chooses another.
# So registers read through the first are wrong in a test, and right in the system.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check cocotb==2.1.0 cocotb-bus==0.3.0 cocotbext-avalon==0.1.2
apt-get -qq download iverilog "libpython$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')" 2>/dev/null || apt-get -qq download iverilog 2>/dev/null
for package in *.deb; do
    dpkg -x "$package" root
done
mkdir bin
for tool in "iverilog -B" "vvp -M"; do
    printf '#!/bin/sh\nexec "%s/root/usr/bin/%s" %s "%s/root/usr/lib/x86_64-linux-gnu/ivl" "$@"\n' "$folder" "${tool% *}" "${tool#* }" "$folder" >"bin/${tool% *}"
done
chmod +x bin/*
# The agent waits for two cycles, and shows its word in the third alone.
cat >agent.v <<'V'
module agent (input clk, input avs_read, input avs_write, input [7:0] avs_address, input [31:0] avs_writedata, output avs_waitrequest, output [31:0] avs_readdata);
  reg [1:0] waited = 0;
  assign avs_waitrequest = waited != 2;
  assign avs_readdata = avs_waitrequest ? 32'd0 : 32'd42;
  always @(posedge clk) waited <= (avs_read | avs_write) & avs_waitrequest ? waited + 1 : 0;
endmodule
V
cat >reads.py <<'P'
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotb_bus.drivers.avalon import AvalonMaster
from cocotbext.avalon import AvalonMMMasterBFM


@cocotb.test()
async def reads(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    dut.avs_read.value = dut.avs_write.value = 0
    await ClockCycles(dut.clk, 2)
    second = AvalonMMMasterBFM.from_prefix(dut, "avs", dut.clk)
    second.start()
    right = await second.read(4)
    await ClockCycles(dut.clk, 2)
    late = int(await AvalonMaster(dut, "avs", dut.clk).read(4))
    with open("seen", "w") as file:
        print(f"cocotbext-avalon {right}, cocotb-bus {late}", file=file)
P
cat >run.py <<'P'
from cocotb_tools.runner import get_runner

runner = get_runner("icarus")
runner.build(sources=["agent.v"], hdl_toplevel="agent", timescale=("1ns", "1ns"))
runner.test(test_module="reads", hdl_toplevel="agent", test_dir=".", extra_env={"PYTHONPATH": "."})
P
library=$(venv/bin/python -m find_libpython || :)
[ -n "$library" ] || library=$(echo "$folder"/root/usr/lib/*/libpython3.*.so.1.0)
LIBPYTHON_LOC=$library PATH=$folder/bin:$PATH venv/bin/python run.py >said 2>&1 || { tail -n 40 said; exit 1; }
cat seen
[ "$(cat seen)" = "cocotbext-avalon 42, cocotb-bus 0" ]
