/* The generated driver at the end of two pipes: calls come in as lines, and every access of a register goes out as one.
 *
 *     in   init, reset, start, stop, rows N, metric N, events N, extension N N, lossy N, context N N, lock, repairs,
 *          counter N, read N, dump, room N, setdrain N N N, drain, collect, dumpall
 *     out  R offset (answered by a number), W offset value, E number start outcomes length count
 *          context, C character, = result
 *
 * Numbers are decimal.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hpp_driver.h"

uint32_t hpp_access_read(uintptr_t base, uint32_t offset)
{
    char answer[32];

    printf("R %" PRIu32 "\n", (uint32_t)base + offset);
    fflush(stdout);
    if (!fgets(answer, sizeof answer, stdin))
        exit(1);
    return (uint32_t)strtoul(answer, 0, 10);
}

void hpp_access_write(uintptr_t base, uint32_t offset, uint32_t value)
{
    printf("W %" PRIu32 " %" PRIu32 "\n", (uint32_t)base + offset, value);
    fflush(stdout);
}

/* Calls left until the reading is ended early. */
static int each(void *context, const struct hpp_entry *entry)
{
    uint32_t *left = context;

    printf("E %" PRIu32 " %" PRIu64 " %" PRIu64 " %" PRIu32 " %" PRIu32 " %" PRIu32 "\n", entry->number, entry->start,
           entry->outcomes, entry->length, entry->count, entry->context);
    return --*left == 0;
}

static void put(void *context, char c)
{
    (void)context;
    printf("C %d\n", c);
}

int main(void)
{
    static const uint8_t note[] = {4, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0, 'G', 'N', 'U', 0, 0xc0, 0x0f};
    static struct hpp_left cells[256];
    struct hpp_buffer buffer = {0, 0, 0, 0, 0};
    /* Three paths, the third once more, as a drain writer leaves them. */
    static const uint32_t memory[] = {0x100, 1, 1, 5, 0x140, 0, 1, 7, 0x180, 1, 1, 9, 0x180, 1, 1, 11};
    struct hpp profiler;
    char line[64], name[16];
    uint32_t a, b, c;
    uint64_t result;

    while (fgets(line, sizeof line, stdin)) {
        a = b = c = 0;
        result = 0;
        if (sscanf(line, "%15s %" SCNu32 " %" SCNu32 " %" SCNu32, name, &a, &b, &c) < 1)
            return 1;
        if (!strcmp(name, "init"))
            result = (uint64_t)hpp_init(&profiler, 0);
        else if (!strcmp(name, "reset"))
            result = (uint64_t)hpp_reset(&profiler);
        else if (!strcmp(name, "start"))
            hpp_start(&profiler);
        else if (!strcmp(name, "stop"))
            hpp_stop(&profiler);
        else if (!strcmp(name, "rows"))
            result = (uint64_t)hpp_set_rows(&profiler, a);
        else if (!strcmp(name, "metric"))
            hpp_set_metric(&profiler, a);
        else if (!strcmp(name, "events"))
            hpp_set_events(&profiler, a);
        else if (!strcmp(name, "extension"))
            result = (uint64_t)hpp_set_extension(&profiler, a, b);
        else if (!strcmp(name, "lossy"))
            hpp_set_lossy(&profiler, a != 0);
        else if (!strcmp(name, "context"))
            result = (uint64_t)hpp_set_context(&profiler, a, b);
        else if (!strcmp(name, "lock"))
            result = (uint64_t)hpp_lock(&profiler);
        else if (!strcmp(name, "repairs"))
            result = hpp_repairs(&profiler);
        else if (!strcmp(name, "counter"))
            result = hpp_counter(&profiler, a);
        else if (!strcmp(name, "read"))
            result = hpp_read(&profiler, each, &a);
        else if (!strcmp(name, "dump"))
            hpp_dump(&profiler, put, 0, note);
        else if (!strcmp(name, "room"))
            hpp_buffer_init(&buffer, cells, a);
        else if (!strcmp(name, "setdrain"))
            result = (uint64_t)hpp_set_drain(&profiler, a != 0, b != 0, c);
        else if (!strcmp(name, "drain"))
            result = (uint64_t)hpp_drain(&profiler, &buffer);
        else if (!strcmp(name, "collect"))
            result = (uint64_t)hpp_collect(&profiler, &buffer, memory, 4);
        else if (!strcmp(name, "dumpall"))
            hpp_dump_all(&profiler, &buffer, put, 0, note);
        else
            return 1;
        printf("= %" PRIu64 "\n", result);
        fflush(stdout);
    }
    return 0;
}
