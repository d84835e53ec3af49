/* Profiles a small program on a LiteX system, through nothing but the accessors that LiteX generates, and prints the
 * profile on the UART as `hpp report` reads it. */

#include <stdbool.h>
#include <stdint.h>

#include <generated/csr.h>
#include <generated/soc.h>

#include "hpp.h" /* what the bits of the registers mean */

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

/* A write to the profiler may be under way while instructions after it retire: reading the register back waits for it. */
static void control(uint32_t value)
{
    hpp_control_write(value);
    (void)hpp_control_read();
}

static void profile_start(void)
{
    control(0);
    hpp_ppcr_mode_write((hpp_ppcr_mode_read() & ~HPP_PPCR_MODE_EVENT_SELECT_MASK) |
                        HPP_PPCR_MODE_EVENT_SELECT_INSTRUCTIONS);
    hpp_command_write(HPP_COMMAND_CLEAR_MASK | HPP_COMMAND_CLEAR_COUNTERS_MASK);
    while (hpp_status_read() & HPP_STATUS_CLEARING_MASK) {
    }
    /* The core does not wait for the profiler. */
    control(HPP_CONTROL_ENABLE_MASK | HPP_CONTROL_LOSSY_MASK);
}

/* Takes no more records, lets those that are in come to rest, then freezes the table. */
static void profile_stop(void)
{
    control(0);
    for (int wait = 0; wait < 16; wait++)
        (void)hpp_status_read();
    control(HPP_CONTROL_FREEZE_MASK);
}

/* --- the profile on the UART (docs/dump.md) -------------------------------------------------------------------- */

static uint32_t crc, checks, lines;

static void put(char c)
{
    crc ^= (uint8_t)c;
    for (int bit = 0; bit < 8; bit++)
        crc = (crc >> 1) ^ (crc & 1u ? 0xedb88320u : 0u);
    while (uart_txfull_read()) {
    }
    uart_rxtx_write((uint8_t)c);
}

static void put_text(const char *text)
{
    while (*text)
        put(*text++);
}

static void put_number(uint32_t word)
{
    bool started = false;

    for (int shift = 28; shift >= 0; shift -= 4) {
        uint32_t digit = word >> shift & 15u;
        started = started || digit != 0 || shift == 0;
        if (started)
            put(digit < 10 ? '0' + digit : 'a' + digit - 10);
    }
}

static void put_word(uint32_t word)
{
    put(' ');
    put_number(word);
}

static void begin_line(const char *name)
{
    crc = 0xffffffffu;
    put_number(lines++);
    put(' ');
    put_text(name);
}

static void end_line(void)
{
    uint32_t check = ~crc;

    checks += check;
    put_text(" *");
    put_number(check);
    put('\n');
}

static void put_counter(uint32_t low, uint32_t high)
{
    put_word(low);
    put_word(high);
}

/* Reading a low word latches the high word: they are read in this order. */
#define PUT_COUNTER(name)                                   \
    do {                                                    \
        uint32_t low = hpp_##name##_lo_read();              \
        put_counter(low, hpp_##name##_hi_read());           \
    } while (0)

static void put_registers(void)
{
    begin_line("geometry");
    put_word(hpp_geometry0_read());
    put_word(hpp_geometry1_read());
    put_word(hpp_geometry2_read());
    end_line();
    begin_line("ppcr");
    put_word(hpp_ppcr_rows_read());
    put_word(hpp_ppcr_mode_read());
    end_line();
    begin_line("errors");
    put_word(hpp_errors_read());
    end_line();
    begin_line("counters");
    PUT_COUNTER(records);
    PUT_COUNTER(paths);
    PUT_COUNTER(hits);
    PUT_COUNTER(replacements);
    PUT_COUNTER(splits);
    PUT_COUNTER(underflows);
    PUT_COUNTER(overflows);
    PUT_COUNTER(lost_records);
    end_line();
}

static void put_entries(uint32_t entries, uint32_t words)
{
    hpp_table_index_write(0);
    for (uint32_t number = 0; number < entries; number++) {
        uint32_t entry[8];
        for (uint32_t i = 0; i < words; i++)
            entry[i] = hpp_table_data_read();
        if (entry[words - 1] == 0)
            continue;
        begin_line("entry");
        put_word(number);
        for (uint32_t i = 0; i < words; i++)
            put_word(entry[i]);
        end_line();
    }
}

static void profile_print(void)
{
    checks = 0;
    lines = 0;
    put_text("HPP dump 2 begins\n");
    begin_line("configuration " HPP_CONFIGURATION);
    end_line();
    begin_line("program -");
    end_line();
    put_registers();
    put_entries(HPP_ENTRIES, HPP_ENTRY_WORDS);
    crc = 0xffffffffu;
    put_text("HPP dump 2 ends");
    put_word(lines);
    put_word(checks);
    end_line();
}

int main(void)
{
    bool well;

    if (hpp_id_read() != HPP_ID_VALUE) {
        put_text("no profiler\n");
        return 1;
    }
    interrupt();
    profile_start();
    well = run();
    profile_stop();
    profile_print();
    put_text(well ? "done\n" : "failed\n");
    return 0;
}
