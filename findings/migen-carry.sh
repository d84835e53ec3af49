#!/bin/sh
# Migen 0.10.0 (PyPI), its simulator (`run_simulation`) and the Verilog that it writes of the same module, simulated by Icarus Verilog 11.0 (Debian 12: iverilog):
# - `a + b + s` of two numbers of 8 bits and a signed one, into 12 bits: 200 + 100 - 1 is 299 in the simulator and 43 in the Verilog, which puts `a + b` into a
#   concatenation to make it signed, where the carry has no place. `a + b + d` of three numbers without a sign is right in both. We had expected 299 from both.
# - `a == ~b` of 8 bits each, of 0x0f and 0xf0: 0 in the simulator, where `~b` is -241, and 1 in the Verilog. We had expected 1 from both.
# So what a test showed is not what is synthesised, in both directions; nothing warns. A sum or a complement that has a signal of its own is the same in both.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages migen==0.10.0
apt-get -qq download iverilog 2>/dev/null
dpkg -x iverilog_*.deb root
cat >both.py <<'P'
from migen import Module, Signal, run_simulation
from migen.fhdl import verilog


class Sums(Module):
    def __init__(self):
        self.a, self.b, self.d = (Signal(8, name=name) for name in "abd")
        self.s = Signal((8, True), name="s")
        self.mixed, self.plain, self.own = (Signal((12, True), name=name) for name in ("mixed", "plain", "own"))
        self.complement = Signal(name="complement")
        total = Signal(9)
        self.comb += [
            self.mixed.eq(self.a + self.b + self.s),
            self.plain.eq(self.a + self.b + self.d),
            total.eq(self.a + self.b),
            self.own.eq(total + self.s),
            self.complement.eq(self.a == ~self.b),
        ]


def drive(sums):
    for a, b in ((200, 100), (0x0F, 0xF0)):
        yield sums.a.eq(a)
        yield sums.b.eq(b)
        yield sums.d.eq(1)
        yield sums.s.eq(-1)
        yield
        yield
        print((yield sums.mixed), (yield sums.plain), (yield sums.own), (yield sums.complement), file=out)


with open("simulated", "w") as out:
    sums = Sums()
    run_simulation(sums, drive(sums))
sums = Sums()
ports = {sums.a, sums.b, sums.d, sums.s, sums.mixed, sums.plain, sums.own, sums.complement}
with open("sums.v", "w") as file:
    print(verilog.convert(sums, ports, name="sums"), file=file)
P
PYTHONPATH=packages python3 both.py
cat >bench.v <<'V'
module bench;
  reg [7:0] a, b, d = 1;
  reg signed [7:0] s = -1;
  wire signed [11:0] mixed, plain, own;
  wire complement;
  sums dut (.a(a), .b(b), .d(d), .s(s), .mixed(mixed), .plain(plain), .own(own), .complement(complement));
  initial begin
    a = 200; b = 100;
    #1 $display("%0d %0d %0d %b", mixed, plain, own, complement);
    a = 8'h0f; b = 8'hf0;
    #1 $display("%0d %0d %0d %b", mixed, plain, own, complement);
  end
endmodule
V
ivl=root/usr/lib/x86_64-linux-gnu/ivl
root/usr/bin/iverilog -B "$ivl" -o bench.vvp bench.v sums.v
root/usr/bin/vvp -M "$ivl" bench.vvp >verilog
echo "a + b + s, a + b + d, the first with a signal for a + b, a == ~b"
for form in simulated verilog; do
    echo "$form: $(paste -sd';' $form)"
done
[ "$(paste -sd';' simulated)" = "299 301 299 0;254 256 254 0" ]
[ "$(paste -sd';' verilog)" = "43 301 299 0;254 256 254 1" ]
