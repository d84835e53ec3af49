# A loop of two paths that calls, directly and through a register, and a timer that interrupts it if `timer` is its bit of `mie`.
    .option norelax
    .section .start, "ax"
    .globl _start
_start:
    la sp, _start
    li t0, 0x100000
    add sp, sp, t0
    la t0, handler
    csrw mtvec, t0
    la t0, timer
    csrw mie, t0
    beqz t0, 2f
    csrsi mstatus, 8
1:  beqz s2, 1b
2:  li t0, 10000
3:  addi t0, t0, -1
    bnez t0, 3b
    j loop

    .align 2
handler:
    addi sp, sp, -32
    sd t0, (sp)
    sd t1, 8(sp)
    sd t2, 16(sp)
    li t0, 0x200bff8
    ld t1, (t0)
    li t2, 1000
    add t1, t1, t2
    li t0, 0x2004000
    sd t1, (t0)
    addi s2, s2, 1
    ld t0, (sp)
    ld t1, 8(sp)
    ld t2, 16(sp)
    addi sp, sp, 32
    mret

    .text
loop:
    li s0, 200000
    la s3, leaf
1:  andi t0, s0, 1
    beqz t0, 2f
    addi s1, s1, 1
2:  jal leaf
    jalr s3
    addi s0, s0, -1
    bnez s0, 1b
    csrci mstatus, 8
    # Sleeps while the machine ends.
    csrw mie, zero
    li t0, 0x100000
    li t1, 0x5555
    sw t1, (t0)
3:  wfi
    j 3b

leaf:
    addi a0, a0, 1
    ret
