/* A program to begin with: `make demo PROGRAM=fpga/firmware/example`. Nothing in it knows the profiler. */

#include <stdio.h>

/* Steps until a number comes down to 1, by halves when it is even. */
static unsigned steps(unsigned n)
{
    unsigned count = 0;

    while (n != 1) {
        n = n % 2 == 0 ? n / 2 : 3 * n + 1;
        count++;
    }
    return count;
}

int main(void)
{
    unsigned longest = 0;

    for (unsigned n = 1; n < 1000; n++) {
        unsigned count = steps(n);
        if (count > longest) {
            longest = count;
        }
    }
    printf("%u\n", longest);
    return 0;
}
