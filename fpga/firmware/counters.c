/* The counters of a program with probes in it, before its profile: each that is not 0 as its word and its value, then how
 * many they are, in hexadecimal. The linker puts this in the place of profile_print. */

#include "platform.h"

extern uint32_t hpp_counters[], hpp_counters_end[];

void __real_profile_print(void);
void __wrap_profile_print(void);

static void put_text(const char *text)
{
    while (*text) {
        platform_putc(*text++);
    }
}

static void put_word(uint32_t word)
{
    platform_putc(' ');
    for (int shift = 28; shift >= 0; shift -= 4) {
        platform_putc("0123456789abcdef"[word >> shift & 15u]);
    }
}

void __wrap_profile_print(void)
{
    uint32_t words = (uint32_t)(hpp_counters_end - hpp_counters), count = 0;

    put_text("\n");
    for (uint32_t word = 0; word < words; word++) {
        if (hpp_counters[word] != 0) {
            put_text("counter");
            put_word(word);
            put_word(hpp_counters[word]);
            put_text("\n");
            count++;
        }
    }
    put_text("counters");
    put_word(count);
    put_text("\n");
    __real_profile_print();
}
