/* wander N: N rounds, each of ten branches that chance decides. A thousand different paths, more than table and drain of this system hold. */

#include "nolibc.h"

static volatile unsigned int taken;

/* Into memory, so that it is a branch; no loop, at whose end a path would end. */
#define MAYBE(bit)           \
    if (chance >> (bit) & 1) \
    taken++

int main(int argc, char **argv)
{
    unsigned int rounds = argc > 1 ? (unsigned int)atoi(argv[1]) : 4000;
    unsigned int chance = 1;

    while (rounds-- != 0) {
        chance = chance * 1664525 + 1013904223;
        MAYBE(22);
        MAYBE(23);
        MAYBE(24);
        MAYBE(25);
        MAYBE(26);
        MAYBE(27);
        MAYBE(28);
        MAYBE(29);
        MAYBE(30);
        MAYBE(31);
    }
    printf("wander: %u branches taken\n", taken);
    return 0;
}
