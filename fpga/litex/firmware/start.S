# Entry: stack, cleared variables, then `main`; its value goes to the end of the run.

    .section .text.start, "ax"
    .globl _start
    .option norelax
_start:
    la sp, stack_top
    la t0, zero_start
    la t1, zero_end
    bgeu t0, t1, 2f
1:  sw zero, 0(t0)
    addi t0, t0, 4
    bltu t0, t1, 1b
2:  call main
3:  j 3b
