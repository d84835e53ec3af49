/* What every program finds on the SoC of fpga/soc/hpp_soc.v. */
#ifndef PLATFORM_H
#define PLATFORM_H

#include <stdint.h>

/* The clock a simulated SoC claims to have: times it prints are cycles in this unit, so
 * "iterations a second" reads as "iterations a second and MHz". */
#define PLATFORM_HZ 1000000u

/* Where the devices begin: 0x80000000 for a core that would cache what is below. */
#ifndef PLATFORM_DEVICES
#define PLATFORM_DEVICES 0u
#endif

#define PLATFORM_UART_BASE (PLATFORM_DEVICES + 0x10000000u)     /* 0: write a byte; read bit 0: ready for one */
#define PLATFORM_PROFILER_BASE (PLATFORM_DEVICES + 0x20000000u) /* the profiler's registers; reads 0 without it */
#define PLATFORM_FINISH (PLATFORM_DEVICES + 0x30000000u)        /* write the exit status: the run is over */
#define PLATFORM_TIMER (PLATFORM_DEVICES + 0x40000000u)         /* read: cycles since reset */

/* On a system with a drain writer (HPP_DRAIN_WRITER in fpga/soc): entries that left the profiler's table, in memory, and how many; write: begin again. */
#define PLATFORM_DRAIN_ENTRIES (PLATFORM_DEVICES + 0x50000000u)
#define PLATFORM_DRAIN_MEMORY 0x200000u

/* On a system of PicoRV32 with a drain: the core's interrupt while as many entries wait in it as the profiler was told. */
#define PLATFORM_DRAIN_INTERRUPT 3

static inline uint32_t platform_read(uint32_t address)
{
    return *(volatile uint32_t *)(uintptr_t)address;
}

static inline void platform_write(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)(uintptr_t)address = value;
}

/* These interrupts are taken, and no others: PicoRV32's `maskirq`, with ones for those that are not. */
static inline void platform_interrupts(uint32_t taken)
{
    __asm__ volatile(".insn r 0x0b, 6, 3, x0, %0, x0" : : "r"(~taken) : "memory");
}

/* Cycles since reset, modulo 2^32. */
static inline uint32_t platform_cycles(void)
{
    return platform_read(PLATFORM_TIMER);
}

void platform_putc(char c);

#endif
