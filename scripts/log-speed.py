#!/usr/bin/env python3
"""How fast `hpp replay` reads a log of Spike, beside a Python loop with one regular expression: processor time of one core, the best of three.

    log-speed.py [LINES]      lines of the log, 4,000,000 unless given
"""

import re
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINE = re.compile(r"core +(\d+): 0x([0-9a-f]+) \(0x([0-9a-f]+)\)")
# A loop that calls a function, which has a branch.
LOOP = """\
core   0: 0x0000000080000000 (0x00000013) nop
core   0: 0x0000000080000004 (0x00c000ef) jal     pc + 0xc
core   0: 0x0000000080000010 (0x00150513) addi    a0, a0, 1
core   0: 0x0000000080000014 (0x00b51463) bne     a0, a1, pc + 8
core   0: 0x000000008000001c (0x00008067) ret
core   0: 0x0000000080000008 (0x00150513) addi    a0, a0, 1
core   0: 0x000000008000000c (0xff5ff06f) j       pc - 0xc
"""


def in_python(log):
    """Processor seconds of a loop that reads the numbers of each line."""
    begin, mixed = time.process_time(), 0
    with open(log, encoding="ascii") as lines:
        for line in lines:
            if match := LINE.match(line):
                hart, pc, insn = match.groups()
                mixed ^= int(hart) ^ int(pc, 16) ^ int(insn, 16)
    assert mixed >= 0
    return time.process_time() - begin


def in_hpp(log):
    """Processor seconds of the command, of all its threads."""

    def spent():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    begin = spent()
    subprocess.run([ROOT / "target/release/hpp", "replay", log], check=True, stdout=subprocess.DEVNULL)
    return spent() - begin


def main():
    rounds = int(sys.argv[1] if len(sys.argv) > 1 else 4_000_000) // LOOP.count("\n")
    lines = rounds * LOOP.count("\n")
    with tempfile.NamedTemporaryFile("w", suffix=".log") as log:
        log.writelines(LOOP for _ in range(rounds))
        log.flush()
        rates = {run.__name__: lines / min(run(log.name) for _ in range(3)) for run in (in_python, in_hpp)}
    for name, rate in rates.items():
        print(f"{name}: {60e-6 * rate:.0f} million lines a minute")
    print(f"{rates['in_hpp'] / rates['in_python']:.1f} times as fast")


if __name__ == "__main__":
    main()
