#!/bin/sh
# rvsim 2.1.0 (PyPI; a simulator of superscalar RV64 cores), its commit log (`open_commit_log`) and `Simulator.step`, with a program of RV64IC; zig 0.17.1 (PyPI:
# ziglang) assembles it.
# - The log has the lines of Spike, but a compressed instruction is its expansion: `c.bnez` is `(0xfe041de3)`, a branch of four bytes, with no mark. Spike writes
#   the program's word. We had expected that. `step` has the expansion too.
# - So a `c.bnez` that is taken over one compressed instruction is `(0x00079263)`, a branch by 4, and the next line is 4 on. Who takes the length from the word, as its
#   lowest bits say, reads that it fell through. The return address of a `c.jalr` is 2 too much then.
# - `ecall`, which traps, has a line like any other; with `--log-commits` Spike writes none. `instructions_retired` does not count it: the log has more lines.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages rvsim==2.1.0 ziglang==0.17.1
cat >program.s <<'A'
.globl _start
_start:
    la t0, handler
    csrw mtvec, t0
    c.li s0, 3
loop:
    ecall
    c.addi s0, -1
    c.bnez s0, loop
    c.li a5, 1
    c.bnez a5, 1f           # taken, over two bytes
    c.li a5, 2
1:  li t0, 1
    la t1, tohost
    sd t0, 0(t1)
2:  j 2b
.balign 4
handler:
    csrr a4, mepc
    addi a4, a4, 4
    csrw mepc, a4
    mret
.section .tohost, "aw", @progbits
.globl tohost, fromhost
tohost: .quad 0
fromhost: .quad 0
A
echo 'ENTRY(_start) SECTIONS { . = 0x80000000; .text : { *(.text) } .tohost : { *(.tohost) } }' >program.ld
export ZIG_GLOBAL_CACHE_DIR="$folder/cache" ZIG_LOCAL_CACHE_DIR="$folder/cache"
packages/ziglang/zig cc --target=riscv64-freestanding-none -mcpu=generic_rv64+c+zicsr -nostdlib -static -T program.ld -o program program.s
packages/ziglang/zig objcopy -O binary program program.bin
PYTHONPATH=packages python3 - <<'P'
import re

from rvsim import Config, Simulator

BASE, ECALL = 0x80000000, 0x73
text = open("program.bin", "rb").read()
simulator = Simulator(Config(width=1), binary="program")
simulator.open_commit_log("log")
simulator.run(limit=100_000)
retired = simulator.instructions_retired
del simulator  # writes the rest
lines = [(int(pc, 16), int(word, 16)) for pc, word in re.findall(r"^core   0: 0x(\w{16}) \(0x(\w{8})\)", open("log").read(), re.M)]


def program(pc):
    """The program's word."""
    at = pc - BASE
    return int.from_bytes(text[at : at + (4 if text[at] & 3 == 3 else 2)], "little")


differ = [(pc, word) for pc, word in lines if word != program(pc)]
short = [(pc, word) for pc, word in lines if program(pc) & 3 != 3]
assert differ == short and all(word & 3 == 3 for _, word in short) and short
(over,) = {(pc, word) for pc, word in short if word == 0x00079263}
after = lines[lines.index(over) + 1]
print(f"compressed: {len(short)} of {len(lines)} lines, all with words of 32 bits; {program(over[0]):04x} at {over[0]:x} is {over[1]:08x}, and next is {after[0]:x}")
assert after[0] == over[0] + 4
traps = sum(word == ECALL for _, word in lines)
print(f"{traps} lines of ecall; {len(lines)} lines, {retired} instructions retired")
assert traps == 3 and len(lines) - retired == traps

again = Simulator(Config(width=1), binary="program")
steps = [again.step() for _ in range(8)]
assert any(step.raw & 3 == 3 and program(step.pc) & 3 != 3 for step in steps), steps
P
