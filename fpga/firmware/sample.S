# The text a compressor works on: SAMPLE_BYTES bytes of the file SAMPLE (given by the Makefile).

    .section .rodata
    .globl sample
    .type sample, @object
sample:
    .incbin SAMPLE, 0, SAMPLE_BYTES
    .size sample, . - sample
