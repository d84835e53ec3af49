# Blocks of every kind of end that read `place`, a device or memory; the last ones lead behind that instruction, too.
    .option norelax
    .globl _start
_start:
    la t0, handler
    csrw mtvec, t0
    la s1, place
    li s0, 1000
1:  lw a4, (s1)
    andi a4, a4, 0
    call returns
    call calls
    call jumps
    call branches
    ecall
    addi s0, s0, -1
    bnez s0, 1b
    li t0, 0x100000
    li t1, 0x5555
    sw t1, (t0)
2:  wfi
    j 2b

returns:
    lw a4, (s1)
    addi a4, a4, 1
    ret

calls:
    mv s2, ra
    la t2, returns
    lw a4, (s1)
    jalr t2
    mv ra, s2
    lw a4, (s1)
    ret

# Behind the access, and then out of the block.
jumps:
    la t2, 1f
    la t3, 2f
    lw a4, (s1)
1:  mv t4, t2
    mv t2, t3
    jr t4
2:  ret

# Twice behind the access.
branches:
    li a5, 3
    lw a4, (s1)
1:  addi a5, a5, -1
    bnez a5, 1b
    ret

    .align 2
handler:
    csrr t2, mepc
    addi t2, t2, 4
    csrw mepc, t2
    lw a4, (s1)
    mret
