# Entry of the boards' demonstration: stack and global pointers, cleared variables, then `main`; its result ends the run.

    .section .text.start, "ax"
    .globl _start
_start:
#ifdef PROFILE_DRAIN_WATERMARK
#include "interrupt.S"
#endif
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, __stack_top
    la t0, __zero_start
    la t1, __zero_end
1:  bgeu t0, t1, 2f
    sw zero, 0(t0)
    addi t0, t0, 4
    j 1b
2:  call main
    li t0, 0x30000000
    sw a0, 0(t0)
3:  j 3b
