/* Counts primes. */
#include <stdio.h>

static unsigned char composite[200000];

static int sieve(int limit)
{
    int primes = 0;
    for (int i = 2; i < limit; i++)
        composite[i] = 0;
    for (int i = 2; i < limit; i++)
        if (!composite[i]) {
            primes++;
            for (int j = 2 * i; j < limit; j += i)
                composite[j] = 1;
        }
    return primes;
}

int main(void)
{
    for (int round = 0; round < 20; round++) {
        printf("sieve: %d\n", sieve(200000));
        fflush(stdout);
    }
    return 0;
}
