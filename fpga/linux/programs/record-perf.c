/* A profile through the kernel's PMU (../module): perf switches it with the process, and its paths come through a ring. */

#include "nolibc.h"

#include <linux/perf_event.h>

#include "record.h"

#define PMU "/sys/bus/event_source/devices/hpp0/"
#define COUNTERS 8
#define DATA_PAGES 8
/* In an entry's length: it is no path, but a loss. The module's hpp_pmu.h has the other words. */
#define LOSS 0x80000000u

/* The profiler's registers as the driver of a dump reads them: sizes and settings from sysfs, counters from events. */
static uint32_t registers[64];

/* Counters that the kernel lets be counted without those of privileged modes. */
static const bool has_modes[COUNTERS] = {false, true, true, true};

struct session {
    int profile;
    int counters[COUNTERS];
    volatile struct perf_event_mmap_page *page;
    const volatile uint32_t *data;
    const volatile uint32_t *ring;
    uint32_t entry_bytes;
    uint32_t ring_bytes;
    uint64_t taken; /* executions that came through the ring */
    /* Losses that came through the ring. */
    uint32_t errors, lost_entries;
    uint64_t lost_executions;
    bool truncated, partial; /* once at least */
};

/* What a read of an event answers. */
struct reading {
    uint64_t value, enabled, running;
};

static bool read_number(const char *name, uint32_t *number)
{
    char path[64] = PMU, text[32];
    int file;
    ssize_t length;

    memcpy(path + strlen(path), name, strlen(name) + 1);
    file = open(path, O_RDONLY);
    if (file < 0)
        return false;
    length = read(file, text, sizeof text - 1);
    close(file);
    if (length <= 0)
        return false;
    text[length] = '\0';
    *number = strncmp(text, "0x", 2) == 0 ? strtoul(text + 2, NULL, 16) : strtoul(text, NULL, 10);
    return true;
}

static bool find_profiler(struct hpp *profiler, uint32_t *type)
{
    registers[HPP_ID_OFFSET / 4] = HPP_ID_VALUE;
    if (!read_number("type", type) || !read_number("caps/geometry0", &registers[HPP_GEOMETRY0_OFFSET / 4]) ||
        !read_number("caps/geometry1", &registers[HPP_GEOMETRY1_OFFSET / 4]) ||
        !read_number("caps/geometry2", &registers[HPP_GEOMETRY2_OFFSET / 4]) ||
        !read_number("caps/geometry3", &registers[HPP_GEOMETRY3_OFFSET / 4]) ||
        !read_number("caps/ppcr_rows", &registers[HPP_PPCR_ROWS_OFFSET / 4]) ||
        !read_number("caps/ppcr_mode", &registers[HPP_PPCR_MODE_OFFSET / 4]))
        return fail("the kernel has no PMU " PMU, "its module hpp_pmu loaded, a device tree with the profiler's node; what the kernel's log says of hpp_pmu") == 0;
    /* In a dump, what came through the ring is of evicted entries: the smallest drain where there is none. */
    if ((registers[HPP_GEOMETRY3_OFFSET / 4] & HPP_GEOMETRY3_LOG2_DRAIN_DEPTH_MASK) == 0)
        registers[HPP_GEOMETRY3_OFFSET / 4] |= 6 << HPP_GEOMETRY3_LOG2_DRAIN_DEPTH_SHIFT;
    return hpp_init(profiler, (uintptr_t)registers) == HPP_OK || fail("the profiler has sizes that this program does not know", "this program built anew") == 0;
}

static bool serves(const struct hpp *profiler, const struct wish *wish)
{
    errno = EINVAL;
    return profiler->harts == 1 || wish->all || fail("several harts share the profiler, which no process can have for itself", "--user or --all: the profile of all harts") == 0;
}

static int open_event(const struct wish *wish, uint32_t type, uint32_t config, int process, bool modes)
{
    struct perf_event_attr attr = {
        .type = type,
        .size = sizeof attr,
        .config = config,
        .read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING,
        .disabled = 1,
        .enable_on_exec = !wish->all,
        .inherit = wish->children,
        .exclude_kernel = modes && !wish->kernel,
        .pinned = config == 0, /* on the hardware whenever the process is, or in error */
        .exclude_hv = 1,
    };

    /* Processes that inherit an event share its ring only if it is of one hart. */
    return my_syscall5(__NR_perf_event_open, &attr, wish->all ? -1 : process, wish->all || wish->children ? 0 : -1, -1, PERF_FLAG_FD_CLOEXEC);
}

static bool open_ring(struct session *session, unsigned pages)
{
    size_t page = getpagesize(), front = (1 + DATA_PAGES) * page;
    char *memory = mmap(NULL, front, PROT_READ | PROT_WRITE, MAP_SHARED, session->profile, 0);

    if (memory == MAP_FAILED)
        return fail("cannot map the event", "a greater kernel.perf_event_mlock_kb") == 0;
    session->page = (volatile struct perf_event_mmap_page *)memory;
    session->data = (const volatile uint32_t *)(memory + page);
    session->ring_bytes = pages * page;
    session->page->aux_offset = front;
    session->page->aux_size = session->ring_bytes;
    memory = mmap(NULL, session->ring_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, session->profile, front);
    session->ring = (const volatile uint32_t *)memory;
    return memory != MAP_FAILED || fail("cannot map the ring", "fewer pages with --ring; a greater kernel.perf_event_mlock_kb") == 0;
}

static bool open_session(struct session *session, const struct wish *wish, uint32_t type, int process)
{
    int error;

    error = session->profile = open_event(wish, type, 0, process, true);
    for (uint32_t i = 0; i < COUNTERS; i++)
        session->counters[i] = open_event(wish, type, 1 + i, process, has_modes[i]);
    if (session->profile < 0) {
        errno = -error;
        return fail("the kernel does not open the profile", error == -EACCES ? "CAP_PERFMON, or a smaller kernel.perf_event_paranoid" : "what the kernel's log says of hpp_pmu") == 0;
    }
    return open_ring(session, wish->pages);
}

/* Orders reads and writes of memory that the kernel shares. */
static void barrier(void)
{
    __asm__ volatile("fence rw, rw" : : : "memory");
}

/* Out of a ring of `size` bytes, whose parts are whole words. */
static void copy(void *to, const volatile uint32_t *from, uint32_t begin, uint32_t bytes, uint32_t size)
{
    for (uint32_t i = 0; i < bytes; i += 4)
        ((uint32_t *)to)[i / 4] = from[((begin + i) & (size - 1)) / 4];
}

/* What the kernel tells beside the entries; whether the ring was full, so that the event is disabled. */
static bool take_records(struct session *session)
{
    bool truncated = false;
    uint32_t head = (uint32_t)session->page->data_head, at = (uint32_t)session->page->data_tail;
    uint32_t size = DATA_PAGES * getpagesize();

    barrier();
    while (at != head) {
        struct {
            struct perf_event_header header;
            uint64_t offset, bytes, flags;
        } record;

        copy(&record, session->data, at, sizeof record.header, size);
        if (record.header.type == PERF_RECORD_AUX) {
            copy(&record, session->data, at, sizeof record, size);
            truncated |= (record.flags & PERF_AUX_FLAG_TRUNCATED) != 0;
            session->partial |= (record.flags & PERF_AUX_FLAG_PARTIAL) != 0;
        } else if (record.header.type == PERF_RECORD_LOST) {
            session->partial = true;
        }
        at += record.header.size;
    }
    barrier();
    session->page->data_tail = head;
    session->truncated |= truncated;
    return truncated;
}

static void take_entries(struct session *session, struct profile *profile)
{
    uint32_t head = (uint32_t)session->page->aux_head, at = (uint32_t)session->page->aux_tail;

    barrier();
    for (; at != head; at += session->entry_bytes) {
        uint32_t words[6], *count = words + session->entry_bytes / 4 - 1;

        copy(words, session->ring, at, session->entry_bytes, session->ring_bytes);
        if ((count[-1] & LOSS) != 0) {
            session->errors |= count[-1] & ~LOSS;
            session->lost_entries += words[0];
            session->lost_executions += (uint64_t)words[1] << 32 | *count;
            continue;
        }
        hpp_collect(&profile->profiler, &profile->buffer, words, 1);
        session->taken += *count;
    }
    barrier();
    session->page->aux_tail = head;
}

static void take(struct session *session, struct profile *profile)
{
    bool is_disabled = take_records(session);

    take_entries(session, profile);
    if (is_disabled)
        ioctl(session->profile, PERF_EVENT_IOC_ENABLE, 0);
}

static void wait_for_more(const struct session *session)
{
    struct pollfd file = {.fd = session->profile, .events = POLLIN};

    poll(&file, 1, 50);
}

static struct reading read_event(int event)
{
    struct reading reading = {0};

    if (event < 0 || read(event, &reading, sizeof reading) != sizeof reading)
        reading = (struct reading){.enabled = 1};
    return reading;
}

/* Puts the counters that were counted all the time where a dump has them. */
static void take_counters(const struct session *session)
{
    bool whole = true;

    for (int i = 0; i < COUNTERS; i++) {
        struct reading reading = read_event(session->counters[i]);
        uint32_t *counter = &registers[HPP_RECORDS_LO_OFFSET / 4 + 2 * i];

        whole &= reading.running == reading.enabled;
        if (reading.running != reading.enabled)
            continue;
        counter[0] = (uint32_t)reading.value;
        counter[1] = (uint32_t)(reading.value >> 32);
    }
    if (!whole)
        fprintf(stderr, "hpp-record: counters that the kernel did not count all the time, or may not tell, are 0\n");
}

/* Executions that were counted and not handed out, where no drain counts them. In kernel mode, those while the drain is served are counted, and meant to be in no profile. */
static uint64_t count_lost(const struct session *session, const struct wish *wish, uint64_t handed_out)
{
    struct reading paths = read_event(session->counters[1]);

    return !wish->kernel && paths.running == paths.enabled && paths.value > handed_out ? paths.value - handed_out : 0;
}

static void tell_lost(const struct session *session, const struct wish *wish, struct profile *profile, uint64_t handed_out)
{
    uint64_t lost = session->lost_executions != 0 ? session->lost_executions : count_lost(session, wish, handed_out);
    uint32_t errors = session->errors & ~HPP_ERRORS_DRAIN_LOST_MASK;

    if (lost != 0) {
        fprintf(stderr, "hpp-record: %u path executions in %u entries left the profiler before they were taken: the profile is incomplete; remedy: the drain's interrupt, a larger drain or table\n",
                (uint32_t)lost, session->lost_entries);
        profile->buffer.lost += session->lost_entries;
        profile->buffer.lost_count += lost;
        registers[HPP_ERRORS_OFFSET / 4] |= HPP_ERRORS_DRAIN_LOST_MASK;
    } else if (errors == 0) {
        errors = HPP_ERRORS_RECORDS_LOST_MASK;
    }
    if (errors != 0)
        fprintf(stderr, "hpp-record: the profiler lost paths (ERRORS 0x%x): the profile is incomplete; remedy: a larger queue, drain or table\n", errors);
    registers[HPP_ERRORS_OFFSET / 4] |= errors;
}

/* Says what is not in the profile, and lets the dump say so. */
static bool judge(struct session *session, const struct wish *wish, struct profile *profile)
{
    struct reading reading = read_event(session->profile);

    if (reading.running != reading.enabled)
        return fail("the profile was not on the hardware all the time", "no other events of this PMU that count other modes") == 0;
    if (session->truncated || reading.value != session->taken) {
        fprintf(stderr, "hpp-record: %u path executions found no room in the ring, and what came until there was room is missing; remedy: --ring\n",
                (uint32_t)(reading.value - session->taken));
        profile->buffer.lost++;
        profile->buffer.lost_count += reading.value - session->taken;
        registers[HPP_ERRORS_OFFSET / 4] |= HPP_ERRORS_DRAIN_LOST_MASK;
    }
    if (session->partial)
        tell_lost(session, wish, profile, reading.value);
    return true;
}

static void switch_counters(const struct session *session, unsigned long request)
{
    for (int i = 0; i < COUNTERS; i++)
        if (session->counters[i] >= 0)
            ioctl(session->counters[i], request, 0);
}

bool record_perf(const struct wish *wish, struct profile *profile)
{
    struct session session = {0};
    struct child child;
    uint32_t type;

    if (!find_profiler(&profile->profiler, &type) || !serves(&profile->profiler, wish) || !make_child(&child, wish->words))
        return false;
    session.entry_bytes = 4 * profile->profiler.entry_words;
    if (!open_session(&session, wish, type, child.number))
        return false;
    /* Counters only within the profile: what is executed before or behind it is in none. */
    if (wish->all) {
        ioctl(session.profile, PERF_EVENT_IOC_ENABLE, 0);
        switch_counters(&session, PERF_EVENT_IOC_ENABLE);
    }
    release(&child);
    while (!has_ended(&child, false)) {
        wait_for_more(&session);
        take(&session, profile);
    }
    if (wish->all) {
        switch_counters(&session, PERF_EVENT_IOC_DISABLE);
        ioctl(session.profile, PERF_EVENT_IOC_DISABLE, 0);
    }
    take(&session, profile);
    take_counters(&session);
    return judge(&session, wish, profile);
}
