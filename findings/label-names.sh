#!/bin/sh
# llvm-symbolizer 14.0.6 (Debian 12: llvm-14) and addr2line of binutils 2.40 (Debian 12: binutils-riscv64-linux-gnu), on a program of RV64IMAC that clang 22.1.8 (PyPI:
# ziglang 0.17.1) compiles with DWARF 5, for a linker that relaxes and for one that does not (`-mno-relax`):
# - clang writes a label `.L0 ` where the debug information needs an address, and the linked file keeps them as symbols. llvm-symbolizer takes the last one before an
#   address for the function: most of `twice` is `.L0 `, with the right line, and so is the function around an inlined one. We had expected `twice`.
# - addr2line has `twice` everywhere.
# So a profile that is named by the symbolizer of Debian 12 has one function `.L0 ` for most of the code.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages ziglang==0.17.1 pyelftools==0.32
apt-get -qq download llvm-14 libllvm14 libedit2 libbsd0 libmd0 libz3-4 libxml2 libicu72 libffi8 libtinfo6 binutils-riscv64-linux-gnu libbinutils 2>/dev/null
for package in *.deb; do
    dpkg -x "$package" root
done
export LD_LIBRARY_PATH="$folder/root/usr/lib/x86_64-linux-gnu:$folder/root/usr/lib/llvm-14/lib"
export ZIG_GLOBAL_CACHE_DIR="$folder/cache" ZIG_LOCAL_CACHE_DIR="$folder/cache"
cat >program.c <<'C'
static volatile int sink;
static inline __attribute__((always_inline)) int inlined(int x) {
    sink ^= x;
    if (x > 3)
        sink++;
    return x * 3;
}
__attribute__((noinline)) int leaf(int x) { return sink += x; }
__attribute__((noinline)) int twice(int x) { return leaf(x) + leaf(inlined(x + 1)); }
void _start(void) { sink = twice(3) + leaf(7); }
C
for relax in relax no-relax; do
    packages/ziglang/zig cc --target=riscv64-freestanding-none -mcpu=generic_rv64+m+a+c -m$relax -O1 -g -gdwarf-5 -nostdlib -static -o $relax program.c
done
root/usr/lib/llvm-14/bin/llvm-symbolizer --version | grep 'LLVM version 14\.0\.6'
PYTHONPATH=packages python3 - <<'P'
import subprocess

from elftools.elf.elffile import ELFFile

TOOLS = {"llvm-symbolizer": "root/usr/lib/llvm-14/bin/llvm-symbolizer", "addr2line": "root/usr/bin/riscv64-linux-gnu-addr2line"}
seen = {}
for program in ("relax", "no-relax"):
    with open(program, "rb") as file:
        symbols = list(ELFFile(file).get_section_by_name(".symtab").iter_symbols())
    labels = sum(symbol.name == ".L0 " for symbol in symbols)
    (twice,) = [symbol for symbol in symbols if symbol.name == "twice"]
    places = range(twice["st_value"], twice["st_value"] + twice["st_size"], 2)
    for tool, path in TOOLS.items():
        # The last pair of lines for an address is that of the function itself.
        outer = []
        for place in places:
            text = subprocess.run([path, "-f", "-i", "-e", program, hex(place)], check=True, capture_output=True, text=True).stdout
            outer.append(text.rstrip("\n").split("\n")[-2])
        seen[program, tool] = {name: outer.count(name) for name in sorted(set(outer))}
        print(f"{program}, {labels} labels, {tool}: {seen[program, tool]}")
    assert labels > 0
    assert seen[program, "addr2line"].keys() == {"twice"}
    named = seen[program, "llvm-symbolizer"]
    assert named.keys() == {".L0 ", "twice"} and named[".L0 "] > named["twice"], named
P
