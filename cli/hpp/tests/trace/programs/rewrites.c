// Code that changes itself: a function is written again and again to the same place, and its memory is given back and taken anew.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ADDITIONS = 250, SIZE = 4096 };

// Adds so many numbers to its argument, which QEMU translates into some kilobytes.
static void write_function(unsigned char *code, unsigned number) {
    unsigned char *at = code;
    memcpy(at, "\x89\xf8", 2);
    at += 2;
    for (int i = 0; i < ADDITIONS; i++) {
        *at++ = 0x05;
        memcpy(at, &number, 4);
        at += 4;
    }
    *at = 0xc3;
}

int main(int count, char **arguments) {
    unsigned times = atoi(arguments[1]), sum = 0;
    for (unsigned round = 0; round < times; round++) {
        unsigned char *code = mmap(0, SIZE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        for (unsigned number = 0; number < 100; number++) {
            write_function(code, number);
            for (int i = 0; i < 3; i++)
                sum = ((unsigned (*)(unsigned))code)(sum);
        }
        munmap(code, SIZE);
    }
    printf("%u\n", sum);
}
