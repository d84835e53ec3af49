#!/bin/sh
# Unicorn 2.1.4 (PyPI), RV64, with a program of ten instructions:
# - The hook of new edges (UC_HOOK_EDGE_GENERATED) names the wrong source after `ecall`: not the block that the `ecall` ended, but the one before it. We had expected
#   the block that ran last, as after branches. A graph made of these edges has an edge that no execution takes, and lacks the one that each takes.
# - `ebreak` raises the error of an invalid instruction, and the hook of interrupts does not run. For `ecall` it does, as interrupt 8. We had expected interrupt 3.
# - `wfi` ends `emu_start` without an error, short of the address where it should end. The block that was reported goes beyond the `wfi`: its size counts
#   instructions that did not run.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages unicorn==2.1.4
PYTHONPATH=packages python3 - <<'P'
import struct

from unicorn import UC_ARCH_RISCV, UC_ERR_INSN_INVALID, UC_HOOK_BLOCK, UC_HOOK_CODE, UC_HOOK_EDGE_GENERATED, UC_HOOK_INTR, UC_MODE_RISCV64, Uc, UcError
from unicorn.riscv_const import UC_RISCV_REG_PC

NOP, ECALL, EBREAK, WFI = 0x13, 0x73, 0x100073, 0x10500073


def run(*words):
    """Blocks with their sizes, instructions, interrupts and edges; the error; where it ended."""
    machine = Uc(UC_ARCH_RISCV, UC_MODE_RISCV64)
    machine.mem_map(0, 0x1000)
    machine.mem_write(0, struct.pack(f"<{len(words)}I", *words))
    blocks, ran, interrupts, edges = [], [], [], []
    machine.hook_add(UC_HOOK_BLOCK, lambda _, at, size, __: blocks.append((at, size)))
    machine.hook_add(UC_HOOK_CODE, lambda _, at, __, ___: ran.append(at))
    machine.hook_add(UC_HOOK_INTR, lambda _, number, __: interrupts.append(number))
    machine.hook_add(UC_HOOK_EDGE_GENERATED, lambda _, to, of, __: edges.append((of.pc, to.pc)))
    error = None
    try:
        machine.emu_start(0, 4 * len(words))
    except UcError as raised:
        error = raised.errno
    return blocks, ran, interrupts, edges, error, machine.reg_read(UC_RISCV_REG_PC)


# li s0, 2; loop: addi s0, s0, -1; bnez s0, loop; nop; ecall; nop
blocks, _, interrupts, edges, error, end = run(0x00200413, 0xFFF40413, 0xFE041EE3, NOP, ECALL, NOP)
sequence = [at for at, _ in blocks]
print(f"blocks {sequence}, edges {edges}, interrupts {interrupts}")
assert sequence == [0, 4, 12, 20] and interrupts == [8] and error is None and end == 24
assert edges == [(0, 4), (4, 12), (4, 20)], edges

_, ran, interrupts, _, error, _ = run(NOP, EBREAK, NOP)
print(f"ebreak: interrupts {interrupts}, error {error}")
assert interrupts == [] and error == UC_ERR_INSN_INVALID

blocks, ran, interrupts, _, error, end = run(NOP, WFI, NOP, NOP, NOP)
print(f"wfi: block {blocks}, ran {ran}, error {error}, ended at {end} of 20")
assert ran == [0, 4] and error is None and end == 8
assert blocks[0][1] > 8, blocks
P
