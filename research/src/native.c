/* Runs a program's `main` so many times (1), says how long that took, and leaves its counters in a file. */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int program_main();

#ifdef COUNTERS
extern char hpp_counters[], hpp_counters_end[], hpp_sums[];
register char *sums __asm__("r14");
#endif

#ifdef LLVM
/* In the place of LLVM's runtime, which would write the counters to a file. */
int __llvm_profile_runtime;
#endif

/* For a program that would do something else if it took longer. */
int no_time(int clock, void *time)
{
    (void)clock;
    (void)time;
    return 0;
}

int main(int argc, char **argv)
{
    long rounds = argc > 1 ? atol(argv[1]) : 1;
    int status = 0;
    clock_t begin = clock();

#ifdef COUNTERS
    sums = hpp_sums;
#endif
    while (rounds-- > 0 && status == 0) {
        status = program_main();
    }
    fprintf(stderr, "%.6f\n", (double)(clock() - begin) / CLOCKS_PER_SEC);
#ifdef COUNTERS
    if (argc > 2) {
        FILE *file = fopen(argv[2], "wb");
        size_t bytes = (size_t)(hpp_counters_end - hpp_counters);

        if (!file || fwrite(hpp_counters, 1, bytes, file) != bytes || fclose(file)) {
            perror(argv[2]);
            return 2;
        }
    }
#endif
    return status;
}
