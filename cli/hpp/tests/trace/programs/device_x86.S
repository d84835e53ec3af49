# The same for x86, begun by a boot loader in protected mode.
    .code32
    .align 4
    .long 0x1badb002, 0, -0x1badb002
    .globl _start
_start:
    mov $stack, %esp
    mov $1000, %ebp
1:  mov place, %eax
    call returns
    call calls
    call jumps
    call branches
    sub $1, %ebp
    jnz 1b
    mov $0x501, %edx
    out %eax, (%dx)
2:  hlt
    jmp 2b

returns:
    mov place, %eax
    add $1, %eax
    ret

calls:
    mov $returns, %ecx
    mov place, %eax
    call *%ecx
    mov place, %eax
    ret

jumps:
    mov $1f, %ecx
    mov $2f, %edx
    mov place, %eax
1:  mov %ecx, %esi
    mov %edx, %ecx
    jmp *%esi
2:  ret

branches:
    mov $3, %ecx
    mov place, %eax
1:  sub $1, %ecx
    jnz 1b
    ret

    .bss
    .align 16
    .zero 4096
stack:
