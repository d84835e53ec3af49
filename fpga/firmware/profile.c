/* The program's own use of the profiler, by its driver. */

#include "profile.h"
#include "hpp_driver.h"
#include "platform.h"

#include <stdbool.h>
#include <stdint.h>

static struct hpp profiler;
static bool present;

/* What paths count, if the Makefile's EVENTS names it. Otherwise whatever the profiler was generated to do; events are
 * instructions then, which a host can count as well. */
#ifndef PROFILE_EVENTS
#define PROFILE_EVENTS HPP_PPCR_MODE_EVENT_SELECT_INSTRUCTIONS
#endif

/* From an empty table on. */
void profile_start(void)
{
    present = hpp_init(&profiler, PLATFORM_PROFILER_BASE) == HPP_OK && hpp_reset(&profiler) == HPP_OK;
    if (present) {
        hpp_set_events(&profiler, PROFILE_EVENTS);
#ifdef PROFILE_METRIC
        hpp_set_metric(&profiler, PROFILE_METRIC);
#endif
        hpp_start(&profiler);
    }
}

void profile_stop(void)
{
    if (present) {
        hpp_stop(&profiler);
    }
}

/* What the linker leaves of --build-id, if the program's layout has a place for it: an ELF note. */
extern const uint8_t __build_id_note[] __attribute__((weak));

static void put(void *context, char c)
{
    (void)context;
    platform_putc(c);
}

void profile_print(void)
{
    if (present) {
        hpp_dump(&profiler, put, 0, __build_id_note);
    }
}
