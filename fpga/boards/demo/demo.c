/* The boards' demonstration: a program with a few clear paths, and then its profile on the serial line.
 *
 * It sorts pseudo-random numbers by insertion, looks each of them up by bisection and adds up a checksum by recursion:
 * loops, nested loops, branches that go either way, and procedures. No library, no multiplication: it runs on RV32I. */
#include <stdint.h>

#include "platform.h"
#include "profile.h"

#define COUNT 64
#define ROUNDS 16

/* --- the program under profile --------------------------------------------------------------------------------- */

static uint32_t numbers[COUNT];

/* Marsaglia's xorshift, "Xorshift RNGs", section 3. */
static uint32_t next_random(uint32_t x)
{
    x ^= x << 13;
    x ^= x >> 17;
    return x ^ x << 5;
}

static void sort(uint32_t *list, int count)
{
    for (int i = 1; i < count; i++) {
        uint32_t moved = list[i];
        int j = i;
        for (; j > 0 && list[j - 1] > moved; j--)
            list[j] = list[j - 1];
        list[j] = moved;
    }
}

static int find(const uint32_t *list, int count, uint32_t wanted)
{
    int low = 0, high = count;
    while (low < high) {
        int middle = (low + high) >> 1;
        if (list[middle] < wanted)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static __attribute__((noinline)) uint32_t sum(const uint32_t *list, int count)
{
    if (count == 1)
        return *list;
    return sum(list, count >> 1) + sum(list + (count >> 1), count - (count >> 1));
}

/* 0 if every number was found where the sorted list has it. */
static int run(void)
{
    uint32_t seed = 2463534242u;
    for (int round = 0; round < ROUNDS; round++) {
        uint32_t added = 0;
        for (int i = 0; i < COUNT; i++) {
            seed = next_random(seed);
            numbers[i] = seed;
            added += seed;
        }
        sort(numbers, COUNT);
        for (int i = 0; i < COUNT; i++)
            if (numbers[find(numbers, COUNT, numbers[i])] != numbers[i])
                return 1;
        if (sum(numbers, COUNT) != added)
            return 2;
    }
    return 0;
}

/* --- the frame ------------------------------------------------------------------------------------------------- */

/* A store to the UART waits until the byte is taken. */
void platform_putc(char c) { platform_write(PLATFORM_UART_BASE, (uint8_t)c); }

int main(void)
{
    profile_start();
    int result = run();
    profile_stop();
    profile_print();
    return result;
}
