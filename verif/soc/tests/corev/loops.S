# Hardware loops of CORE-V, one within another, and its branches with immediates, as numbers, as not every assembler knows them.

#define SETUPI_1(rounds, words) .insn i 0x2b, 4, x13, x##words, rounds
#define SETUP_0(rounds, words)  .insn i 0x2b, 4, x14, rounds, words
#define BEQIMM(register, immediate, to) .insn b 0x0b, 6, register, x##immediate, to
#define BNEIMM(register, immediate, to) .insn b 0x0b, 7, register, x##immediate, to

    .option norvc
    .text

# a0: 12 times the rounds of the inner loop, which are 1 to 4, and 16; one more if there is one alone.
    .balign 4
    .globl work
    .type work, @function
work:
    andi a1, a0, 3
    addi a1, a1, 1
    li a2, 0
    SETUPI_1(4, 7)              # cv.setupi 1, 4, 7
    SETUP_0(a1, 4)              # cv.setup 0, a1, 4
    addi a2, a2, 1
    addi a2, a2, 1
    addi a2, a2, 1              # inner loop: back to its first
    addi a2, a2, 2
    addi a2, a2, 2              # outer loop: back to cv.setup
    BNEIMM(a1, 1, 1f)           # cv.bneimm a1, 1
    addi a2, a2, 1
1:  mv a0, a2
    ret
    .size work, . - work

    .globl main
    .type main, @function
main:
    addi sp, sp, -16
    sw ra, 12(sp)
    sw s0, 8(sp)
    sw s1, 4(sp)
    li s0, 0
    li s1, 0
1:  mv a0, s0
    call work
    add s1, s1, a0
    addi s0, s0, 1
    BEQIMM(s0, 12, 2f)          # cv.beqimm s0, 12
    j 1b
2:  li a0, 12 * (12 + 24 + 36 + 48) / 4 + 12 * 16 + 3
    sub a0, a0, s1
    lw ra, 12(sp)
    lw s0, 8(sp)
    lw s1, 4(sp)
    addi sp, sp, 16
    ret
    .size main, . - main
