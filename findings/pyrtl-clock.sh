#!/bin/sh
# PyRTL 1.0.3 (PyPI), its simulation's own VCD with `include_clock=True`; pyvcd 0.5.1 (PyPI) reads it.
# - Each cycle's values are written at the moment at which the clock rises *into* that cycle, and the clock rises at time 0 already.
#   We had expected what other simulators write: registers change with an edge, so that the values just before an edge are what it takes in.
# - The identifier of a signal is its name. We had expected the short codes that all others write; a reader with a bound of some characters refuses the file.
# - What is read just before the rising edges is one cycle less than was simulated: of N cycles the last has no edge behind it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages pyrtl==1.0.3 pyvcd==0.5.1
PYTHONPATH=packages python3 - <<'P'
import pyrtl
from vcd.reader import TokenKind, tokenize

CYCLES = 6
count = pyrtl.Register(4, "count_of_the_cycles")
count.next <<= count + 1
simulation = pyrtl.Simulation()
for _ in range(CYCLES):
    simulation.step({})
with open("count.vcd", "w") as file:
    simulation.tracer.print_vcd(file, include_clock=True)

time, now, was, rises, identifiers = None, {}, {}, [], []
sampled = []
for token in tokenize(open("count.vcd", "rb")):
    if token.kind is TokenKind.VAR:
        identifiers.append(token.var.id_code)
    elif token.kind is TokenKind.CHANGE_TIME:
        time, was = token.time_change, dict(now)
    elif token.kind in (TokenKind.CHANGE_VECTOR, TokenKind.CHANGE_SCALAR):
        change = token.vector_change if token.kind is TokenKind.CHANGE_VECTOR else token.scalar_change
        value = int(change.value)
        if change.id_code == "clk" and value == 1 and now.get("clk") != 1:
            rises.append(time)
            if was.get("clk") == 0:
                sampled.append(was["count_of_the_cycles"])
        now[change.id_code] = value
assert "count_of_the_cycles" in identifiers, identifiers
assert rises == [10 * cycle for cycle in range(CYCLES)], rises
assert sampled == list(range(CYCLES - 1)), sampled
print(f"{CYCLES} cycles: the clock rises at {rises}; just before a rise the counter is {sampled}; identifiers {identifiers}")
P
