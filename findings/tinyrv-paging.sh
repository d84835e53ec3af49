#!/bin/sh
# tinyrv 0.1.0 (PyPI; a simulator of RV32GC and RV64GC), in S mode with Sv39, a page of 2 MiB at 0x40000000 that is mapped to 0x80200000:
# - `jal`, `c.j` and branches, taken or not, go to a physical address; `auipc` and the return addresses of `jal` and `jalr` are physical, and so is `sepc` after `ecall`. The
#   next fetch from there is a page fault. We had expected virtual addresses. `addi` goes on at the next virtual address, and `jalr` to where its register says.
# - With a page that is mapped to its own address all of them are right.
# - The trace shows the physical address of each instruction.
# So a kernel runs as long as it lies where it is loaded, and a log of one that moved up in its own space has the addresses of no program's file.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check tinyrv==0.1.0
cat >paging.py <<'P'
import contextlib
import io
import struct

import tinyrv

ROOT, LEAVES, PHYSICAL = 0x80000000, 0x80001000, 0x80200000
# Word, and what is looked at after it: the next address, a register or sepc, relative to the instruction's address.
CASES = {
    "addi a0, a0, 1": (0x00150513, "pc", 4),
    "auipc a0, 0": (0x00000517, "a0", 0),
    "jal ra, .+16": (0x010000EF, "pc", 16),
    "jal ra, .+16 (ra)": (0x010000EF, "ra", 4),
    "jalr ra, 0(t1)": (0x000300E7, "pc", 0x100),
    "jalr ra, 0(t1) (ra)": (0x000300E7, "ra", 4),
    "c.j .+4": (0x0001A011, "pc", 4),
    "beq zero, zero, .+8": (0x00000463, "pc", 8),
    "bne zero, zero, .+8": (0x00001463, "pc", 4),
    "ecall": (0x00000073, "sepc", 0),
}


def offsets(virtual):
    seen = {}
    for name, (word, what, _) in CASES.items():
        core = tinyrv.sim(xlen=64)
        core.copy_in(ROOT + 8 * (virtual >> 30), struct.pack("<Q", LEAVES >> 12 << 10 | 1))
        core.copy_in(LEAVES + 8 * (virtual >> 21 & 511), struct.pack("<Q", PHYSICAL >> 12 << 10 | 0xCF))
        core.copy_in(PHYSICAL, struct.pack("<I", word))
        core.csr[core.SATP] = 8 << 60 | ROOT >> 12
        core.csr[core.MEDELEG] = 0xFFFF
        core.plevel, core.pc = 1, virtual
        core.x[6] = virtual + 0x100
        with contextlib.redirect_stdout(io.StringIO()) as trace:
            core.step()
            at = {"pc": core.pc, "a0": core.x[10], "ra": core.x[1], "sepc": core.csr[core.SEPC]}[what]
            core.step()
        if name == "jal ra, .+16":
            seen["cause after jal"] = core.csr[core.SCAUSE]
        assert trace.getvalue().startswith(f"{PHYSICAL:08x}:")
        seen[name] = at & 0xFFFFFFFF
    return seen


same, moved = offsets(PHYSICAL), offsets(0x40000000)
for name, (_, what, offset) in CASES.items():
    print(f"{name}: {what} is {moved[name]:#x}")
    assert same[name] == PHYSICAL + offset
    assert moved[name] == (0x40000000 if name in ("addi a0, a0, 1", "jalr ra, 0(t1)") else PHYSICAL) + offset
print("cause after jal:", moved["cause after jal"])
assert same["cause after jal"] != 12 == moved["cause after jal"]
P
venv/bin/python paging.py
