# Machine level enters the same loop by turns under two page tables, 1,000 rounds under the first and 2,000 under the second, ten times each.
#if __riscv_xlen == 32
# Pages of 4 MiB.
#define STORE sw
#define ENTRY 2048
#define MODE 1 << 31
#else
# Pages of 1 GiB.
#define STORE sd
#define ENTRY 16
#define MODE 8 << 60
#endif
    .globl _start
_start:
    la t0, trap
    csrw mtvec, t0
    li t0, -1
    csrw pmpaddr0, t0
    li t0, 0x1f
    csrw pmpcfg0, t0
    li t1, (0x80000000 >> 2) | 0xdf
    la t0, first
    li t2, ENTRY
    add t0, t0, t2
    STORE t1, (t0)
    la t0, second
    add t0, t0, t2
    STORE t1, (t0)
    li s0, 10
1:  la a0, first
    li a1, 1000
    call enter
    la a0, second
    li a1, 2000
    call enter
    addi s0, s0, -1
    bnez s0, 1b
    li t0, 0x100000
    li t1, 0x5555
    sw t1, (t0)
2:  wfi
    j 2b

enter:
    mv s1, ra
    srli t0, a0, 12
    li t1, MODE
    or t0, t0, t1
    csrw satp, t0
    sfence.vma
    csrw mstatus, zero
    la t0, spin
    csrw mepc, t0
    mret

    .align 2
trap:
    csrw mepc, s1
    li t0, 3 << 11
    csrs mstatus, t0
    mret

spin:
    addi a1, a1, -1
    bnez a1, spin
    ecall

    .bss
    .align 12
first:
    .zero 4096
second:
    .zero 4096
