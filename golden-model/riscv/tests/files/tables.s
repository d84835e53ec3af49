# Code of extensions that the file's attributes do not name, but mapping symbols do; targets in a table; data between instructions.
# clang --target=riscv32-unknown-elf -march=rv32imac -mabi=ilp32 -menable-experimental-extensions -c tables.s
# ld.lld --no-relax -z max-page-size=4 tables.o -o tables.elf
 .option norelax
 .text
 .type _start, @function
 .globl _start
_start: nop
 .option push
 .option arch, +zcmt
 cm.jalt 32
 cm.jt 1
 .option pop
back: .word 0x8082fee0
 .size _start, .-_start
 .type callee, @function
 .globl callee
callee: beqz a0, 1f
 nop
1: ret
 .size callee, .-callee
 .type far, @function
far:
 .option push
 .option arch, +xqcilb, +xqcibi, +xqccmp
 qc.cm.push {ra}, -16
 qc.e.beqi a0, 500, 2f
 qc.bnei a0, 5, 2f
 nop
 .option exact
2: qc.e.jal -20
 .option noexact
 qc.cm.popret {ra}, 16
 .option pop
 .size far, .-far
 .type switch, @function
switch: lw a5, 0(a5)
 jr a5
 .word case, end
case: addi a0, a0, 1
end: ret
 .size switch, .-switch
 .section .riscv.jvt, "a"
 .balign 64
 .globl __jvt_base$
"__jvt_base$":
 .word 0, _start
 .zero 4*30
 .word callee
