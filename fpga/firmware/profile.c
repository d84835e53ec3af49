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

/* Of a profiler with a drain: each path that left the table has a cell. */
#if HPP_GEOMETRY3_RESET & HPP_GEOMETRY3_LOG2_DRAIN_DEPTH_MASK
#ifndef PROFILE_DRAINED_PATHS
#define PROFILE_DRAINED_PATHS 4096u
#endif
static struct hpp_left cells[PROFILE_DRAINED_PATHS];
static struct hpp_buffer buffer;

#ifdef PROFILE_DRAIN_WATERMARK
/* This core takes the entries, whenever so many wait. What comes while it takes them would be lost if it found no place; a core that waited would
 * wait for itself. */
static void drain_start(void)
{
    hpp_buffer_init(&buffer, cells, PROFILE_DRAINED_PATHS);
    if (hpp_set_drain(&profiler, false, false, PROFILE_DRAIN_WATERMARK) == HPP_OK) {
        platform_interrupts(1u << PLATFORM_DRAIN_INTERRUPT);
    }
}

/* A core without a drain on its bus has no interrupts. */
static void drain_stop(void)
{
    if (profiler.drains) {
        platform_interrupts(0);
    }
}

static void freeze(uint32_t frozen)
{
    uint32_t control = platform_read(PLATFORM_PROFILER_BASE + HPP_CONTROL_OFFSET) & ~HPP_CONTROL_FREEZE_MASK;

    platform_write(PLATFORM_PROFILER_BASE + HPP_CONTROL_OFFSET, control | frozen);
}

/* Its own paths stay out of the table, but for two an interrupt: its end. The program's last have come to rest by the time that the registers are saved;
 * those of what is called here have after a few reads. */
void profile_interrupt(void)
{
    freeze(HPP_CONTROL_FREEZE_MASK);
    if (hpp_drain(&profiler, &buffer) == HPP_FULL) {
        /* The interrupt would come for ever. Entries evicted from now on are lost when the drain is full, and counted. */
        (void)hpp_set_drain(&profiler, false, false, 0);
    }
    for (int i = 0; i < 4; i++) {
        (void)hpp_drain_level(&profiler);
    }
    freeze(0);
}

static void collect(void) {}
#else
/* The system puts entries into memory one by one. A core that would lose entries waits: it is not the core that takes them. */
static void drain_start(void)
{
    hpp_set_drain(&profiler, true, true, 0);
    platform_write(PLATFORM_DRAIN_ENTRIES, 1);
}

static void drain_stop(void) {}

static void collect(void)
{
    /* What left last may be on its way to memory. */
    for (uint32_t patience = 100000; hpp_drain_level(&profiler) != 0 && patience != 0; patience--) {
    }
    hpp_buffer_init(&buffer, cells, PROFILE_DRAINED_PATHS);
    hpp_collect(&profiler, &buffer, (const volatile uint32_t *)PLATFORM_DRAIN_MEMORY, platform_read(PLATFORM_DRAIN_ENTRIES));
}
#endif

static void print(void (*put_byte)(void *context, char c), const uint8_t *build_id)
{
    collect();
    hpp_dump_all(&profiler, &buffer, put_byte, 0, build_id);
}
#else
static void drain_start(void) {}

static void drain_stop(void) {}

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
#if !(HPP_GEOMETRY3_RESET & HPP_GEOMETRY3_ENGINE_MASK) /* A tiny profiler has no events. */
        hpp_set_events(&profiler, PROFILE_EVENTS);
#endif
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
        drain_stop();
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
