#!/bin/sh
# LuaJIT 2.1.0+openresty20250117-2 (Debian 13, riscv64: libluajit-5.1-2), whose code pyelftools 0.32 (PyPI) reads:
# - Its interpreter, which is written in assembly, calls functions of C by `auipc t0` and `jalr ra, t0`, in 56 places, and by `jalr ra, t0` alone in one. We had expected
#   what compilers and linkers write for a far call, `auipc ra` and `jalr ra, ra`, which its other code has.
# - By the hints of the unprivileged manual (x1 and x5 are link registers) that is no call: with two of them that differ, an entry is popped before one is pushed.
# So each such call takes the entry of the interpreter's caller from a return-address stack, and the interpreter's own return finds none. A path profiler takes
# the call for a switch of coroutines.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages pyelftools==0.32
# Lists of their own for another release and architecture.
archive=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1)
mkdir -p state/lists/partial cache/archives/partial
: >status
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive trixie main" >sources.list
other() {
    apt-get -qq -o "Dir::State=$folder/state" -o "Dir::State::status=$folder/status" -o "Dir::Cache=$folder/cache" -o "Dir::Etc::sourcelist=$folder/sources.list" \
        -o Dir::Etc::sourceparts=/dev/null -o APT::Architecture=riscv64 -o APT::Architectures=riscv64 -o "APT::Sandbox::User=$(id -un)" "$@"
}
other update
other download libluajit-5.1-2
dpkg -x libluajit-5.1-2_2.1.0+openresty20250117-2_riscv64.deb root
PYTHONPATH=packages python3 - <<'P'
from collections import Counter
from glob import glob

from elftools.elf.elffile import ELFFile

(path,) = [path for path in glob("root/usr/lib/riscv64-linux-gnu/libluajit-5.1.so.*") if path.count(".") > 4]
with open(path, "rb") as file:
    section = ELFFile(file).get_section_by_name(".text")
    code, start = section.data(), section["sh_addr"]
seen, through_x5, before, at = Counter(), [], 0, 0
while at < len(code):
    length = 4 if code[at] & 3 == 3 else 2
    word = int.from_bytes(code[at : at + length], "little")
    to, of = word >> 7 & 31, word >> 15 & 31
    if word & 0x7F == 0x6F and to == 1:
        seen["jal ra"] += 1
    if length == 4 and word & 0x707F == 0x67 and to == 1:
        seen["jalr ra, " + {1: "ra", 5: "t0"}.get(of, "another")] += 1
        if of == 5:
            through_x5.append(at)
            seen["auipc t0 before it"] += before & 0xFFF == 0x297
    before, at = word, at + length
print(dict(seen), f"from {start + through_x5[0]:#x} to {start + through_x5[-1]:#x}")
assert (len(through_x5), seen["auipc t0 before it"]) == (57, 56)
assert seen["jalr ra, ra"] == 19 and through_x5[-1] - through_x5[0] < 0x6000, "one piece of the code, that of the interpreter"
P
