/* A loop of two paths that a timer interrupts, and nothing else of the program. */
#include <signal.h>
#include <sys/time.h>
static volatile int hits;
static void tick(int s) { hits++; }
int main(void)
{
    struct itimerval every = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
    signal(SIGALRM, tick);
    setitimer(ITIMER_REAL, &every, 0);
    volatile long sum = 0;
    for (long i = 0; i < 30000000; i++)
        if (i & 4)
            sum += i;
    setitimer(ITIMER_REAL, &never, 0);
    return hits == 0;
}
