/* Profiles a small program on a LiteX system, by the profiler's driver at the address that LiteX gave it, and prints the
 * profile on the UART as `hpp report` reads it. */

#include <stdbool.h>
#include <stdint.h>

#include <generated/csr.h>
#include <generated/mem.h>
#include <generated/soc.h>

#include "hpp_driver.h"

/* --- the program under profile --------------------------------------------------------------------------------- */

#define COUNT 32

static uint32_t numbers[COUNT];

/* Marsaglia's xorshift, "Xorshift RNGs", section 3. */
static uint32_t next_random(uint32_t x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

static __attribute__((noinline)) void sort(uint32_t *list, int count)
{
    for (int i = 1; i < count; i++) {
        uint32_t moved = list[i];
        int j = i;
        for (; j > 0 && list[j - 1] > moved; j--)
            list[j] = list[j - 1];
        list[j] = moved;
    }
}

static __attribute__((noinline)) uint32_t sum(const uint32_t *list, int count)
{
    if (count == 1)
        return *list;
    return sum(list, count >> 1) + sum(list + (count >> 1), count - (count >> 1));
}

/* Whether the numbers came out sorted and none got lost. */
static bool run(void)
{
    uint32_t seed = 2463534242u, added = 0;

    for (int i = 0; i < COUNT; i++) {
        seed = next_random(seed);
        numbers[i] = seed;
        added += seed;
    }
    sort(numbers, COUNT);
    for (int i = 1; i < COUNT; i++)
        if (numbers[i - 1] > numbers[i])
            return false;
    return sum(numbers, COUNT) == added;
}

/* One interrupt, from PicoRV32's own timer; it is over before the profile begins, because `hpp report` does not know
 * the instruction that ends it. */
static void interrupt(void)
{
#ifdef CONFIG_CPU_TYPE_PICORV32
    register uint32_t value __asm__("a0") = ~1u;
    __asm__ volatile(".insn r 0x0b, 0, 3, x0, %0, x0" : : "r"(value)); /* maskirq: all but the timer's */
    value = 20;
    __asm__ volatile(".insn r 0x0b, 0, 5, x0, %0, x0" : : "r"(value)); /* timer: in 20 cycles */
#endif
}

/* --- the profiler ---------------------------------------------------------------------------------------------- */

static void put(void *context, char c)
{
    (void)context;
    while (uart_txfull_read()) {
    }
    uart_rxtx_write((uint8_t)c);
}

static void put_text(const char *text)
{
    while (*text)
        put(0, *text++);
}

int main(void)
{
    struct hpp profiler;
    bool well;

    if (hpp_init(&profiler, HPP_BASE) != HPP_OK || hpp_reset(&profiler) != HPP_OK) {
        put_text("no profiler\n");
        return 1;
    }
    interrupt();
    hpp_set_events(&profiler, HPP_PPCR_MODE_EVENT_SELECT_INSTRUCTIONS);
    /* The core does not wait for the profiler. */
    hpp_set_lossy(&profiler, true);
    hpp_start(&profiler);
    well = run();
    hpp_stop(&profiler);
    hpp_dump(&profiler, put, 0, 0);
    put_text(well ? "done\n" : "failed\n");
    return 0;
}
