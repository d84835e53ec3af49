# What runs in machine mode below Linux, up to its part in C (sbi.c): the entry to the kernel, and the handler of traps.

    .section .text.start
    .globl _start
_start:
    la      sp, stack_top
    csrw    mscratch, sp
    la      t0, trap_entry
    csrw    mtvec, t0
    call    prepare
    # The kernel takes the hart's number and its device tree.
    li      a0, 0
    li      a1, DEVICE_TREE
    mret

# Registers are saved in the order of their numbers, so that C finds the one that an instruction names. The program's sp is in mscratch meanwhile.
    .balign 4
trap_entry:
    csrrw   sp, mscratch, sp
    addi    sp, sp, -128
    .irp    number, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    sw      x\number, 4 * \number(sp)
    .endr
    mv      a0, sp
    call    trap
    .irp    number, 1, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
    lw      x\number, 4 * \number(sp)
    .endr
    addi    sp, sp, 128
    csrrw   sp, mscratch, sp
    mret
