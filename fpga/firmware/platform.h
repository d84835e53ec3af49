/* What every program finds on the SoC of fpga/soc/hpp_soc.v. */
#ifndef PLATFORM_H
#define PLATFORM_H

#include <stdint.h>

/* The clock a simulated SoC claims to have: times it prints are cycles in this unit, so
 * "iterations a second" reads as "iterations a second and MHz". */
#define PLATFORM_HZ 1000000u

#define PLATFORM_UART_BASE 0x10000000u     /* 0: write a byte; read bit 0: ready for one */
#define PLATFORM_PROFILER_BASE 0x20000000u /* the profiler's registers; reads 0 without it */
#define PLATFORM_FINISH 0x30000000u        /* write the exit status: the run is over */

static inline uint32_t platform_read(uint32_t address)
{
    return *(volatile uint32_t *)address;
}

static inline void platform_write(uint32_t address, uint32_t value)
{
    *(volatile uint32_t *)address = value;
}

/* Cycles since reset, low word. */
static inline uint32_t platform_cycles(void)
{
    uint32_t cycles;
    __asm__ volatile("rdcycle %0" : "=r"(cycles));
    return cycles;
}

void platform_putc(char c);

#endif
