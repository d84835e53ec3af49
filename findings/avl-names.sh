#!/bin/sh
# avl-riscv-coverage 0.0.1 with avl-core 1.2.0 (PyPI), the coverage of instructions and jumps in a program's log of Spike (`-l`), with objdump of binutils 2.40 (Debian 12:
# binutils-riscv64-unknown-elf); zig 0.17.1 (PyPI: ziglang) assembles the program, for RV64IMAC.
# - Two calls by `c.jalr` and one `c.add` are three `c.add`, and two `c.nop` are two `c.addi`: of encodings that include each other it takes the first in its table. We had
#   expected 2, 1 and 2 under their own names.
# - Its group of jumps has `c_jal` and `c_jalr`, names that no instruction has (`c.jal`, `c.jalr`). So these two are never covered, and `c.jalr` is in no distance. `jal` and `jalr`
#   of four bytes are.
# So calls through a register are missing in the coverage of each program with compressed instructions, and additions that no test runs are covered by calls.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check avl-riscv-coverage==0.0.1 avl-core==1.2.0 ziglang==0.17.1
apt-get -qq download binutils-riscv64-unknown-elf 2>/dev/null
dpkg -x binutils-riscv64-unknown-elf_*.deb root
cat >program.s <<'S'
.globl _start
_start:
    la t0, callee
    c.jalr t0
    c.jalr t0
.option push
.option norvc
    jalr ra, 0(t0)
.option pop
    jal callee
    c.nop
    c.nop
    c.add a2, a0
end:
    c.j end
callee:
    c.jr ra
S
export ZIG_GLOBAL_CACHE_DIR="$folder/cache" ZIG_LOCAL_CACHE_DIR="$folder/cache"
echo 'SECTIONS { . = 0x80000000; .text : { *(.text) } }' >program.ld
venv/bin/python -m ziglang cc --target=riscv64-freestanding-none -mcpu=generic_rv64+m+a+c -nostdlib -static -T program.ld -o program program.s
PATH="$folder/root/usr/bin:$PATH"
riscv64-unknown-elf-objdump --version | head -1
riscv64-unknown-elf-objdump -d program
# What Spike writes of a run, as far as the program's last loop.
venv/bin/python - <<'P'
import re
import subprocess

text = subprocess.run(["riscv64-unknown-elf-objdump", "-d", "program"], capture_output=True, text=True).stdout
code = {int(at, 16): word for at, word in re.findall(r"^ *([0-9a-f]+):\t([0-9a-f]+) ", text, re.M)}
(callee,) = [at for at, word in code.items() if word == "8082"]
at, back, lines = 0x80000000, 0, []
while True:
    word = code[at]
    lines.append(f"core   0: 0x{at:016x} (0x{word:>08}) -")
    after = at + len(word) // 2
    if word == "8082":
        at = back
    elif word in ("9282", "000280e7") or word.endswith("0ef"):
        at, back = callee, after
    elif word.endswith("a001"):
        break
    else:
        at = after
open("log", "w").write("\n".join(lines) + "\n")
print(len(lines), "lines of the log")
P
venv/bin/avl-riscv-coverage --elf program --trace log --output covered
venv/bin/python - <<'P'
import json

bins = json.load(open("covered/coverage.json"))
executed = {of["bin"]: of["count"] for of in bins if of["covergroup"] == "opcodes" and of["count"]}
jumps = {of["bin"]: of["count"] for of in bins if of["covergroup"] == "jump" and of["name"] in ("mnemonic", "distance")}
print(executed, jumps, sep="\n")
assert executed == {"auipc": 1, "addi": 1, "c.add": 3, "c.addi": 2, "c.j": 1, "c.jr": 4, "jal": 1, "jalr": 1}, executed
assert (jumps["jal"], jumps["jalr"], jumps["c_jal"], jumps["c_jalr"], jumps["any"]) == (1, 1, 0, 0, 2), jumps
P
