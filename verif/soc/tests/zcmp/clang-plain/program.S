# program.c by Debian clang version 23.1.4 (2): --target=riscv32-unknown-elf -Os -gline-tables-only -march=rv32imc
	.file 1 "program.c"
	.text
.Lbegin:
	.text
	.globl	main
	.p2align	1
	.type	main,@function
main:
	.loc 1 103
	addi	sp, sp, -48
	sw	ra, 44(sp)
	sw	s0, 40(sp)
	sw	s1, 36(sp)
	sw	s2, 32(sp)
	sw	s3, 28(sp)
	sw	s4, 24(sp)
	sw	s5, 20(sp)
	sw	s6, 16(sp)
	sw	s7, 12(sp)
	sw	s8, 8(sp)
	li	s8, 0
	.loc 1 103
	lui	s2, %hi(.L_MergedGlobals)
	addi	s2, s2, %lo(.L_MergedGlobals)
	lui	s3, %hi(main.expressions)
	addi	s3, s3, %lo(main.expressions)
	addi	s4, s2, 8
	lui	s5, %hi(.L_MergedGlobals)
	addi	s7, s3, 32
	li	s6, 6
.LBB0_1:
	addi	s8, s8, 1
	mv	s0, s4
	mv	s1, s3
.LBB0_2:
	.loc 1 112
	lw	a0, 0(s1)
	.loc 1 112
	sw	a0, %lo(.L_MergedGlobals)(s5)
	.loc 1 113
	call	sum
	.loc 1 113
	mul	a0, a0, s8
	.loc 1 111
	addi	s1, s1, 4
	.loc 1 113
	sw	a0, 0(s0)
	.loc 1 111
	addi	s0, s0, 4
	.loc 1 111
	bne	s1, s7, .LBB0_2
	.loc 1 110
	addi	s4, s4, 32
	bne	s8, s6, .LBB0_1
	.loc 1 116
	li	a1, 48
	li	a0, 0
	call	sort
	.loc 1 0
	addi	a1, s2, 8
	addi	a2, s2, 200
.LBB0_5:
	.loc 1 118
	lw	a3, 0(a1)
	.loc 1 118
	slli	a4, a0, 5
	sub	a0, a4, a0
	.loc 1 117
	addi	a1, a1, 4
	.loc 1 118
	add	a0, a0, a3
	.loc 1 117
	bne	a1, a2, .LBB0_5
	.loc 1 120
	lw	a1, 4(s2)
	.loc 1 120
	lui	a2, 305396
	addi	a2, a2, -1024
	xor	a0, a0, a2
	.loc 1 120
	xori	a1, a1, 18
	or	a0, a0, a1
	snez	a0, a0
	.loc 1 120
	lw	ra, 44(sp)
	lw	s0, 40(sp)
	lw	s1, 36(sp)
	lw	s2, 32(sp)
	lw	s3, 28(sp)
	lw	s4, 24(sp)
	lw	s5, 20(sp)
	lw	s6, 16(sp)
	lw	s7, 12(sp)
	lw	s8, 8(sp)
	addi	sp, sp, 48
	ret
.Lfunc_end0:
	.size	main, .Lfunc_end0-main
	.p2align	1
	.type	sum,@function
sum:
	.loc 1 66
	addi	sp, sp, -32
	sw	ra, 28(sp)
	sw	s0, 24(sp)
	sw	s1, 20(sp)
	sw	s2, 16(sp)
	sw	s3, 12(sp)
	sw	s4, 8(sp)
	.loc 1 67
	call	product
	.loc 1 67
	mv	s0, a0
	lui	s2, %hi(.L_MergedGlobals)
	li	s4, 45
	li	s3, 43
.LBB1_1:
	.loc 1 69
	lw	a0, %lo(.L_MergedGlobals)(s2)
	.loc 1 69
	lbu	s1, 0(a0)
	.loc 1 69
	beq	s1, s4, .LBB1_3
	.loc 1 69
	bne	s1, s3, .LBB1_6
.LBB1_3:
	.loc 1 70
	addi	a0, a0, 1
	sw	a0, %lo(.L_MergedGlobals)(s2)
	.loc 1 71
	call	product
	.loc 1 72
	bne	s1, s4, .LBB1_5
	.loc 1 72
	neg	a0, a0
.LBB1_5:
	.loc 1 72
	add	s0, s0, a0
	.loc 1 69
	j	.LBB1_1
.LBB1_6:
	.loc 1 74
	mv	a0, s0
	.loc 1 74
	lw	ra, 28(sp)
	lw	s0, 24(sp)
	lw	s1, 20(sp)
	lw	s2, 16(sp)
	lw	s3, 12(sp)
	lw	s4, 8(sp)
	addi	sp, sp, 32
	ret
.Lfunc_end1:
	.size	sum, .Lfunc_end1-sum
	.p2align	1
	.type	sort,@function
sort:
	.loc 1 79
	addi	sp, sp, -48
	sw	ra, 44(sp)
	sw	s0, 40(sp)
	sw	s1, 36(sp)
	sw	s2, 32(sp)
	sw	s3, 28(sp)
	sw	s4, 24(sp)
	sw	s5, 20(sp)
	sw	s6, 16(sp)
	sw	s7, 12(sp)
	mv	s3, a1
	.loc 1 80
	sub	a1, a1, a0
	li	s5, 0
	.loc 1 80
	li	a2, 2
	blt	a1, a2, .LBB2_14
	.loc 1 0
	addi	s2, s3, -1
	lui	s6, %hi(.L_MergedGlobals)
	addi	s6, s6, %lo(.L_MergedGlobals)
	li	s4, 1
.LBB2_2:
	li	s7, 0
	.loc 1 85
	bge	s2, a0, .LBB2_4
	.loc 1 0
	mv	s0, a0
	mv	a1, s3
	.loc 1 85
	j	.LBB2_13
.LBB2_4:
	.loc 1 0
	slli	a2, a0, 2
	slli	a1, a1, 1
	add	a2, a2, s6
	andi	a1, a1, -4
	add	a1, a1, a2
	lw	a1, 8(a1)
	mv	a2, s2
	mv	s0, a0
.LBB2_5:
	.loc 1 86
	slli	a3, s0, 2
	add	a3, a3, s6
	addi	a3, a3, 8
.LBB2_6:
	.loc 1 86
	lw	a4, 0(a3)
	.loc 1 87
	addi	s0, s0, 1
	.loc 1 86
	addi	a3, a3, 4
	blt	a4, a1, .LBB2_6
	.loc 1 89
	slli	a5, a2, 2
	add	a5, a5, s6
	addi	a6, s0, -1
	addi	s1, a5, 12
.LBB2_8:
	.loc 1 89
	lw	a5, -4(s1)
	addi	s1, s1, -4
	.loc 1 90
	addi	a2, a2, -1
	.loc 1 89
	blt	a1, a5, .LBB2_8
	.loc 1 92
	addi	a7, a2, 1
	bge	a7, a6, .LBB2_11
	.loc 1 0
	mv	s0, a6
	mv	a2, a7
	.loc 1 85
	bge	a7, a6, .LBB2_5
	j	.LBB2_12
.LBB2_11:
	.loc 1 94
	sw	a5, -4(a3)
	.loc 1 95
	sw	a4, 0(s1)
	.loc 1 96
	addi	s7, s7, 1
	.loc 1 85
	bge	a2, s0, .LBB2_5
.LBB2_12:
	.loc 1 99
	addi	a1, a2, 1
.LBB2_13:
	.loc 1 99
	call	sort
	.loc 1 99
	add	s5, s5, s7
	.loc 1 80
	sub	a1, s3, s0
	.loc 1 99
	add	s5, s5, a0
	mv	a0, s0
	.loc 1 80
	blt	s4, a1, .LBB2_2
.LBB2_14:
	.loc 1 100
	mv	a0, s5
	.loc 1 100
	lw	ra, 44(sp)
	lw	s0, 40(sp)
	lw	s1, 36(sp)
	lw	s2, 32(sp)
	lw	s3, 28(sp)
	lw	s4, 24(sp)
	lw	s5, 20(sp)
	lw	s6, 16(sp)
	lw	s7, 12(sp)
	addi	sp, sp, 48
	ret
.Lfunc_end2:
	.size	sort, .Lfunc_end2-sort
	.p2align	1
	.type	product,@function
product:
	.loc 1 44
	addi	sp, sp, -32
	sw	ra, 28(sp)
	sw	s0, 24(sp)
	sw	s1, 20(sp)
	sw	s2, 16(sp)
	sw	s3, 12(sp)
	.loc 1 45
	call	factor
	.loc 1 45
	mv	s0, a0
	lui	s1, %hi(.L_MergedGlobals)
	li	s2, 47
	li	s3, 42
.LBB3_1:
	.loc 1 48
	lw	a0, %lo(.L_MergedGlobals)(s1)
	.loc 1 48
	lbu	a1, 0(a0)
	.loc 1 48
	beq	a1, s2, .LBB3_4
	.loc 1 48
	bne	a1, s3, .LBB3_7
	.loc 1 49
	addi	a0, a0, 1
	sw	a0, %lo(.L_MergedGlobals)(s1)
	.loc 1 50
	call	factor
	.loc 1 50
	mul	s0, a0, s0
	.loc 1 51
	j	.LBB3_1
.LBB3_4:
	.loc 1 52
	addi	a0, a0, 1
	sw	a0, %lo(.L_MergedGlobals)(s1)
	.loc 1 53
	call	factor
	.loc 1 54
	beqz	a0, .LBB3_6
	.loc 1 58
	div	s0, s0, a0
	j	.LBB3_1
.LBB3_6:
	.loc 1 0
	li	s0, 0
	.loc 1 55
	lui	a0, %hi(.L_MergedGlobals+4)
	lw	a1, %lo(.L_MergedGlobals+4)(a0)
	addi	a1, a1, 1
	sw	a1, %lo(.L_MergedGlobals+4)(a0)
.LBB3_7:
	.loc 1 63
	mv	a0, s0
	.loc 1 63
	lw	ra, 28(sp)
	lw	s0, 24(sp)
	lw	s1, 20(sp)
	lw	s2, 16(sp)
	lw	s3, 12(sp)
	addi	sp, sp, 32
	ret
.Lfunc_end3:
	.size	product, .Lfunc_end3-product
	.p2align	1
	.type	factor,@function
factor:
	.loc 1 25
	addi	sp, sp, -16
	sw	ra, 12(sp)
	sw	s0, 8(sp)
	.loc 1 26
	lui	s0, %hi(.L_MergedGlobals)
	lw	a1, %lo(.L_MergedGlobals)(s0)
	.loc 1 26
	lbu	a2, 0(a1)
	li	a0, 40
	.loc 1 26
	beq	a2, a0, .LBB4_3
	.loc 1 0
	li	a0, 45
	.loc 1 26
	bne	a2, a0, .LBB4_5
	.loc 1 27
	addi	a1, a1, 1
	lui	a0, %hi(.L_MergedGlobals)
	sw	a1, %lo(.L_MergedGlobals)(a0)
	.loc 1 28
	call	factor
	.loc 1 28
	neg	a0, a0
	.loc 1 41
	j	.LBB4_11
.LBB4_3:
	.loc 1 31
	addi	a1, a1, 1
	sw	a1, %lo(.L_MergedGlobals)(s0)
	.loc 1 32
	call	sum
	.loc 1 33
	lw	a1, %lo(.L_MergedGlobals)(s0)
	.loc 1 33
	lbu	a2, 0(a1)
	.loc 1 33
	li	a3, 41
	bne	a2, a3, .LBB4_7
	.loc 1 37
	addi	a1, a1, 1
	j	.LBB4_10
.LBB4_5:
	.loc 1 14
	addi	a0, a2, -58
	li	a3, -10
	bgeu	a0, a3, .LBB4_8
	.loc 1 0
	li	a0, 0
.LBB4_7:
	lui	a1, %hi(.L_MergedGlobals+4)
	lw	a2, %lo(.L_MergedGlobals+4)(a1)
	addi	a2, a2, 1
	sw	a2, %lo(.L_MergedGlobals+4)(a1)
	j	.LBB4_11
.LBB4_8:
	li	a0, 0
	li	a3, 10
.LBB4_9:
	.loc 1 19
	slli	a4, a0, 1
	slli	a0, a0, 3
	add	a0, a0, a4
	.loc 1 19
	add	a0, a0, a2
	.loc 1 18
	lbu	a2, 1(a1)
	.loc 1 18
	addi	a4, a2, -48
	.loc 1 19
	addi	a1, a1, 1
	.loc 1 19
	addi	a0, a0, -48
	.loc 1 18
	bltu	a4, a3, .LBB4_9
.LBB4_10:
	.loc 1 0
	lui	a2, %hi(.L_MergedGlobals)
	sw	a1, %lo(.L_MergedGlobals)(a2)
.LBB4_11:
	.loc 1 41
	lw	ra, 12(sp)
	lw	s0, 8(sp)
	addi	sp, sp, 16
	ret
.Lfunc_end4:
	.size	factor, .Lfunc_end4-factor
	.type	main.expressions,@object
	.section	.rodata,"a",@progbits
	.p2align	2, 0x0
main.expressions:
	.word	.L.str
	.word	.L.str.1
	.word	.L.str.2
	.word	.L.str.3
	.word	.L.str.4
	.word	.L.str.5
	.word	.L.str.6
	.word	.L.str.7
	.size	main.expressions, 32
	.type	.L.str,@object
	.section	.rodata.str1.1,"aMS",@progbits,1
.L.str:
	.asciz	"1+2*3"
	.size	.L.str, 6
	.type	.L.str.1,@object
.L.str.1:
	.asciz	"(4-5)*(6+7)/2"
	.size	.L.str.1, 14
	.type	.L.str.2,@object
.L.str.2:
	.asciz	"-(8*-9)+10/3"
	.size	.L.str.2, 13
	.type	.L.str.3,@object
.L.str.3:
	.asciz	"((11))*((12-13)*14)"
	.size	.L.str.3, 20
	.type	.L.str.4,@object
.L.str.4:
	.asciz	"15/(16-16)"
	.size	.L.str.4, 11
	.type	.L.str.5,@object
.L.str.5:
	.asciz	"(17+18"
	.size	.L.str.5, 7
	.type	.L.str.6,@object
.L.str.6:
	.asciz	"x*19"
	.size	.L.str.6, 5
	.type	.L.str.7,@object
.L.str.7:
	.asciz	"2*3*4*5-6*7/8"
	.size	.L.str.7, 14
	.type	.L_MergedGlobals,@object
	.local	.L_MergedGlobals
	.comm	.L_MergedGlobals,200,4
at = .L_MergedGlobals
	.size	at, 4
failures = .L_MergedGlobals+4
	.size	failures, 4
main.values = .L_MergedGlobals+8
	.size	main.values, 192
	.text
.Lend:
	.section .debug_line,"",@progbits
.Llines:
	.section .debug_abbrev,"",@progbits
	.byte 1, 0x11 # a unit
	.byte 0, 0x10, 0x17, 0x11, 0x01, 0x12, 0x01, 0x03, 0x08, 0, 0, 0 # without children: lines, from, to, name
	.section .debug_info,"",@progbits
	.4byte .Lunit_end - .Lunit
.Lunit:
	.2byte 4
	.4byte .debug_abbrev
	.byte 4
	.byte 1
	.4byte .Llines
	.4byte .Lbegin
	.4byte .Lend
	.string "program.c"
.Lunit_end:
