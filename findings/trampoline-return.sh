#!/bin/sh
# GCC 12.2.0 (Debian 12: gcc-12-riscv64-linux-gnu), LLVM 22.1.0 (PyPI: llvmlite 0.50.0) and QEMU 7.2 (Debian 12: qemu-user-static), on a nested function of
# C whose address is passed on. Internal procedures of Fortran that are passed on are compiled in the same way.
# - The trampoline that either compiler writes to the stack jumps to the function by `jr t0`. By the hints of the unprivileged manual (x5 is a link register)
#   that is a return. We had expected another register, because both keep x1 and x5 from indirect jumps elsewhere (JALR_REGS, GPRJALR in their sources).
# - So each call of such a function pushes one entry of a return-address stack and pops two. A path profiler takes the trampoline for a procedure that
#   returns at once, and the function's own return for that of its caller.
set -eu
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m pip install --quiet --disable-pip-version-check --root-user-action ignore --target packages llvmlite==0.50.0
apt-get -qq download gcc-12-riscv64-linux-gnu cpp-12-riscv64-linux-gnu libgcc-12-dev-riscv64-cross binutils-riscv64-linux-gnu libbinutils libisl23 libmpc3 libmpfr6 \
    qemu-user-static 2>/dev/null
for package in *.deb; do
    dpkg -x "$package" root
done
export PATH="$folder/root/usr/bin:$PATH" LD_LIBRARY_PATH="$folder/root/usr/lib/x86_64-linux-gnu"
riscv64-linux-gnu-gcc-12 --version | grep -m 1 ' 12\.2\.0$'
qemu-riscv64-static --version | grep -m 1 'version 7\.2\.'
cat >nested.c <<'C'
typedef long (*Visit)(long);
static long __attribute__((noinline)) each(Visit visit, long n) {
    long sum = 0;
    for (long i = 0; i < n; i++)
        sum += visit(i);
    return sum;
}
static long __attribute__((noinline)) outer(long n, long k) {
    long inner(long x) { return x + k; }
    return each(inner, n);
}
void __riscv_flush_icache(void *start, void *end, unsigned long flags) { __asm__ volatile("fence.i"); }
void _start(void) {
    register long a0 __asm__("a0") = outer(1000, 3) != 1000 * 999 / 2 + 3000, a7 __asm__("a7") = 93;
    __asm__ volatile("ecall" : : "r"(a0), "r"(a7));
}
C
riscv64-linux-gnu-gcc-12 -B"$folder/root/usr/lib/gcc-cross/riscv64-linux-gnu/12/" -O2 -ffreestanding -nostdlib -static -fno-pie -z execstack -o nested nested.c
qemu-riscv64-static -d in_asm,exec,nochain -D log nested
PYTHONPATH=packages python3 - <<'P'
import re

import llvmlite
import llvmlite.binding as llvm

JR_T0 = 0x00028067
# GCC: the block that ends so is on the stack, far above the program's code.
blocks, runs = {}, {}
for line in open("log"):
    if at := re.match(r"(0x[0-9a-f]+):  ([0-9a-f]{8}) ", line):
        blocks[int(at[1], 16)] = int(at[2], 16)
    elif ran := re.match(r"Trace \d+: \S+ \[[0-9a-f]+/([0-9a-f]+)/", line):
        runs[int(ran[1], 16)] = runs.get(int(ran[1], 16), 0) + 1
(jump,) = [place for place, word in blocks.items() if word == JR_T0]
print(f"GCC: jr t0 at {jump:#x}, in a block that ran {runs[jump - 12]} times")
assert jump > 1 << 32 and runs[jump - 12] == 1000

IR = """
declare void @llvm.init.trampoline(ptr, ptr, ptr)
declare i64 @inner(ptr nest, i64)
define void @make(ptr %where, ptr %chain) {
  call void @llvm.init.trampoline(ptr %where, ptr @inner, ptr %chain)
  ret void
}
"""
llvm.initialize_all_targets()
llvm.initialize_all_asmprinters()
machine = llvm.Target.from_triple("riscv64-unknown-linux-gnu").create_target_machine(opt=2, features="+m,+a,+c", codemodel="small")
text = machine.emit_assembly(llvm.parse_assembly(IR))
# The words that it stores at the trampoline (a0), from the constants that it makes of them.
constants, words = {}, {}
for line in text.splitlines():
    if made := re.fullmatch(r"\s(lui|li)\s+(\w+), (-?\d+)", line):
        constants[made[2]] = int(made[3]) << (12 if made[1] == "lui" else 0)
    elif made := re.fullmatch(r"\saddi\s+(\w+), (\w+), (-?\d+)", line):
        constants[made[1]] = constants.get(made[2], 0) + int(made[3])
    elif stored := re.fullmatch(r"\ssw\s+(\w+), (\d+)\(a0\)", line):
        words[int(stored[2])] = constants[stored[1]]
print(f"LLVM {'.'.join(map(str, llvm.llvm_version_info))}: the trampoline is {' '.join(f'{words[at]:08x}' for at in sorted(words))}")
assert sorted(words) == [0, 4, 8, 12] and words[12] == JR_T0, text
assert llvm.llvm_version_info == (22, 1, 0), llvm.llvm_version_info
P
