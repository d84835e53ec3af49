/* hpp-record [--kernel] PROGRAM [ARGUMENTS]: profiles a program on a Linux system whose profiler UIO shows, and writes the dump that `hpp report` reads.
 *
 * Of all processes that run meanwhile: each has a context of its own, the low bits of its address space's identifier. Which there are is told on
 * standard error. With --kernel, the kernel's paths too.
 *
 * For cores with addresses of 32 bits: the context is above them in a path's start.
 *
 * UIO's maps: 0 the registers, 1 the drain writer's, 2 the memory that it fills. Without 1 and 2, the table alone is read. */

#include "nolibc.h"

#include "hpp_driver.h"

#define DEVICE "/dev/uio0"
#define MAPS "/sys/class/uio/uio0/maps/map"

/* The context's bit of privileged modes. */
#define PRIVILEGED 0x80u

#define MOST_PATHS 8192

static struct hpp profiler;
static struct hpp_left cells[MOST_PATHS];
static struct hpp_buffer buffer;
static volatile uint32_t *written; /* of the drain writer: entries in memory; a write begins again */
static volatile uint32_t *entries;

static int fail(const char *what, const char *remedy)
{
    fprintf(stderr, "hpp-record: %s (error %d); remedy: %s\n", what, errno, remedy);
    return 1;
}

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

static int open_profiler(void)
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
    if (hpp_init(&profiler, (uintptr_t)registers) != HPP_OK)
        return fail("there is no profiler at the node's address, or one of another version", "the address in the device tree; this program built for the profiler");
    if (profiler.drains && (written == NULL || entries == NULL))
        fprintf(stderr, "hpp-record: no memory for evicted entries: the profile is incomplete\n");
    return 0;
}

static int start(bool with_kernel)
{
    bool drains = profiler.drains && written != NULL && entries != NULL;

    if (hpp_reset(&profiler) != HPP_OK)
        return fail("the profiler's table is not cleared", "a reset");
    if (hpp_set_context(&profiler, with_kernel ? 0 : PRIVILEGED, 0) != HPP_OK)
        return fail("the profiler has no contexts, or is locked", "--context-bits 8 for gen-verilog; a reset");
    if (drains) {
        hpp_set_drain(&profiler, true, true, 0);
        *written = 1;
    }
    hpp_start(&profiler);
    return 0;
}

static void stop(void)
{
    hpp_stop(&profiler);
    hpp_buffer_init(&buffer, cells, MOST_PATHS);
    if (profiler.drains && written != NULL && entries != NULL) {
        while (hpp_drain_level(&profiler) != 0) {
        }
        hpp_collect(&profiler, &buffer, entries, *written);
    }
}

static void put(void *context, char c)
{
    static char text[512];
    static size_t length;

    (void)context;
    text[length++] = c;
    if (c == '\n' || length == sizeof text) {
        write(1, text, length);
        length = 0;
    }
}

static uint32_t executions[256]; /* of paths, by context */

static int add_entry(void *context, const struct hpp_entry *entry)
{
    (void)context;
    executions[entry->context] += entry->count;
    return 0;
}

static void tell_contexts(void)
{
    hpp_read(&profiler, add_entry, NULL);
    for (uint32_t i = 0; i < buffer.size; i++)
        if (cells[i].count != 0)
            executions[(uint8_t)(cells[i].start >> 32)] += (uint32_t)cells[i].count;
    for (int context = 0; context < 256; context++)
        if (executions[context] != 0)
            fprintf(stderr, "hpp-record: context %d: %u paths executed\n", context, executions[context]);
}

/* Runs the program to its end. */
static int run(char **words)
{
    const int by_number = 1, ends = 4;
    pid_t child = fork();

    if (child == 0) {
        execve(words[0], words, environ);
        exit(fail("cannot execute the program", "its path"));
    }
    if (child < 0)
        return fail("cannot make a process", "memory");
    my_syscall5(__NR_waitid, by_number, child, NULL, ends, NULL);
    return 0;
}

int main(int argc, char **argv)
{
    bool with_kernel = argc > 1 && strcmp(argv[1], "--kernel") == 0;
    char **words = argv + 1 + with_kernel;

    if (argc < 2 + with_kernel) {
        fprintf(stderr, "usage: hpp-record [--kernel] PROGRAM [ARGUMENTS]\n");
        return 2;
    }
    if (open_profiler() != 0 || start(with_kernel) != 0)
        return 1;
    if (run(words) != 0) {
        stop();
        return 1;
    }
    stop();
    tell_contexts();
    hpp_dump_all(&profiler, &buffer, put, NULL, NULL);
    return 0;
}
