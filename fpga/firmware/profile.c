/* The profiler as a program sees it: a handful of registers, described by the generated header. */

#include "profile.h"
#include "hpp.h"
#include "platform.h"

#include <stdbool.h>
#include <stdint.h>

static uint32_t get(uint32_t offset)
{
    return platform_read(PLATFORM_PROFILER_BASE + offset);
}

static void set(uint32_t offset, uint32_t value)
{
    platform_write(PLATFORM_PROFILER_BASE + offset, value);
}

static bool present(void)
{
    return get(HPP_ID_OFFSET) == HPP_ID_VALUE;
}

/* Whatever the profiler was generated to do, on an empty table; events are instructions, which a
 * host can count as well. */
void profile_start(void)
{
    uint32_t mode;

    if (!present()) {
        return;
    }
    set(HPP_CONTROL_OFFSET, 0);
    mode = get(HPP_PPCR_MODE_OFFSET) & ~HPP_PPCR_MODE_EVENT_SELECT_MASK;
    set(HPP_PPCR_MODE_OFFSET, mode | HPP_PPCR_MODE_EVENT_SELECT_INSTRUCTIONS);
    set(HPP_COMMAND_OFFSET, HPP_COMMAND_CLEAR_MASK | HPP_COMMAND_CLEAR_COUNTERS_MASK);
    while (get(HPP_STATUS_OFFSET) & HPP_STATUS_CLEARING_MASK) {
    }
    set(HPP_CONTROL_OFFSET, HPP_CONTROL_ENABLE_MASK);
}

/* Takes no more records, lets those that are in come to rest, then freezes the table. */
void profile_stop(void)
{
    if (!present()) {
        return;
    }
    set(HPP_CONTROL_OFFSET, 0);
    for (int wait = 0; wait < 16; wait++) {
        (void)get(HPP_STATUS_OFFSET);
    }
    set(HPP_CONTROL_OFFSET, HPP_CONTROL_FREEZE_MASK);
}

/* The dump (docs/dump.md): numbered lines of hexadecimal words, each with the CRC-32 of its text, and a last line with
 * their number and the sum of their checks. What went over a wire can be trusted, and what was lost is known. */

static uint32_t crc, sum, lines;

static void put(char c)
{
    crc ^= (uint8_t)c;
    for (int bit = 0; bit < 8; bit++) {
        crc = (crc >> 1) ^ (crc & 1u ? 0xedb88320u : 0u);
    }
    platform_putc(c);
}

static void put_text(const char *text)
{
    while (*text) {
        put(*text++);
    }
}

static void put_number(uint32_t word)
{
    bool started = false;

    for (int shift = 28; shift >= 0; shift -= 4) {
        uint32_t digit = word >> shift & 15u;
        started = started || digit != 0 || shift == 0;
        if (started) {
            put("0123456789abcdef"[digit]);
        }
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

    sum += check;
    put_text(" *");
    put_number(check);
    put('\n');
}

/* A line of `count` registers from `offset` on. */
static void put_registers(const char *name, uint32_t offset, uint32_t count)
{
    begin_line(name);
    for (uint32_t i = 0; i < count; i++) {
        put_word(get(offset + 4 * i));
    }
    end_line();
}

/* What the linker leaves of --build-id, if the program's layout has a place for it: an ELF note. */
extern const uint8_t __build_id_note[] __attribute__((weak));

static void put_build_id(void)
{
    const volatile uint8_t *note = __build_id_note;

    begin_line("program ");
    if (note == 0 || note[4] == 0) {
        put('-');
    } else {
        /* Sizes of name and hash, type, the name "GNU" and its end, the hash. */
        for (uint32_t i = 0; i < note[4]; i++) {
            put("0123456789abcdef"[note[16 + i] >> 4]);
            put("0123456789abcdef"[note[16 + i] & 15]);
        }
    }
    end_line();
}

/* A line for each entry that counted: its number, then its words as TABLE_DATA gives them. */
static void put_entries(void)
{
    uint32_t geometry = get(HPP_GEOMETRY0_OFFSET);
    uint32_t ways = (geometry & HPP_GEOMETRY0_WAYS_MASK) >> HPP_GEOMETRY0_WAYS_SHIFT;
    uint32_t log2_sets = (geometry & HPP_GEOMETRY0_LOG2_SETS_MASK) >> HPP_GEOMETRY0_LOG2_SETS_SHIFT;
    uint32_t entries = ways << log2_sets;
    uint32_t words = get(HPP_GEOMETRY2_OFFSET) >> HPP_GEOMETRY2_ENTRY_WORDS_SHIFT;

    set(HPP_TABLE_INDEX_OFFSET, 0);
    for (uint32_t number = 0; number < entries; number++) {
        uint32_t entry[8];
        for (uint32_t i = 0; i < words; i++) {
            entry[i] = get(HPP_TABLE_DATA_OFFSET);
        }
        if (entry[words - 1] == 0) {
            continue;
        }
        begin_line("entry");
        put_word(number);
        for (uint32_t i = 0; i < words; i++) {
            put_word(entry[i]);
        }
        end_line();
    }
}

void profile_print(void)
{
    if (!present()) {
        return;
    }
    put_text("HPP dump 2 begins\n");
    sum = 0;
    lines = 0;
    begin_line("configuration " HPP_CONFIGURATION);
    end_line();
    put_build_id();
    put_registers("geometry", HPP_GEOMETRY0_OFFSET, 3);
    put_registers("ppcr", HPP_PPCR_ROWS_OFFSET, 2);
    put_registers("errors", HPP_ERRORS_OFFSET, 1);
    put_registers("counters", HPP_RECORDS_LO_OFFSET, 16);
    put_entries();
    crc = 0xffffffffu;
    put_text("HPP dump 2 ends");
    put_word(lines);
    put_word(sum);
    end_line();
}
