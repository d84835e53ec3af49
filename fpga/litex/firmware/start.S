# Entry: stack, cleared variables, then `main`. At 0x10 PicoRV32's interrupts, of which there is one kind: the timer's,
# which asks for nothing but to return.

    .section .text.start, "ax"
    .globl _start
    .option norelax
_start:
    j begin

    .balign 16
    .word 0x0400000b            # retirq

begin:
    la sp, stack_top
    la t0, zero_start
    la t1, zero_end
    bgeu t0, t1, 2f
1:  sw zero, 0(t0)
    addi t0, t0, 4
    bltu t0, t1, 1b
2:  call main
3:  j 3b
