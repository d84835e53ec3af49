# Entry, and a trap handler whose first instruction is a jump, as in a table of vectors.

#if __riscv_xlen == 64
#define LOAD ld
#define STORE sd
#else
#define LOAD lw
#define STORE sw
#endif

    .section .text.start, "ax"
    .globl _start
    .option norelax
_start:
    la sp, stack_top
    la t0, vector
    csrw mtvec, t0
    li t0, 0x80                 # timer interrupt
    csrw mie, t0
    csrsi mstatus, 8
    call program
    li t0, END
    sw a0, 0(t0)
1:  j 1b

    .balign 256                 # CV32E40P ignores the low eight bits
vector:
    j handler

# Goes on after an ecall; an interrupt's return address stays. The interrupt ends by itself.
handler:
    addi sp, sp, -16
    STORE t0, 0(sp)
    STORE t1, 8(sp)
    csrr t0, mcause
    bltz t0, 1f
    csrr t1, mepc
    addi t1, t1, 4
    csrw mepc, t1
1:  LOAD t0, 0(sp)
    LOAD t1, 8(sp)
    addi sp, sp, 16
    mret

    .bss
    .balign 16
    .skip 4096
stack_top:
