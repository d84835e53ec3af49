/* Most of the time in a shared library. */
#include <stdlib.h>

int main(void)
{
    long sum = 0;
    for (int i = 0; i < 200000; i++)
        sum += rand();
    return sum == 0;
}
