#!/bin/sh
# nosis 0.1.2 with pyslang 8.1.0 (PyPI), which synthesises Verilog for ECP5, on modules of one expression:
# - `u >> s` and `u != 0 && s != 0` have no netlist: the outputs are bits that no cell drives. `|u` of four bits is u[0]. We had expected some cells of each. With
#   `--no-opt` there are.
# - `a * b` of signed numbers is that of numbers without a sign: -1 times 1 is 15. We had expected SIGNEDA, or inputs that repeat the sign.
# - A `casez` in `always @*` is a comparison with `?` as 0 and a register whose clock is 0. We had expected a function of the inputs alone.
# - The exit status is 0 and no warning comes, with `--verify` ("check equivalence after each optimization pass") as without.
# So a circuit is smaller than it can be, and answers nothing: of what is generated here the data of the bus have no driver.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check nosis==0.1.2 pyslang==8.1.0
: >said
one() {
    echo "module $1 ($2); $3 endmodule" >"$1.v"
    venv/bin/nosis "$1.v" --top "$1" --verify -o "$1.json" >>said 2>&1
    venv/bin/nosis "$1.v" --top "$1" --no-opt -o "$1.whole.json" >>said 2>&1
}
one shift 'input [3:0] u, input [1:0] s, output [3:0] y' 'assign y = u >> s;'
one both 'input [3:0] u, input [1:0] s, output y' 'assign y = u != 0 && s != 0;'
one any 'input [3:0] u, output y' 'assign y = |u;'
one product 'input signed [3:0] a, b, output signed [7:0] y' 'assign y = a * b;'
one first 'input [3:0] u, output reg [1:0] y' "always @* casez (u) 4'b1???: y = 1; 4'b01??: y = 2; default: y = 0; endcase"
cat said
[ ! -s said ]
venv/bin/python - <<'P'
import json


def netlist(name):
    (module,) = json.load(open(f"{name}.json"))["modules"].values()
    ports = {port: seen["bits"] for port, seen in module["ports"].items()}
    cells = list(module["cells"].values())
    return ports, [cell["type"] for cell in cells], cells


for name in ("shift", "both", "any"):
    ports, kinds, _ = netlist(name)
    print(f"{name}: {ports}, cells {kinds}; with --no-opt {len(netlist(name + '.whole')[1])} cells")
    assert not kinds and netlist(f"{name}.whole")[1]
    inputs = {bit for port, bits in ports.items() if port != "y" for bit in bits}
    assert ports["y"] == ports["u"][:1] if name == "any" else not inputs & set(ports["y"])
ports, kinds, (multiplier,) = netlist("product")
joined = multiplier["connections"]
print("product:", kinds, {pin: joined[pin] for pin in ("A3", "A4", "A17", "SIGNEDA", "SIGNEDB")})
assert [joined[pin] for pin in ("A3", "A4", "A17", "SIGNEDA", "SIGNEDB")] == [ports["a"][3:], ["0"], ["0"], ["0"], ["0"]]
ports, kinds, cells = netlist("first")
clocks = [cell["connections"]["CLK"] for cell in cells if cell["type"] == "TRELLIS_FF"]
print("first:", kinds, "clocks", clocks)
assert clocks == [["0"], ["0"]], clocks
P
