#!/bin/sh
# riscvflow 0.3.32 (PyPI), which builds the control flow graph of a RISC-V program in assembly, on functions with one branch each:
# - `beq`, `bne`, `blt` and `bge` end a block with two successors. `bltu`, `bgeu` and the usual forms `beqz`, `bnez`, `bltz`, `bgt` are instructions like others: their
#   targets have no edge from there, and no message says so. We had expected two successors of all.
# - `ret` and `jr ra` end nothing: the block goes on into the function behind it. We had expected no successor, or the callers.
# - `jal work` has no edge to `work`; `jal ra, work` has.
# So a function with unsigned comparisons has fewer paths than it takes, and each function contains the ones behind it.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check riscvflow==0.3.32 graphviz==0.21
cat >graph.py <<'P'
import logging

import riscvflow

logging.disable(logging.CRITICAL)
from riscvflow.RISCVControlFlowBuilder import RISCVControlFlowBuilder


def successors(text):
    with open("program.s", "w") as file:
        file.write(".text\nmain:\n    addi a0, a0, 1\n    " + text + "\n    addi a0, a0, 2\nwork:\n    addi a1, a1, 1\nfar:\n    addi a1, a1, 2\n")
    builder = RISCVControlFlowBuilder("program.s")
    builder.parse_and_build_cfg()
    return [node.label.split("(")[0] for node in builder.get_cfg()["main"].children]


both, through = ["far", "[fallthrough"], ["work"]
for text in ("beq a0, a1, far", "bne a0, a1, far", "blt a0, a1, far", "bge a0, a1, far"):
    print(text, successors(text))
    assert successors(text) == both
for text in ("bltu a0, a1, far", "bgeu a0, a1, far", "beqz a0, far", "bnez a0, far", "bltz a0, far", "bgt a0, a1, far", "ret", "jr ra", "jal far"):
    print(text, successors(text))
    assert successors(text) == through
print("jal ra, far", successors("jal ra, far"))
assert "far" in successors("jal ra, far")
P
venv/bin/python graph.py 2>said || { cat said; exit 1; }
