# A function is called 999 times through the table of Zcmt (cm.jalt 32), the loop goes back through it (cm.jt 1), and the function returns by cm.popret. As
# half words, because not every assembler knows them.
    .option norelax
    .globl _start
    .type _start, @function
_start:
    la sp, stack_top
    la t0, __jvt_base$
    csrw 0x017, t0
    li s1, 1000
1:  addi s1, s1, -1
    beqz s1, 2f
    .2byte 0xa082
    .2byte 0xa006
2:  li t0, 0x100000
    li t1, 0x5555
    sw t1, (t0)
3:  wfi
    j 3b
    .size _start, . - _start

    .type called, @function
called:
    .2byte 0xb852
    andi s0, s1, 3
    beqz s0, 4f
    nop
4:  .2byte 0xbe52
    .size called, . - called

    .section .rodata
    .balign 64
    .globl __jvt_base$
__jvt_base$:
    .word 0, 1b
    .zero 4 * 30
    .word called
    .bss
    .balign 16
    .zero 4096
stack_top:
