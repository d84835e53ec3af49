#!/bin/sh
# QEMU 7.2 (Debian 12: qemu-user-static 7.2+dfsg), `-d exec,nochain`, with a program of RV64 that a timer interrupts; zig 0.17.1 (PyPI: ziglang) assembles it.
# - A block is logged *before* it is known whether it runs. A signal stops it, and a line `Stopped execution of TB chain before` follows, with the address of
#   the block that has just been logged. We had expected a `Trace` line for each block that runs, and no other.
# - So the lines of a loop's block are its iterations and the stops before it; on a program with a timer of 1 ms some 2 in 1,000 were no iteration.
# - The signal's handler has no line of its own that says where it came from.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages ziglang==0.17.1
apt-get download --quiet qemu-user-static >/dev/null
dpkg-deb -x qemu-user-static_*.deb .
usr/bin/qemu-riscv64-static --version | head -n 1 | tee version
grep -q 'version 7\.2\.' version
cat >program.s <<'S'
.globl _start
_start:
    la a1, action
    la t0, handler
    sd t0, 0(a1)
    li a0, 14               # rt_sigaction(SIGALRM, action)
    li a2, 0
    li a3, 8
    li a7, 134
    ecall
    li a0, 0                # setitimer(ITIMER_REAL, timer)
    la a1, timer
    li a2, 0
    li a7, 103
    ecall
    li s0, 400000
    j loop
.balign 64
loop:
    addi s0, s0, -1
    bnez s0, loop
    li a0, 0
    li a7, 94               # exit_group(0)
    ecall
handler:
    li a7, 139              # rt_sigreturn()
    ecall
.data
.balign 8
action: .quad 0, 0, 0, 0
timer:  .quad 0, 1000, 0, 1000
S
export ZIG_GLOBAL_CACHE_DIR="$folder/cache" ZIG_LOCAL_CACHE_DIR="$folder/cache"
packages/ziglang/zig cc --target=riscv64-linux-none -nostdlib -static -o program program.s
usr/bin/qemu-riscv64-static -d exec,nochain -D log program
python3 - <<'P'
import collections
import re

ITERATIONS = 400_000
traces, stops, wrong, last = collections.Counter(), collections.Counter(), 0, None
for line in open("log"):
    if trace := re.match(r"Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/", line):
        last = trace[1]
        traces[last] += 1
    elif stop := re.match(r"Stopped execution of TB chain before \S+ \[([0-9a-f]+)\]", line):
        stops[stop[1]] += 1
        wrong += stop[1] != last
loop, lines = traces.most_common(1)[0]
assert lines - stops[loop] == ITERATIONS, (lines, stops[loop])
assert stops[loop] > 0 and wrong == 0, (stops, wrong)
print(f"{ITERATIONS} iterations: {lines} lines of the loop's block, {stops[loop]} stops before it, each right after a line of the same block")
P
