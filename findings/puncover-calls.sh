#!/bin/sh
# puncover-riscv 0.2.3 (PyPI), which shows who calls whom in a RISC-V program and how deep its stack gets, with objdump, nm and readelf of binutils 2.40 (Debian 12:
# binutils-riscv64-linux-gnu), on one program of RV32IMC that zig 0.17.1 (PyPI: ziglang) links at 0x80000000 and at 0x10000:
# - At 0x80000000 `_start` calls `work` and `work` calls `leaf`. At 0x10000 nobody calls anybody: it looks for addresses of eight digits in what objdump prints, and that
#   leaves out zeros in front. We had expected the same calls.
# - Both have the same functions and sizes, and no message says that a call was not understood.
# So of a core whose memory begins at 0, as most of an FPGA do, each function is as deep as its own frame, and a stack that is sized by it is too small.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/python -m pip install --quiet --disable-pip-version-check puncover-riscv==0.2.3 ziglang==0.17.1
apt-get -qq download binutils-riscv64-linux-gnu libbinutils 2>/dev/null
for package in *.deb; do
    dpkg -x "$package" root
done
mkdir tools
for tool in objdump nm readelf c++filt; do
    printf '#!/bin/sh\nLD_LIBRARY_PATH="%s/root/usr/lib/x86_64-linux-gnu" exec "%s/root/usr/bin/riscv64-linux-gnu-%s" "$@"\n' "$folder" "$folder" "$tool" >"tools/$tool"
    chmod +x "tools/$tool"
done
tools/objdump --version | grep -m 1 ' 2\.40$'
cat >program.c <<'C'
__attribute__((noinline)) int leaf(int x) { __asm__ volatile(""); return x * 3; }
__attribute__((noinline)) int work(int x) { int sum = leaf(x); __asm__ volatile(""); return sum + leaf(x + 1); }
void _start(void) { work(3); for (;;) {} }
C
for base in 80000000 10000; do
    venv/bin/python -m ziglang cc -target riscv32-freestanding-none -mcpu=generic_rv32+m+c -nostdlib -static -O1 -g -fno-sanitize=all "-Wl,--image-base=0x$base" -o "$base" program.c
done
cat >calls.py <<'P'
import os
import sys

from puncover_riscv.collector import Collector
from puncover_riscv.gcc_tools import GCCTools

collector = Collector(GCCTools("tools"))
collector.parse_elf(os.path.abspath(sys.argv[1]))
collector.enhance_call_tree()
for function in sorted(collector.all_functions(), key=lambda function: function["name"]):
    print("calls of", function["name"], function["size"], [callee["name"] for callee in function["callees"]])
P
for base in 80000000 10000; do
    venv/bin/python calls.py "$base" >said
    grep '^calls' said >"calls.$base"
    echo "at 0x$base"
    cat "calls.$base"
done
[ "$(sed "s/.* //" calls.80000000 | tr '\n' ' ')" = "['work'] [] ['leaf'] " ]
[ "$(sed "s/.* //" calls.10000 | tr '\n' ' ')" = "[] [] [] " ]
[ "$(sed 's/ \[.*//' calls.80000000)" = "$(sed 's/ \[.*//' calls.10000)" ]
