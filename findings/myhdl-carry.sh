#!/bin/sh
# MyHDL 0.11.52 (PyPI), its simulation and the Verilog that it converts the same block to, simulated by Icarus Verilog 11.0 (Debian 12: iverilog), on numbers of 8 bits
# without a sign, 200, 100 and 44:
# - `(a + b) >> 1` into 8 bits is 150 in MyHDL, where a sum has the bits that it needs, and 22 in the Verilog, `assign average = ((a + b) >>> 1);`: there the sum has 8. So it
#   is in a clocked process. `(a + b) > c` is 1 and 0, `(a + b) == c` is 0 and 1, and `(a << 1) >> 4` is 25 and 9. We had expected the same of both, as the converter makes signed
#   operands wider (`$signed({1'b0, a})`) where a sum mixes the two kinds.
# - Into 9 bits, or with a signal of 9 bits for the sum, both are 150.
# So a mean, a comparison of a sum or a field by two shifts is another one in what is synthesised; nothing warns, and a test in MyHDL does not show it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages myhdl==0.11.52
apt-get -qq download iverilog 2>/dev/null
dpkg -x iverilog_*.deb root
cat >block.py <<'P'
import warnings

from myhdl import Signal, StopSimulation, always, always_comb, block, delay, instance, intbv

warnings.simplefilter("ignore")


@block
def sums(clk, a, b, c, average, clocked, over, equal, field, wide, named):
    total = Signal(intbv(0)[9:])

    @always_comb
    def at_once():
        average.next = (a + b) >> 1
        over.next = (a + b) > c
        equal.next = (a + b) == c
        field.next = (a << 1) >> 4
        wide.next = (a + b) >> 1
        total.next = a + b

    @always_comb
    def half():
        named.next = total >> 1

    @always(clk.posedge)
    def store():
        clocked.next = (a + b) >> 1

    return at_once, half, store


NAMES = ["average", "clocked", "over", "equal", "field", "wide", "named"]


def ports():
    wide = {name: Signal(intbv(0)[9 if name == "wide" else 8 :]) for name in ["a", "b", "c", *NAMES]}
    return wide | {name: Signal(bool(0)) for name in ["clk", "over", "equal"]}


@block
def bench():
    of = ports()
    inside = sums(**of)

    @instance
    def drive():
        of["a"].next, of["b"].next, of["c"].next = 200, 100, 44
        yield delay(1)
        of["clk"].next = True
        yield delay(1)
        print(*[f"{name} {int(of[name])}" for name in NAMES], file=open("myhdl.txt", "w"))
        raise StopSimulation

    return inside, drive


bench().run_sim(quiet=1)
sums(**ports()).convert(hdl="Verilog")
P
PYTHONPATH=packages python3 block.py 2>warnings.txt
grep 'assign average = ((a + b) >>> 1);' sums.v
cat >bench.v <<'V'
module bench;
  reg clk = 0;
  reg [7:0] a = 200, b = 100, c = 44;
  wire [7:0] average, clocked, field, named;
  wire [8:0] wide;
  wire over, equal;
  sums sums(.clk(clk), .a(a), .b(b), .c(c), .average(average), .clocked(clocked), .over(over), .equal(equal), .field(field), .wide(wide), .named(named));
  initial begin
    #1 clk = 1;
    #1 $display("average %0d clocked %0d over %0d equal %0d field %0d wide %0d named %0d", average, clocked, over, equal, field, wide, named);
  end
endmodule
V
ivl=root/usr/lib/x86_64-linux-gnu/ivl
root/usr/bin/iverilog -V 2>/dev/null | grep -m 1 'version 11\.0'
root/usr/bin/iverilog -B "$ivl" -g2005 -o bench.vvp sums.v bench.v
root/usr/bin/vvp -M "$ivl" bench.vvp >verilog.txt
echo "MyHDL:   $(cat myhdl.txt)"
echo "Verilog: $(cat verilog.txt)"
[ "$(cat myhdl.txt)" = "average 150 clocked 150 over 1 equal 0 field 25 wide 150 named 150" ]
[ "$(cat verilog.txt)" = "average 22 clocked 22 over 0 equal 1 field 9 wide 150 named 150" ]
