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

/* Of a profiler with a drain: what left the table. The system has put it into memory, entry by entry; here each path has a cell. */
#if HPP_GEOMETRY3_RESET & HPP_GEOMETRY3_LOG2_DRAIN_DEPTH_MASK
#define DRAINED_PATHS 4096u
static struct hpp_left cells[DRAINED_PATHS];
static struct hpp_buffer buffer;

/* A core that would lose entries waits: it is not the core that takes them. */
static void drain_start(void)
{
    hpp_set_drain(&profiler, true, true, 0);
    platform_write(PLATFORM_DRAIN_ENTRIES, 1);
}

static void print(void (*put_byte)(void *context, char c), const uint8_t *build_id)
{
    /* What left last may be on its way to memory. */
    for (uint32_t patience = 100000; hpp_drain_level(&profiler) != 0 && patience != 0; patience--) {
    }
    hpp_buffer_init(&buffer, cells, DRAINED_PATHS);
    hpp_collect(&profiler, &buffer, (const volatile uint32_t *)PLATFORM_DRAIN_MEMORY, platform_read(PLATFORM_DRAIN_ENTRIES));
    hpp_dump_all(&profiler, &buffer, put_byte, 0, build_id);
}
#else
static void drain_start(void) {}

static void print(void (*put_byte)(void *context, char c), const uint8_t *build_id)
{
    hpp_dump(&profiler, put_byte, 0, build_id);
}
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
        drain_start();
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
        print(put, __build_id_note);
    }
}
