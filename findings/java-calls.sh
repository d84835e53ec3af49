#!/bin/sh
# OpenJDK 21.0.13+9 (Debian 13, riscv64: openjdk-21-jre-headless), `java -Xint -version`, under QEMU 7.2 (Debian 12: qemu-user-static 7.2+dfsg), which logs the blocks:
# - Its interpreter calls a method of Java by `jr t0`, with the return address loaded into ra before: `c.jr x5`, which by the hints of the unprivileged manual (x1 and
#   x5 are link registers) is a return. Of 6,900 such jumps all but some tens lead to the entry of a method, which ends with `ret`. We had
#   expected a jump through another register, as the next bytecode is taken by `jr t1`.
# - So each call of a method pops two entries of a return-address stack, and pushes none. A path profiler takes the call for the return of the caller.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get -qq download qemu-user-static 2>/dev/null
# Lists of their own for another release and architecture.
archive=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/* 2>/dev/null | grep -oE 'https?://[^ ]+/debian/?( |$)' | head -n 1)
mkdir -p state/lists/partial cache/archives/partial riscv
: >status
echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $archive trixie main" >sources.list
other() {
    apt-get -qq -o "Dir::State=$folder/state" -o "Dir::State::status=$folder/status" -o "Dir::Cache=$folder/cache" -o "Dir::Etc::sourcelist=$folder/sources.list" \
        -o Dir::Etc::sourceparts=/dev/null -o APT::Architecture=riscv64 -o APT::Architectures=riscv64 -o "APT::Sandbox::User=$(id -un)" "$@"
}
other update
(cd riscv && other download openjdk-21-jre-headless libc6 libgcc-s1 libstdc++6 zlib1g)
dpkg -x qemu-user-static_*.deb host
for package in riscv/*.deb; do
    dpkg -x "$package" root
done
[ -e root/lib ] || ln -s usr/lib root/lib
java=root/usr/lib/jvm/java-21-openjdk-riscv64/bin/java
host/usr/bin/qemu-riscv64-static --version | grep -m 1 'version 7\.2\.'
qemu() {
    host/usr/bin/qemu-riscv64-static -L root "$@" "$java" -Xint -XX:-UsePerfData -version 2>&1
}
qemu | grep -m 1 '21\.0\.'
cat >calls.py <<'P'
import re
import sys
from collections import Counter

JR_T0 = "8282"
# Of each block: its instructions. A block that has been left by `jr t0` tells where that leads.
blocks, left, entered = {}, Counter(), Counter()
current = before = None
for line in sys.stdin:
    if at := re.match(r"(0x[0-9a-f]+):  ([0-9a-f]+)\s+(.*)", line):
        if current is None:
            current = int(at[1], 16)
            blocks[current] = []
        blocks[current].append((at[2], " ".join(at[3].split())))
        continue
    current = None
    if ran := re.match(r"Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/", line):
        here = int(ran[1], 16)
        if before:
            entered[before, here] += 1
        before = None
        if here in blocks and blocks[here][-1][0] == JR_T0:
            left[here] += 1
            before = here
((_, entry), _), *_ = entered.most_common(1)
to_entries = sum(count for (_, to), count in entered.items() if "(t6)" in blocks[to][0][1])
jumps = sum(left.values())
print(f"jr t0 {jumps} times in {len(left)} places; {to_entries} lead to code that begins by reading the method (t6)")
print("before the jump:", "; ".join(text for _, text in blocks[left.most_common(1)[0][0]][-4:]))
print("at most entries:", "; ".join(text for _, text in blocks[entry][:2]))
assert jumps > 5000 and to_entries > 0.9 * jumps, (jumps, to_entries)
P
qemu -d in_asm,exec,nochain -D /dev/stdout | python3 calls.py
