#!/bin/sh
# Migen 0.10.0 (PyPI), its simulation's own VCD (`run_simulation(..., vcd_name=)`); vcdvcd 2.6.0 and pywellen 0.25.7 (PyPI) read it.
# - The reset values of all signals stand at the end of the file, at the time of the last change, and `$dumpvars` at its beginning is empty. We had expected them
#   in `$dumpvars`, and the last cycle's values at the end.
# - So every register falls back to its reset value, and the clock falls, in the moment of the clock's last rise. What the last edge made of the registers is gone
#   for a reader that takes the value at a time: a counter that ends at 7 reads as 0.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages migen==0.10.0 vcdvcd==2.6.0 pywellen==0.25.7
PYTHONPATH=packages python3 - <<'P'
import pywellen
from migen import Module, Signal, run_simulation
from vcdvcd import VCDVCD


class Dut(Module):
    def __init__(self):
        self.count = Signal(4)
        self.sync += self.count.eq(self.count + 1)


def cycles():
    for _ in range(6):
        seen.append((yield dut.count))
        yield
    seen.append((yield dut.count))


seen, dut = [], Dut()
run_simulation(dut, cycles(), vcd_name="dut.vcd")
text = open("dut.vcd").read()
assert "$dumpvars\n$end\n#0\n" in text, text
last = text[text.rindex("#") :].splitlines()
print("the last moment:", last)
changes = {name: [(time, int(value, 2)) for time, value in VCDVCD("dut.vcd")[f"Dut.{name}"].tv] for name in ("sys_clk", "count")}
(before, count), (after, end) = changes["count"][-2:]
assert before == after and (count, end) == (7, 0), changes["count"]
assert [value for _, value in changes["sys_clk"][-2:]] == [1, 0] and changes["sys_clk"][-1][0] == after, changes["sys_clk"]
read = pywellen.Waveform("dut.vcd")["Dut.count"].signal.value_at(after)
print(f"Migen's own process saw {seen}; at the last edge, {after}, vcdvcd reads {changes['count'][-2:]}, pywellen {read}")
assert seen == list(range(7)) and read == 0, (seen, read)
P
