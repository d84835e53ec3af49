# A kernel's entry, its calls of the firmware, and the way to a user program and back.

    .globl _start
_start:
    la      sp, stack_top
    la      t0, back
    csrw    stvec, t0
    call    kernel
    li      a7, 0x53525354          # SRST
    li      a6, 0
    mv      a1, a0
    ecall

# struct result sbi(a0, a1, extension, function): the results are in a0 and a1, as SBI has them.
    .globl sbi
sbi:
    mv      a7, a2
    mv      a6, a3
    li      a2, 0
    ecall
    mv      t0, a0
    mv      a0, a1
    beqz    t0, 1f
    li      a0, -1
1:  ret

# void run_user(void (*program)(void), unsigned asid): until the program's call of the kernel.
    .globl run_user
run_user:
    addi    sp, sp, -64
    sw      ra, 0(sp)
    .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    sw      s\number, 4 + 4 * \number(sp)
    .endr
    csrw    sscratch, sp
    slli    a1, a1, 22
    csrw    satp, a1
    csrw    sepc, a0
    li      t0, 0x100               # SPP
    csrc    sstatus, t0
    sret

    .balign 4
back:
    csrr    sp, sscratch
    csrr    t0, scause
    li      t1, 8
    bne     t0, t1, unexpected
    lw      ra, 0(sp)
    .irp    number, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11
    lw      s\number, 4 + 4 * \number(sp)
    .endr
    addi    sp, sp, 64
    ret
unexpected:
    li      a7, 0x53525354
    li      a6, 0
    mv      a1, t0
    ecall

    .bss
    .balign 16
    .space  4096
stack_top:
