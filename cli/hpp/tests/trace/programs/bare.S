# A program's `main` on QEMU's machine `virt`, without anything else.
# In front of other code, where the machine begins.
    .section .text.unlikely, "ax"
    .globl _start
    .type _start, @function
_start:
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, stack_top
    call main
    li t0, 0x100000
    li t1, 0x5555
    sw t1, (t0)
1:  wfi
    j 1b
    .size _start, . - _start

    .bss
    .balign 16
    .zero 4096
stack_top:
