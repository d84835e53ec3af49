/* Threads, at the same time or one after the other, each of which goes round a loop of its own so often. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_barrier_t all;
static int together;

__attribute__((noinline)) static void spin(long times)
{
    for (volatile long i = 0; i < times; i++)
        ;
}

static void *work(void *times)
{
    if (together)
        pthread_barrier_wait(&all);
    spin((long)times);
    if (together)
        pthread_barrier_wait(&all);
    return 0;
}

int main(int count, char **words)
{
    pthread_t threads[8];
    together = count > 1 && !strcmp(words[1], "together");
    pthread_barrier_init(&all, 0, count - 2);
    for (int i = 2; i < count && i < 10; i++) {
        pthread_create(&threads[i - 2], 0, work, (void *)atol(words[i]));
        if (!together)
            pthread_join(threads[i - 2], 0);
    }
    for (int i = 2; together && i < count && i < 10; i++)
        pthread_join(threads[i - 2], 0);
    puts("joined");
    return 0;
}
