/* queens N: in how many ways N queens stand on a board of N by N without threatening each other. A program to profile. */

#include "nolibc.h"

static unsigned int all;

static unsigned int place(unsigned int columns, unsigned int left, unsigned int right)
{
    unsigned int ways = 0;
    unsigned int free_columns = all & ~(columns | left | right);

    if (columns == all)
        return 1;
    while (free_columns != 0) {
        unsigned int column = free_columns & -free_columns;

        free_columns ^= column;
        ways += place(columns | column, (left | column) << 1, (right | column) >> 1);
    }
    return ways;
}

int main(int argc, char **argv)
{
    int size = argc > 1 ? atoi(argv[1]) : 6;

    all = (1u << size) - 1;
    printf("queens: %u ways for %d\n", place(0, 0, 0), size);
    return 0;
}
