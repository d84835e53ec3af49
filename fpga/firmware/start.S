# Entry: stack, global and thread pointers, cleared variables, then `platform_main`.

    .section .text.start, "ax"
    .globl _start
    .type _start, @function
_start:
#ifdef PROFILE_DRAIN_WATERMARK
#include "interrupt.S"
#endif
    .option push
    .option norelax
    la gp, __global_pointer$
    .option pop
    la sp, __stack_top
    la tp, __tls_base
    la t0, __zero_start
    la t1, __zero_end
    bgeu t0, t1, 2f
1:  sw zero, 0(t0)
    addi t0, t0, 4
    bltu t0, t1, 1b
2:  call platform_main
3:  j 3b
    .size _start, . - _start
