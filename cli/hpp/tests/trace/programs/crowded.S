# A timer whose next interrupt mostly waits for the return from its handler; then a loop with an iteration for each interrupt there was.
    .option norelax
    .section .start, "ax"
    .globl _start
_start:
    lla t0, handler
    csrw mtvec, t0
    li t0, 0x80
    csrw mie, t0
    csrsi mstatus, 8
    li s0, 2000000
1:
#ifdef CALLS
    jal f
#endif
    addi s0, s0, -1
    bnez s0, 1b
    csrci mstatus, 8
2:  addi s1, s1, -1
    bnez s1, 2b
    li t0, 0x100000
    li t1, 0x5555
    sw t1, (t0)
3:  wfi
    j 3b

    .align 2
    .globl handler
handler:
    li t3, 0x200bff8
    ld t4, (t3)
    addi t4, t4, 100
    li t3, 0x2004000
    sd t4, (t3)
    addi s1, s1, 1
    mret
f:  ret
