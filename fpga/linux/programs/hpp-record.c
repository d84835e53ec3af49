/* hpp-record [--kernel] [--output FILE] PROGRAM [ARGUMENTS]
 * hpp-record --perf [--kernel] [--all | --user | --children] [--ring PAGES] [--output FILE] PROGRAM [ARGUMENTS]
 *
 * Profiles a program on a Linux system with the profiler, and writes the dump that `hpp report` reads. Without --perf, UIO shows the profiler, and all
 * processes that run meanwhile are in the profile. With --perf, the kernel's module has it: the profile is the program's own process, with --children
 * its descendants' too, with --user every process's on this hart, or with --all the kernel's there, too. With --kernel, the kernel's paths too. Which contexts there are is told on standard error. */

#include "nolibc.h"

#include "record.h"

static struct hpp_left cells[MOST_PATHS];
static struct profile profile;

int fail(const char *what, const char *remedy)
{
    fprintf(stderr, "hpp-record: %s (error %d); remedy: %s\n", what, errno, remedy);
    return 1;
}

bool make_child(struct child *child, char **words)
{
    int gate[2];
    char byte;

    if (pipe(gate) != 0)
        return fail("cannot make a pipe", "memory") == 0;
    child->number = fork();
    if (child->number == 0) {
        close(gate[1]);
        if (read(gate[0], &byte, 1) == 1) {
            close(gate[0]);
            execve(words[0], words, environ);
            fail("cannot execute the program", "its path");
        }
        exit(127);
    }
    close(gate[0]);
    child->gate = gate[1];
    return child->number > 0 || fail("cannot make a process", "memory") == 0;
}

void release(const struct child *child)
{
    write(child->gate, "", 1);
    close(child->gate);
}

bool has_ended(const struct child *child, bool wait)
{
    const int by_number = 1, no_hang = 1, ends = 4, is_killed = 2, is_dumped = 3;
    /* siginfo_t of SIGCHLD: signal, error, cause, and behind them number, user and status of the process. */
    int information[32] = {0};
    const int *of_child = information + (sizeof(long) == 8 ? 4 : 3);

    my_syscall5(__NR_waitid, by_number, child->number, information, wait ? ends : ends | no_hang, NULL);
    if (of_child[0] == 0)
        return false;
    if (information[2] == is_killed || information[2] == is_dumped)
        fprintf(stderr, "hpp-record: signal %d ended the program; the profile is what it did up to there\n", of_child[2]);
    else if (of_child[2] != 0)
        fprintf(stderr, "hpp-record: the program ended with status %d\n", of_child[2]);
    return true;
}

static void put(void *context, char c)
{
    static char text[512];
    static size_t length;

    text[length++] = c;
    if (c == '\n' || length == sizeof text) {
        write(*(const int *)context, text, length);
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
    uint32_t sizes = *(volatile uint32_t *)(profile.profiler.base + HPP_GEOMETRY0_OFFSET);
    uint32_t address_bits = sizes >> HPP_GEOMETRY0_PC_BITS_SHIFT;

    hpp_read(&profile.profiler, add_entry, NULL);
    for (uint32_t i = 0; i < profile.buffer.size; i++)
        if (cells[i].count != 0)
            executions[(uint8_t)(cells[i].start >> address_bits)] += (uint32_t)cells[i].count;
    for (int context = 0; context < 256; context++)
        if (executions[context] != 0)
            fprintf(stderr, "hpp-record: context %d: %u paths executed\n", context, executions[context]);
}

/* Reads the options in front of the program. */
static bool understand(char **words, struct wish *wish)
{
    *wish = (struct wish){.pages = 64};
    for (; *words != NULL && strncmp(*words, "--", 2) == 0; words++) {
        if (strcmp(*words, "--perf") == 0)
            wish->perf = true;
        else if (strcmp(*words, "--kernel") == 0)
            wish->kernel = true;
        else if (strcmp(*words, "--all") == 0)
            wish->all = wish->kernel = true;
        else if (strcmp(*words, "--user") == 0)
            wish->all = wish->outside = true;
        else if (strcmp(*words, "--children") == 0)
            wish->children = true;
        else if (strcmp(*words, "--ring") == 0 && words[1] != NULL)
            wish->pages = (unsigned)atoi(*++words);
        else if (strcmp(*words, "--output") == 0 && words[1] != NULL)
            wish->output = *++words;
        else
            return false;
    }
    wish->kernel &= !wish->outside;
    wish->words = words;
    return *words != NULL && wish->pages != 0 && (wish->pages & (wish->pages - 1)) == 0 && (wish->perf || !(wish->all || wish->children)) &&
           !(wish->all && wish->children);
}

int main(int argc, char **argv)
{
    struct wish wish;
    int output = 1;

    if (argc < 2 || !understand(argv + 1, &wish)) {
        fprintf(stderr, "usage: hpp-record [--kernel] [--output FILE] PROGRAM [ARGUMENTS]\n"
                        "       hpp-record --perf [--kernel] [--all | --user | --children] [--ring PAGES] [--output FILE] PROGRAM [ARGUMENTS]\n"
                        "PAGES of the ring: a power of two\n");
        return 2;
    }
    if (wish.output != NULL)
        output = open(wish.output, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (output < 0)
        return fail("cannot write the output", "its folder, the rights to write there");
    hpp_buffer_init(&profile.buffer, cells, MOST_PATHS);
    if (!(wish.perf ? record_perf : record_uio)(&wish, &profile))
        return 1;
    tell_contexts();
    hpp_dump_all(&profile.profiler, &profile.buffer, put, &output, NULL);
    return 0;
}
