#!/bin/sh
# pyvex 9.2.213 (PyPI; angr's lifter to VEX), with pypcode 3.3.3 (PyPI; Ghidra's) for comparison, on RV64GC:
# - `c.jalr ra` is a call of the constant address after it: the lifter writes the return address first and reads the target then. The same call in four
#   bytes, `jalr ra, 0(ra)`, has the right target. We had expected a call of what `ra` held. As lifted the callee is never entered, and the call looks like
#   a call of the next instruction.
# - `mret` falls through to the instruction after it, as `nop` does. We had expected a return, or no decoding as for `sret`: that one ends its block with
#   Ijk_NoDecode. So a trap handler's graph goes on into whatever lies behind the handler.
# - pypcode has an indirect call and a return. For `c.jalr ra` it writes the return address first, too (`ra = 0x1002`, `call [ra]`); for the four bytes it does not.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages pyvex==9.2.213 archinfo==9.2.213 bitstring==4.3.1 pypcode==3.3.3
PYTHONPATH=packages python3 - <<'P'
import archinfo
import pypcode
import pyvex

PLACE, NOP = 0x1000, bytes.fromhex("13000000")
architecture = archinfo.ArchRISCV64()
context = pypcode.Context("RISCV:LE:64:RV64GC")


def vex(code):
    """How the block of one instruction ends, and where it leads; None: it depends on a register."""
    block = pyvex.lift(code + NOP, PLACE, architecture, max_inst=1)
    constant = block.next.con.value - PLACE if isinstance(block.next, pyvex.expr.Const) else None
    return block.jumpkind, constant


def ghidra(code):
    """The last operation of the instruction, and whether it goes where the operation before has just written."""
    *_, before, last = context.translate(code, base_address=PLACE, max_instructions=1).ops
    overwritten = before.output is not None and str(before.output) == str(last.inputs[0])
    return last.opcode.name, overwritten and before.opcode.name == "COPY"


seen = {}
for name, text in [("c.jalr ra", "8290"), ("jalr ra, 0(ra)", "e7800000"), ("c.jalr a0", "0295"), ("mret", "73002030"), ("sret", "73002010"), ("ret", "8280")]:
    code = bytes.fromhex(text)
    seen[name] = vex(code), ghidra(code)
    print(f"{name}: VEX {seen[name][0]}, Ghidra {seen[name][1]}")
assert seen["c.jalr ra"] == (("Ijk_Call", 2), ("CALLIND", True))
assert seen["jalr ra, 0(ra)"] == seen["c.jalr a0"] == (("Ijk_Call", None), ("CALLIND", False))
assert seen["mret"] == (("Ijk_Boring", 4), ("RETURN", False))
assert seen["sret"] == (("Ijk_NoDecode", 0), ("RETURN", False))
assert seen["ret"] == (("Ijk_Ret", None), ("RETURN", False))
# No more than the block's own instruction is between `mret` and the next one.
assert pyvex.lift(bytes.fromhex("73002030") + NOP, PLACE, architecture).instructions == 2
P
