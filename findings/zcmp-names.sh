#!/bin/sh
# Clang 22.1.8 (PyPI: ziglang 0.17.1) and capstone 5.0.9 (PyPI), on RV32IMAC, which has no D:
# - A function with `target("arch=+zcmp")` returns by cm.popret, and neither the file's Tag_RISCV_arch nor a mapping symbol names Zcmp. `.option arch, +zcmp`
#   of the assembler leaves no name either. We had expected at least a mapping symbol `$xrv32..._zcmp1p0`, as clang 23's assembler and GNU as 2.47 write.
# - capstone has no mode without D, and takes cm.popret for a store, `c.fsdsp`. We had expected no instruction.
# So who reads the names, or that disassembler, sees a function without a return.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target "$folder/packages" ziglang==0.17.1 capstone==5.0.9 pyelftools==0.32
cd "$folder"
cat >attribute.c <<'C'
int g(int);
__attribute__((target("arch=+zcmp"))) int f(int x) { int a = g(x); return a + g(a + x); }
C
printf ' .option arch, +zcmp\n cm.push {ra}, -16\n cm.popret {ra}, 16\n' >option.s
export ZIG_GLOBAL_CACHE_DIR="$folder/cache" ZIG_LOCAL_CACHE_DIR="$folder/cache"
for source in attribute.c option.s; do
    packages/ziglang/zig cc --target=riscv32-freestanding-none -mcpu=generic_rv32+m+a+c -Oz -c $source -o $source.o
done
PYTHONPATH=packages python3 - attribute.c.o option.s.o <<'P'
import sys
import capstone
from elftools.elf.elffile import ELFFile

for path in sys.argv[1:]:
    elf = ELFFile(open(path, "rb"))
    code = elf.get_section_by_name(".text")
    symbols = [s.name for s in elf.get_section_by_name(".symtab").iter_symbols() if s.name.startswith("$x")]
    assert code.data()[-1] == 0xBE, "cm.popret is the last instruction"
    assert symbols == ["$x"], symbols
    assert b"zcmp" not in elf.get_section_by_name(".riscv.attributes").data()
    reader = capstone.Cs(capstone.CS_ARCH_RISCV, capstone.CS_MODE_RISCV32 | capstone.CS_MODE_RISCVC)
    (last,) = reader.disasm(code.data()[-2:], 0)
    assert last.mnemonic == "c.fsdsp", last
    print(f"{path}: mapping symbols {symbols}, no zcmp in the attributes; capstone reads {last.mnemonic} {last.op_str}")
P
