/* What the two ways to a profile have in common: UIO's, and perf's. */
#ifndef RECORD_H
#define RECORD_H

#include <stdbool.h>
#include <stdint.h>

#include "hpp_driver.h"

#define MOST_PATHS 8192

/* What is wanted of a profile. */
struct wish {
    bool perf;         /* through the kernel's PMU */
    bool kernel;       /* the kernel's paths, too */
    bool all;          /* perf: of every process on the hart */
    bool outside;      /* perf: of all, outside the kernel alone */
    bool children;     /* perf: and of the processes that the program begins */
    unsigned pages;    /* perf: of the ring, a power of two */
    const char *output; /* NULL: standard output */
    char **words;      /* the program, and its arguments */
};

/* A profile that is whole, for hpp_dump_all. */
struct profile {
    struct hpp profiler;
    struct hpp_buffer buffer;
};

/* Tells what is wrong, and what can be done about it; returns 1. */
int fail(const char *what, const char *remedy);

/* The program waits before it begins, until `release` is called; how it ends is told by `ended`. */
struct child {
    int number;
    int gate;
};

bool make_child(struct child *child, char **words);
void release(const struct child *child);
bool has_ended(const struct child *child, bool wait);

/* Each runs the program to its end; false: told. */
bool record_uio(const struct wish *wish, struct profile *profile);
bool record_perf(const struct wish *wish, struct profile *profile);

#endif
