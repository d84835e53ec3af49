#!/bin/sh
# Callgrind of Valgrind 3.19.0 (Debian 12: valgrind), `--dump-instr=yes --collect-jumps=yes`, on a static program of x86-64 that zig 0.17.1 (PyPI: ziglang) assembles:
# - `rep movsb` of 50 bytes, executed 100 times, is 5,100 instructions, and a jump of its own: 5,000 conditional ones to itself, of which 4,900 are taken, and one
#   without a condition each time. We had expected 100 instructions and no jump, as the processor's own counters have it (it retires once).
# - `loop` to itself, executed 20 times, is one jump without a condition and a conditional one of 19, of which 18 are taken. We had expected 19 of 20.
# - `jnz` to another instruction has the counts that we expected.
# So shares of instructions differ from those of a profiler that counts what retires, most where memory is copied, and there are branches that no program has.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages ziglang==0.17.1 pyelftools==0.32
apt-get -qq download valgrind 2>/dev/null
dpkg -x valgrind_*.deb root
cat >program.s <<'A'
.globl _start
_start:
    mov $100, %edx
copy:
    lea from(%rip), %rsi
    lea to(%rip), %rdi
    mov $50, %ecx
repeat:
    rep movsb
    dec %edx
branch:
    jnz copy
    mov $20, %ecx
self:
    loop self
    mov $3, %ecx            # the block before the end is not counted
1:  dec %ecx
    jnz 1b
    mov $60, %eax           # exit(0)
    xor %edi, %edi
    syscall
.bss
from: .space 64
to: .space 64
A
export ZIG_GLOBAL_CACHE_DIR="$folder/cache" ZIG_LOCAL_CACHE_DIR="$folder/cache" VALGRIND_LIB="$folder/root/usr/libexec/valgrind"
packages/ziglang/zig cc --target=x86_64-linux-none -nostdlib -static -o program program.s
root/usr/bin/valgrind.bin --version | grep 'valgrind-3\.19\.0'
root/usr/bin/valgrind.bin --quiet --tool=callgrind --dump-instr=yes --collect-jumps=yes --compress-pos=no --callgrind-out-file=out ./program
PYTHONPATH=packages python3 - <<'P'
import collections
import re

from elftools.elf.elffile import ELFFile

symbols = ELFFile(open("program", "rb")).get_section_by_name(".symtab")
place = {symbol.name: symbol["st_value"] for symbol in symbols.iter_symbols()}
ran, jumps = collections.Counter(), collections.Counter()
jump = None
for line in open("out"):
    if found := re.match(r"(jump|jcnd)=(\d+)(?:/(\d+))? (0x\w+)", line):
        jump = found
    elif found := re.match(r"(0x\w+) \d+ (\d*)$", line):
        at = int(found[1], 16)
        if jump:
            kind, taken, of, to = jump[1], int(jump[2]), int(jump[3] or 0), int(jump[4], 16)
            jumps[at, to, kind, "taken"] += taken
            jumps[at, to, kind, "all"] += of or taken
            jump = None
        else:
            ran[at] += int(found[2] or 0)
for name in ("repeat", "branch", "self"):
    at = place[name]
    print(name, ran[at], {(hex(to), kind, what): count for (of, to, kind, what), count in jumps.items() if of == at})


def counts(name, to):
    of = place[name], place[to]
    return [jumps[(*of, kind, what)] for kind in ("jcnd", "jump") for what in ("taken", "all")]


assert ran[place["repeat"]] == 5100 and counts("repeat", "repeat") == [4900, 5000, 100, 100]
assert ran[place["branch"]] == 100 and counts("branch", "copy") == [99, 100, 0, 0]
assert ran[place["self"]] == 20 and counts("self", "self") == [18, 19, 1, 1]
P
