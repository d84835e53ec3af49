/* primes N: how many primes there are below N. Another program to profile. */

#include "nolibc.h"

static int is_prime(unsigned int number)
{
    for (unsigned int divisor = 2; divisor * divisor <= number; divisor++)
        if (number % divisor == 0)
            return 0;
    return number > 1;
}

int main(int argc, char **argv)
{
    unsigned int below = argc > 1 ? (unsigned int)atoi(argv[1]) : 1000;
    unsigned int count = 0;

    for (unsigned int number = 0; number < below; number++)
        count += is_prime(number) ? 1 : 0;
    printf("primes: %u below %u\n", count, below);
    return 0;
}
