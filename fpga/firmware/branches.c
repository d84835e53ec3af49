/* What GCC counted in the program's own sources (-fprofile-arcs), printed before its profile: for each source the name of its file of
 * counts, then the file, in hexadecimal. The linker puts this in the place of profile_print. */

#include "platform.h"

#include <gcov.h>
#include <stdlib.h>

/* One for each source; the section's name makes the linker give its ends. */
extern const struct gcov_info *const __start_gcov_info[], *const __stop_gcov_info[];

void __real_profile_print(void);
void __wrap_profile_print(void);

static void put_text(const char *text)
{
    while (*text) {
        platform_putc(*text++);
    }
}

static void put_name(const char *name, void *context)
{
    (void)context;
    put_text("\ngcda ");
    put_text(name);
    put_text("\ngcov ");
}

static void put_bytes(const void *bytes, unsigned count, void *context)
{
    (void)context;
    for (unsigned at = 0; at < count; at++) {
        unsigned byte = ((const unsigned char *)bytes)[at];

        platform_putc("0123456789abcdef"[byte >> 4]);
        platform_putc("0123456789abcdef"[byte & 15u]);
    }
}

static void *allocate(unsigned bytes, void *context)
{
    (void)context;
    return malloc(bytes);
}

void __wrap_profile_print(void)
{
    for (const struct gcov_info *const *info = __start_gcov_info; info != __stop_gcov_info; info++) {
        __gcov_info_to_gcda(*info, put_name, put_bytes, allocate, 0);
    }
    put_text("\n");
    __real_profile_print();
}
