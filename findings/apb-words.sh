#!/bin/sh
# cocotbext-apb 1.1.0 (PyPI), an APB master, with cocotb 2.1.0 and Icarus Verilog 11.0 (Debian 12). Its page says that data wider than the bus is split into accesses to
# consecutive addresses.
# - `write(addr, eight_bytes)` on a bus of 32 bits writes the first four, and says nothing: the number of bytes is divided by the number of bits. The same number as an
#   int writes both words. We had expected two words from both.
# - `read(addr, length=8)` makes two accesses and returns the second word alone. We had expected eight bytes.
# - `write` returns at the falling edge of the clock, half a cycle before the access ends: a register that is looked at right after it has its old value. We had expected the
#   new one, or a return with the edge.
# So a block of registers that a test copies is written by an eighth of it, and of one that it reads the last word is left.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check cocotb==2.1.0 cocotbext-apb==1.1.0
apt-get -qq download iverilog "libpython$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')" 2>/dev/null || apt-get -qq download iverilog 2>/dev/null
for package in *.deb; do
    dpkg -x "$package" root
done
mkdir bin
for tool in "iverilog -B" "vvp -M"; do
    printf '#!/bin/sh\nexec "%s/root/usr/bin/%s" %s "%s/root/usr/lib/x86_64-linux-gnu/ivl" "$@"\n' "$folder" "${tool% *}" "${tool#* }" "$folder" >"bin/${tool% *}"
done
chmod +x bin/*
# Eight registers; every access takes two wait states.
cat >registers.v <<'V'
module registers (input clk, input psel, penable, pwrite, input [4:0] paddr, input [31:0] pwdata, output pready, output [31:0] prdata);
  reg [31:0] words [0:7];
  reg [1:0] waited = 0;
  integer i, accesses = 0;
  initial for (i = 0; i < 8; i = i + 1) words[i] = i;
  assign pready = waited == 2;
  assign prdata = psel & penable & pready ? words[paddr[4:2]] : 32'd0;
  always @(posedge clk) begin
    waited <= psel & penable & !pready ? waited + 1 : 0;
    if (psel & penable & pready) accesses <= accesses + 1;
    if (psel & penable & pready & pwrite) words[paddr[4:2]] <= pwdata;
  end
endmodule
V
cat >accesses.py <<'P'
import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles
from cocotbext.apb import ApbBus, ApbMaster


@cocotb.test()
async def accesses(dut):
    cocotb.start_soon(Clock(dut.clk, 10, unit="ns").start())
    master = ApbMaster(ApbBus.from_entity(dut), dut.clk)
    await ClockCycles(dut.clk, 2)

    async def written(data):
        await master.write(0, data)
        at_once = [hex(int(dut.words[at].value)) for at in (0, 1)]
        await ClockCycles(dut.clk, 3)
        return " ".join([*at_once, "then", *[hex(int(dut.words[at].value)) for at in (0, 1)]])

    with open("seen", "w") as file:
        print("bytes:", await written(bytes.fromhex("1111111122222222")), file=file)
        print("int:", await written(0x4444444433333333), file=file)
        before = int(dut.accesses.value)
        read = await master.read(0, length=8)
        await ClockCycles(dut.clk, 3)
        print(f"read: {read.hex()} in {int(dut.accesses.value) - before} accesses", file=file)
P
cat >run.py <<'P'
from cocotb_tools.runner import get_runner

runner = get_runner("icarus")
runner.build(sources=["registers.v"], hdl_toplevel="registers", timescale=("1ns", "1ns"))
runner.test(test_module="accesses", hdl_toplevel="registers", test_dir=".", extra_env={"PYTHONPATH": "."})
P
library=$(venv/bin/python -m find_libpython || :)
[ -n "$library" ] || library=$(echo "$folder"/root/usr/lib/*/libpython3.*.so.1.0)
LIBPYTHON_LOC=$library PATH=$folder/bin:$PATH venv/bin/python run.py >said 2>&1 || { tail -n 40 said; exit 1; }
cat seen
[ "$(cat seen)" = "bytes: 0x0 0x1 then 0x11111111 0x1
int: 0x33333333 0x1 then 0x33333333 0x44444444
read: 44444444 in 2 accesses" ]
