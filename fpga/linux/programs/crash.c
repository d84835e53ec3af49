/* crash: a program that a signal ends in the middle. */

#include "nolibc.h"

static volatile unsigned int *volatile nowhere;
static volatile unsigned int rounds;

int main(void)
{
    while (rounds++ < 1000) {
    }
    *nowhere = 1;
    return 0;
}
