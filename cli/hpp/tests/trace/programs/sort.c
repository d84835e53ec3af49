/* Sorts numbers. */
#include <stdio.h>
#include <stdlib.h>

static unsigned numbers[20000];

static int compare(const void *one, const void *other)
{
    unsigned a = *(const unsigned *)one, b = *(const unsigned *)other;
    return a < b ? -1 : a > b;
}

int main(void)
{
    unsigned seed = 1;
    for (int round = 0; round < 10; round++) {
        for (int i = 0; i < 20000; i++)
            numbers[i] = seed = seed * 1664525u + 1013904223u;
        qsort(numbers, 20000, sizeof numbers[0], compare);
        printf("sort: %u\n", numbers[100]);
        fflush(stdout);
    }
    return 0;
}
