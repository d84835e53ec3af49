/* A kernel with two user programs, each in an address space of its own number, whose paths it profiles and prints. */

#include <stdint.h>

#include "hpp_driver.h"

uint32_t sbi(uint32_t first, uint32_t second, uint32_t extension, uint32_t function);
void run_user(void (*program)(void), uint32_t asid);

int kernel(void);

static struct hpp profiler;
static struct hpp_left cells[4096];
static struct hpp_buffer buffer;
static volatile uint32_t steps;

static void call_kernel(void)
{
    __asm__ volatile("ecall");
}

static void collatz(void)
{
    for (uint32_t from = 1; from < 60; from++)
        for (uint32_t number = from; number != 1; steps++)
            number = number % 2 == 0 ? number / 2 : 3 * number + 1;
    call_kernel();
}

/* Each number takes a path of its own, of more than the table has entries. */
static void bits(void)
{
#define STEP_AT(bit)              \
    if ((number & 1u << bit) != 0) \
        steps += bit;
    for (uint32_t number = 0; number < 512; number++) {
        STEP_AT(0)
        STEP_AT(1)
        STEP_AT(2)
        STEP_AT(3)
        STEP_AT(4)
        STEP_AT(5)
        STEP_AT(6)
        STEP_AT(7)
        STEP_AT(8)
    }
    call_kernel();
}

static void put(void *context, char c)
{
    (void)context;
    sbi((uint8_t)c, 0, 0x4442434e, 2);
}

static uint32_t now(void)
{
    uint32_t time;

    __asm__ volatile("rdtime %0" : "=r"(time));
    return time;
}

/* The time passes, and its interrupt comes: it is seen in sip, and taken by nobody. */
static int has_timer(void)
{
    const uint32_t delay = 3000;
    uint32_t begin = now(), pending = 0;

    sbi(begin + delay, 0, 0x54494d45, 0);
    while ((pending & 0x20) == 0 && now() - begin < 10 * delay)
        __asm__ volatile("csrr %0, sip" : "=r"(pending));
    return (pending & 0x20) != 0 && now() - begin >= delay;
}

int kernel(void)
{
    volatile uint32_t *written = (volatile uint32_t *)DRAIN_WRITER;

    if (sbi(0x54494d45, 0, 0x10, 3) != 1 || sbi(0x12345678, 0, 0x10, 3) != 0 || !has_timer())
        return 1;
    if (hpp_init(&profiler, PROFILER) != HPP_OK || hpp_reset(&profiler) != HPP_OK)
        return 2;
    if (hpp_set_context(&profiler, 0x80, 0) != HPP_OK)
        return 3;
    hpp_set_drain(&profiler, true, true, 0);
    *written = 1;
    hpp_start(&profiler);
    for (int round = 0; round < 3; round++) {
        run_user(collatz, 3);
        run_user(bits, 5);
    }
    hpp_stop(&profiler);
    while (hpp_drain_level(&profiler) != 0) {
    }
    hpp_buffer_init(&buffer, cells, 4096);
    hpp_collect(&profiler, &buffer, (const volatile uint32_t *)(UNCACHED + DRAIN_MEMORY), *written);
    hpp_dump_all(&profiler, &buffer, put, 0, 0);
    return 0;
}
