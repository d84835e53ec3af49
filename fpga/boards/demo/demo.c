/* The boards' demonstration: a program with a few clear paths, and then the hot path table on the serial line.
 *
 * It sorts pseudo-random numbers by insertion, looks each of them up by bisection and adds up a checksum by recursion:
 * loops, nested loops, branches that go either way, and procedures. No library, no multiplication: it runs on RV32I. */
#include <stdint.h>

#include "hpp.h"

#define UART 0x10000000u
#define PROFILER 0x20000000u
#define COUNT 64
#define ROUNDS 16

static uint32_t load(uint32_t address) { return *(volatile uint32_t *)address; }
static void store(uint32_t address, uint32_t value) { *(volatile uint32_t *)address = value; }

static void put(char c) { store(UART, (uint32_t)c); }

static void print(const char *text)
{
    while (*text)
        put(*text++);
}

static void print_hex(uint32_t value)
{
    for (int shift = 28; shift >= 0; shift -= 4)
        put("0123456789abcdef"[value >> shift & 15]);
}

static void print_line(const char *name, uint32_t value)
{
    print(name);
    print_hex(value);
    put('\n');
}

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

/* --- the profile ----------------------------------------------------------------------------------------------- */

static void print_entry(uint32_t words)
{
    uint32_t word[6], any = 0;
    for (uint32_t i = 0; i < words; i++) {
        word[i] = load(PROFILER + HPP_TABLE_DATA_OFFSET);
        any |= word[i];
    }
    if (!any)
        return;
    for (uint32_t i = 0; i < words; i++) {
        print_hex(word[i]);
        put(i + 1 < words ? ' ' : '\n');
    }
}

static void print_profile(void)
{
    uint32_t shape = load(PROFILER + HPP_GEOMETRY0_OFFSET);
    uint32_t words = load(PROFILER + HPP_GEOMETRY2_OFFSET) >> 24;
    uint32_t entries = (shape >> 8 & 0xFF) << (shape & 0xFF); /* ways x sets */
    print_line("records ", load(PROFILER + HPP_RECORDS_LO_OFFSET));
    print_line("paths ", load(PROFILER + HPP_PATHS_LO_OFFSET));
    print_line("hits ", load(PROFILER + HPP_HITS_LO_OFFSET));
    print("start outcomes length count\n");
    store(PROFILER + HPP_TABLE_INDEX_OFFSET, 0);
    for (; entries; entries--)
        print_entry(words);
}

int main(void)
{
    if (load(PROFILER + HPP_ID_OFFSET) != HPP_ID_VALUE) {
        print("no profiler on the bus\n");
        return run();
    }
    store(PROFILER + HPP_CONTROL_OFFSET, HPP_CONTROL_ENABLE_MASK);
    int result = run();
    store(PROFILER + HPP_CONTROL_OFFSET, HPP_CONTROL_FREEZE_MASK);
    print_profile();
    print_line("result ", (uint32_t)result);
    return result;
}
