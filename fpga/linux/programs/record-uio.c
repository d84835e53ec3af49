/* A profile by UIO, without a module: of all processes that run meanwhile. Each has a context of its own, the low bits of its address space's identifier.
 *
 * UIO's maps: 0 the registers, 1 the drain writer's, 2 the memory that it fills. Without 1 and 2, the table alone is read. */

#include "nolibc.h"

#include "record.h"

#define DEVICE "/dev/uio0"
#define MAPS "/sys/class/uio/uio0/maps/map"

/* The context's bit of privileged modes. */
#define PRIVILEGED 0x80u

static volatile uint32_t *written; /* of the drain writer: entries in memory; a write begins again */
static volatile uint32_t *entries;

/* The number of a map's file in sysfs; 0 if there is no such map. */
static unsigned long map_number(char map, const char *name)
{
    char path[64] = MAPS "0/", text[32];
    int file;
    ssize_t length;

    path[sizeof MAPS - 1] = map;
    memcpy(path + strlen(path), name, strlen(name) + 1);
    file = open(path, O_RDONLY);
    if (file < 0)
        return 0;
    length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 2)
        return 0;
    text[length] = '\0';
    /* Behind `0x`. */
    return strtoul(text, NULL, 16);
}

/* A map of UIO, or NULL. Its number selects it by the offset, in pages. */
static volatile uint32_t *map(int device, char number)
{
    unsigned long size = map_number(number, "size");
    char *memory;

    if (size == 0)
        return NULL;
    memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, device, (number - '0') * getpagesize());
    return memory == MAP_FAILED ? NULL : (volatile uint32_t *)(memory + map_number(number, "offset"));
}

static int open_profiler(struct hpp *profiler)
{
    int device = open(DEVICE, O_RDWR);
    volatile uint32_t *registers;

    if (device < 0)
        return fail("cannot open " DEVICE, "a device tree with the profiler's node, and uio_pdrv_genirq.of_id=hpp,path-profiler for the kernel");
    registers = map(device, '0');
    if (registers == NULL)
        return fail("cannot map the profiler's registers", "the rights to write " DEVICE);
    written = map(device, '1');
    entries = map(device, '2');
    if (hpp_init(profiler, (uintptr_t)registers) != HPP_OK)
        return fail("there is no profiler at the node's address, or one of another version", "the address in the device tree; this program built for the profiler");
    if (profiler->drains && (written == NULL || entries == NULL))
        fprintf(stderr, "hpp-record: no memory for evicted entries: the profile is incomplete\n");
    return 0;
}

static int start(const struct hpp *profiler, bool with_kernel)
{
    bool drains = profiler->drains && written != NULL && entries != NULL;

    if (hpp_reset(profiler) != HPP_OK)
        return fail("the profiler's table is not cleared", "a reset");
    if (hpp_set_context(profiler, with_kernel ? 0 : PRIVILEGED, 0) != HPP_OK)
        return fail("the profiler has no contexts, or is locked", "--context-bits 8 for gen-verilog; a reset");
    if (drains) {
        hpp_set_drain(profiler, true, true, 0);
        *written = 1;
    }
    hpp_start(profiler);
    return 0;
}

static void stop(struct profile *profile)
{
    struct hpp *profiler = &profile->profiler;

    hpp_stop(profiler);
    if (profiler->drains && written != NULL && entries != NULL) {
        while (hpp_drain_level(profiler) != 0) {
        }
        hpp_collect(profiler, &profile->buffer, entries, *written);
    }
}

bool record_uio(const struct wish *wish, struct profile *profile)
{
    struct child child;

    if (open_profiler(&profile->profiler) != 0 || !make_child(&child, wish->words) || start(&profile->profiler, wish->kernel) != 0)
        return false;
    release(&child);
    has_ended(&child, true);
    stop(profile);
    return true;
}
