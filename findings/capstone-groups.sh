#!/bin/sh
# capstone 6.0.0a11 (PyPI), RV32IMC with Zcmp and Zcmt, which groups (call, jump, return) the instructions have.
# - `jal ra` is no call: it is in the group *branch relative* alone. `jalr ra, 0(t0)` is a jump, and so is `ret`, of four bytes and of two. `jal t0` and `c.jalr` are
#   calls, and `mret` is a return and a jump. We had expected calls, and returns for `ret`. The groups are those of the alias that is printed (`jal`, `jalr`, `ret`).
# - With `CS_OPT_DETAIL_REAL` calls are calls and `ret` is a return.
# - `cm.popret`, `cm.jt` and `cm.jalt` have no such group with either. We had expected a return, a jump and a call.
# So a graph that goes by the groups has neither calls nor returns of ordinary code, and functions with Zcmp have no end.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages capstone==6.0.0a11
PYTHONPATH=packages python3 - <<'P'
import capstone

MODE = capstone.CS_MODE_RISCV32 | capstone.CS_MODE_RISCVC | capstone.CS_MODE_RISCV_ZCMP_ZCMT_ZCE
KINDS = {capstone.CS_GRP_CALL: "call", capstone.CS_GRP_JUMP: "jump", capstone.CS_GRP_RET: "return"}
CODE = {
    "jal ra, 16": "ef000001",
    "jal t0, 16": "ef020001",
    "jalr ra, 0(t0)": "e7800200",
    "c.jalr t0": "8292",
    "jalr x0, 0(ra)": "67800000",
    "c.jr ra": "8280",
    "mret": "73002030",
    "cm.popret {ra, s0}, 16": "52be",
    "cm.jt 0": "02a0",
    "cm.jalt 33": "86a0",
}


def kinds(real):
    reader = capstone.Cs(capstone.CS_ARCH_RISCV, MODE)
    reader.option(capstone.CS_OPT_DETAIL, capstone.CS_OPT_ON | (capstone.CS_OPT_DETAIL_REAL if real else 0))
    seen = {}
    for name, code in CODE.items():
        (instruction,) = reader.disasm(bytes.fromhex(code), 0x1000)
        seen[name] = sorted(KINDS[group] for group in instruction.groups if group in KINDS)
        print(f"{'real' if real else 'alias'}: {name} is printed as {instruction.mnemonic} {instruction.op_str}: {seen[name]}")
    return list(seen.values())


CALL, JUMP, RETURN, TRAP, NONE = ["call"], ["jump"], ["return"], ["jump", "return"], []
assert kinds(False) == [NONE, CALL, JUMP, CALL, JUMP, JUMP, TRAP, NONE, NONE, NONE]
assert kinds(True) == [CALL, CALL, CALL, CALL, RETURN, RETURN, TRAP, NONE, NONE, NONE]
P
