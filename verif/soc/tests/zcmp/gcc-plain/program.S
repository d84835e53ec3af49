# program.c by riscv64-linux-gnu-gcc-16 (Debian 16.2.0-3) 16.2.0: -Os -g1 -march=rv32imc
	.file 1 "program.c"
	.text
.Lbegin:
	.text
	.align	1
	.type	product, @function
product:
	.loc 1 44
	addi	sp,sp,-32
	sw	s0,24(sp)
	sw	s1,20(sp)
	sw	s2,16(sp)
	sw	s3,12(sp)
	sw	ra,28(sp)
	.loc 1 45
	call	factor
	mv	s0,a0
	.loc 1 48
	lui	s1,%hi(at)
	.loc 1 48
	li	s2,42
	.loc 1 51
	li	s3,47
.L2:
	.loc 1 48
	lw	a5,%lo(at)(s1)
	lbu	a4,0(a5)
	.loc 1 48
	bne	a4,s2,.L3
	.loc 1 49
	addi	a5,a5,1
	sw	a5,%lo(at)(s1)
	.loc 1 50
	call	factor
	.loc 1 50
	mul	s0,s0,a0
	j	.L2
.L3:
	.loc 1 51
	bne	a4,s3,.L1
	.loc 1 52
	addi	a5,a5,1
	sw	a5,%lo(at)(s1)
	.loc 1 53
	call	factor
	.loc 1 54
	bne	a0,zero,.L6
	.loc 1 55
	lui	a4,%hi(failures)
	lw	a5,%lo(failures)(a4)
	li	s0,0
	addi	a5,a5,1
	sw	a5,%lo(failures)(a4)
.L1:
	.loc 1 63
	lw	ra,28(sp)
	mv	a0,s0
	lw	s0,24(sp)
	lw	s1,20(sp)
	lw	s2,16(sp)
	lw	s3,12(sp)
	addi	sp,sp,32
	jr	ra
.L6:
	.loc 1 58
	div	s0,s0,a0
	j	.L2
	.size	product, .-product
	.align	1
	.type	sum, @function
sum:
	.loc 1 66
	addi	sp,sp,-32
	sw	s0,24(sp)
	sw	s2,16(sp)
	sw	s3,12(sp)
	sw	ra,28(sp)
	sw	s1,20(sp)
	.loc 1 67
	call	product
	mv	s0,a0
	.loc 1 69
	lui	s2,%hi(at)
	.loc 1 72
	li	s3,45
.L9:
	.loc 1 69
	lw	a5,%lo(at)(s2)
	lbu	s1,0(a5)
	.loc 1 69
	addi	a4,s1,-43
	.loc 1 69
	andi	a4,a4,253
	beq	a4,zero,.L12
	.loc 1 75
	lw	ra,28(sp)
	mv	a0,s0
	lw	s0,24(sp)
	lw	s1,20(sp)
	lw	s2,16(sp)
	lw	s3,12(sp)
	addi	sp,sp,32
	jr	ra
.L12:
	.loc 1 70
	addi	a5,a5,1
	sw	a5,%lo(at)(s2)
	.loc 1 71
	call	product
	.loc 1 72
	bne	s1,s3,.L10
	.loc 1 72
	sub	s0,s0,a0
	j	.L9
.L10:
	.loc 1 72
	add	s0,s0,a0
	j	.L9
	.size	sum, .-sum
	.align	1
	.type	factor, @function
factor:
	.loc 1 25
	addi	sp,sp,-16
	sw	s0,8(sp)
	lui	s0,%hi(at)
	lw	a4,%lo(at)(s0)
	sw	s1,4(sp)
	sw	ra,12(sp)
	.loc 1 25
	li	a2,0
	li	s1,1
	.loc 1 26
	li	a1,45
.L16:
	.loc 1 26
	lbu	a5,0(a4)
	.loc 1 26
	addi	a3,a4,1
	bne	a5,a1,.L15
	neg	s1,s1
	.loc 1 28
	mv	a4,a3
	li	a2,1
	j	.L16
.L15:
	beq	a2,zero,.L17
	sw	a4,%lo(at)(s0)
.L17:
	.loc 1 30
	li	a4,40
	bne	a5,a4,.L18
	.loc 1 31
	sw	a3,%lo(at)(s0)
	.loc 1 32
	call	sum
	.loc 1 33
	lw	a5,%lo(at)(s0)
	.loc 1 33
	li	a4,41
	lbu	a3,0(a5)
	beq	a3,a4,.L19
	.loc 1 34
	lui	a4,%hi(failures)
	lw	a5,%lo(failures)(a4)
	addi	a5,a5,1
	sw	a5,%lo(failures)(a4)
.L20:
	.loc 1 41
	lw	ra,12(sp)
	lw	s0,8(sp)
	mul	a0,s1,a0
	lw	s1,4(sp)
	addi	sp,sp,16
	jr	ra
.L19:
	.loc 1 37
	addi	a5,a5,1
.L33:
	sw	a5,%lo(at)(s0)
	j	.L20
.L18:
	.loc 1 14
	addi	a5,a5,-48
	.loc 1 14
	andi	a5,a5,0xff
	li	a2,9
	bgtu	a5,a2,.L22
	lw	a5,%lo(at)(s0)
	li	a3,0
	.loc 1 12
	li	a0,0
	.loc 1 19
	li	a6,10
.L23:
	.loc 1 18
	lbu	a1,0(a5)
	.loc 1 18
	addi	a4,a1,-48
	andi	a4,a4,0xff
	bleu	a4,a2,.L24
	bne	a3,zero,.L33
	j	.L20
.L22:
	.loc 1 15
	lui	a4,%hi(failures)
	lw	a5,%lo(failures)(a4)
	.loc 1 16
	li	a0,0
	.loc 1 15
	addi	a5,a5,1
	sw	a5,%lo(failures)(a4)
	.loc 1 16
	j	.L20
.L24:
	.loc 1 19
	mul	a0,a0,a6
	.loc 1 18
	addi	a5,a5,1
	.loc 1 19
	li	a3,1
	addi	a0,a0,-48
	add	a0,a1,a0
	j	.L23
	.size	factor, .-factor
	.align	1
	.type	sort.constprop.0, @function
sort.constprop.0:
	.loc 1 78
	addi	sp,sp,-32
	sw	s2,16(sp)
	.loc 1 83
	lui	s2,%hi(.LANCHOR0)
	.loc 1 78
	sw	s1,20(sp)
	sw	s4,8(sp)
	sw	s5,4(sp)
	sw	ra,28(sp)
	sw	s0,24(sp)
	sw	s3,12(sp)
	.loc 1 78
	mv	s4,a1
	li	s1,0
	.loc 1 80
	li	s5,1
	.loc 1 83
	addi	s2,s2,%lo(.LANCHOR0)
.L43:
	.loc 1 80
	sub	a5,s4,a0
	.loc 1 80
	ble	a5,s5,.L44
	.loc 1 83
	srai	a5,a5,1
	.loc 1 83
	add	a5,a5,a0
	.loc 1 83
	slli	a5,a5,2
	add	a5,s2,a5
	lw	a3,0(a5)
	.loc 1 83
	addi	a1,s4,-1
	.loc 1 83
	mv	s0,a0
	.loc 1 83
	li	s3,0
.L36:
	.loc 1 85
	bgt	s0,a1,.L41
	slli	a5,s0,2
	add	a5,s2,a5
	j	.L42
.L37:
	.loc 1 87
	addi	s0,s0,1
	addi	a5,a5,4
.L42:
	.loc 1 86
	lw	a2,0(a5)
	.loc 1 86
	bgt	a3,a2,.L37
	slli	a4,a1,2
	add	a4,s2,a4
.L38:
	.loc 1 89
	lw	a6,0(a4)
	.loc 1 89
	blt	a3,a6,.L39
	.loc 1 92
	bgt	s0,a1,.L41
	.loc 1 94
	sw	a6,0(a5)
	.loc 1 94
	addi	s0,s0,1
	.loc 1 95
	addi	a1,a1,-1
	.loc 1 95
	sw	a2,0(a4)
	.loc 1 96
	addi	s3,s3,1
	j	.L36
.L39:
	.loc 1 90
	addi	a1,a1,-1
	addi	a4,a4,-4
	j	.L38
.L41:
	.loc 1 99
	addi	a1,a1,1
	call	sort.constprop.0
	add	s1,s1,s3
	add	s1,s1,a0
	.loc 1 99
	mv	a0,s0
	.loc 1 99
	j	.L43
.L44:
	.loc 1 100
	lw	ra,28(sp)
	lw	s0,24(sp)
	lw	s2,16(sp)
	lw	s3,12(sp)
	lw	s4,8(sp)
	lw	s5,4(sp)
	mv	a0,s1
	lw	s1,20(sp)
	addi	sp,sp,32
	jr	ra
	.size	sort.constprop.0, .-sort.constprop.0
	.section	.text.startup,"ax",@progbits
	.align	1
	.globl	main
	.type	main, @function
main:
	.loc 1 103
	addi	sp,sp,-48
	sw	s0,40(sp)
	lui	s0,%hi(.LANCHOR0)
	sw	s3,28(sp)
	addi	s0,s0,%lo(.LANCHOR0)
	.loc 1 112
	lui	s3,%hi(.LANCHOR1)
	.loc 1 103
	sw	s2,32(sp)
	sw	s4,24(sp)
	sw	s5,20(sp)
	sw	s6,16(sp)
	sw	ra,44(sp)
	sw	s1,36(sp)
	.loc 1 103
	mv	s2,s0
	.loc 1 110
	li	a5,0
	.loc 1 112
	lui	s4,%hi(at)
	.loc 1 112
	addi	s3,s3,%lo(.LANCHOR1)
	.loc 1 111
	li	s5,32
	.loc 1 110
	li	s6,6
.L47:
	.loc 1 103
	li	s1,0
	.loc 1 113
	addi	a5,a5,1
.L48:
	.loc 1 112
	add	a4,s3,s1
	.loc 1 112
	lw	a4,0(a4)
	sw	a5,12(sp)
	sw	a4,%lo(at)(s4)
	.loc 1 113
	call	sum
	.loc 1 113
	lw	a5,12(sp)
	.loc 1 113
	add	a4,s2,s1
	.loc 1 111
	addi	s1,s1,4
	.loc 1 113
	mul	a0,a5,a0
	.loc 1 113
	sw	a0,0(a4)
	.loc 1 111
	bne	s1,s5,.L48
	.loc 1 110
	addi	s2,s2,32
	bne	a5,s6,.L47
	.loc 1 116
	li	a1,48
	li	a0,0
	call	sort.constprop.0
	mv	a5,a0
	addi	a4,s0,192
	.loc 1 118
	li	a2,31
.L50:
	mul	a5,a5,a2
	.loc 1 118
	lw	a3,0(s0)
	.loc 1 117
	addi	s0,s0,4
	.loc 1 118
	add	a5,a5,a3
	.loc 1 117
	bne	a4,s0,.L50
	.loc 1 120
	li	a4,1250902016
	addi	a4,a4,-1024
	.loc 1 120
	li	a0,1
	.loc 1 120
	bne	a5,a4,.L46
	.loc 1 120
	lui	a5,%hi(failures)
	.loc 1 120
	lw	a0,%lo(failures)(a5)
	addi	a0,a0,-18
	snez	a0,a0
.L46:
	.loc 1 121
	lw	ra,44(sp)
	lw	s0,40(sp)
	lw	s1,36(sp)
	lw	s2,32(sp)
	lw	s3,28(sp)
	lw	s4,24(sp)
	lw	s5,20(sp)
	lw	s6,16(sp)
	addi	sp,sp,48
	jr	ra
	.size	main, .-main
	.section	.rodata.str1.4,"aMS",@progbits,1
	.align	2
.LC0:
	.string	"1+2*3"
	.align	2
.LC1:
	.string	"(4-5)*(6+7)/2"
	.align	2
.LC2:
	.string	"-(8*-9)+10/3"
	.align	2
.LC3:
	.string	"((11))*((12-13)*14)"
	.align	2
.LC4:
	.string	"15/(16-16)"
	.align	2
.LC5:
	.string	"(17+18"
	.align	2
.LC6:
	.string	"x*19"
	.align	2
.LC7:
	.string	"2*3*4*5-6*7/8"
	.section	.rodata
	.align	2
	.set	.LANCHOR1,. + 0
	.type	expressions.1, @object
	.size	expressions.1, 32
expressions.1:
	.word	.LC0
	.word	.LC1
	.word	.LC2
	.word	.LC3
	.word	.LC4
	.word	.LC5
	.word	.LC6
	.word	.LC7
	.bss
	.align	2
	.set	.LANCHOR0,. + 0
	.type	values.0, @object
	.size	values.0, 192
values.0:
	.zero	192
	.section	.sbss,"aw",@nobits
	.align	2
	.type	failures, @object
	.size	failures, 4
failures:
	.zero	4
	.type	at, @object
	.size	at, 4
at:
	.zero	4
	.text
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
