#!/bin/sh
# PyRTL 1.0.3 (PyPI), its simulation and the Verilog that it writes (`output_to_verilog`) of the same circuit, simulated by Icarus Verilog 11.0 (Debian 12: iverilog):
# - `a + ~b` of 8 bits each has 9 bits. Of 5 and 255 it is 5 in the simulation and 261 in the Verilog: there the inversion stands inside the sum, and Verilog inverts
#   after it has made the operand as wide as the sum. We had expected 5 from both: `~b` has 8 bits. A product (`a * ~b`) is wrong in the same way.
# - With a name for the inverted number (`WireVector(8, "inverted")`) the Verilog has a wire of 8 bits, and both are equal. `a & ~b` is right without.
# So the sum of a complement, the usual way to subtract, has a false carry in what is synthesised, and a test in PyRTL does not show it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages pyrtl==1.0.3
apt-get -qq download iverilog 2>/dev/null
dpkg -x iverilog_*.deb root
PYTHONPATH=packages python3 - <<'P'
import pyrtl

a, b = pyrtl.Input(8, "a"), pyrtl.Input(8, "b")
total, named, masked, product = (pyrtl.Output(width, name) for width, name in ((9, "total"), (9, "named"), (8, "masked"), (16, "product")))
inverted = pyrtl.WireVector(8, "inverted")
inverted <<= ~b
total <<= a + ~b
named <<= a + inverted
masked <<= a & ~b
product <<= a * ~b
simulation = pyrtl.Simulation()
with open("simulated", "w") as file:
    for values in ((5, 255), (200, 100)):
        simulation.step(dict(zip("ab", values)))
        print(*(simulation.inspect(name) for name in ("total", "named", "masked", "product")), file=file)
with open("circuit.v", "w") as file:
    pyrtl.output_to_verilog(file, add_reset=False)
P
cat >bench.v <<'V'
module bench;
  reg [7:0] a, b;
  wire [8:0] total, named;
  wire [7:0] masked;
  wire [15:0] product;
  toplevel dut (.clk(1'b0), .a(a), .b(b), .total(total), .named(named), .masked(masked), .product(product));
  initial begin
    a = 5; b = 255;
    #1 $display("%0d %0d %0d %0d", total, named, masked, product);
    a = 200; b = 100;
    #1 $display("%0d %0d %0d %0d", total, named, masked, product);
  end
endmodule
V
ivl=root/usr/lib/x86_64-linux-gnu/ivl
root/usr/bin/iverilog -B "$ivl" -g2012 -o bench.vvp bench.v circuit.v
root/usr/bin/vvp -M "$ivl" bench.vvp >verilog
grep -F '~' circuit.v
echo "a + ~b, the same with a name for ~b, a & ~b, a * ~b"
for form in simulated verilog; do
    echo "$form: $(paste -sd';' $form)"
done
[ "$(paste -sd';' simulated)" = "5 5 0 0;355 355 136 31000" ]
[ "$(paste -sd';' verilog)" = "261 5 0 64256;99 355 136 45336" ]
