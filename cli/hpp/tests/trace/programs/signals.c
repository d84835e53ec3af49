/* Signals that come in a system call, at a fault or at any time, to a program that calls and returns meanwhile. */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static volatile int got, stop;
static char *page;
static pthread_t first;

static void handle(int number)
{
    got++;
    if (number == SIGSEGV)
        mprotect(page, 4096, PROT_READ | PROT_WRITE);
}

/* One block that may fault at its first instruction and ends with a return. */
__attribute__((noinline)) static int load(const char *place)
{
    return *(const volatile char *)place;
}

__attribute__((noinline)) static int deep(int depth, int kind)
{
    int sum;
    if (depth > 0)
        sum = deep(depth - 1, kind);
    else if (kind == 'r')
        sum = raise(SIGUSR1);
    else
        sum = load(page);
    __asm__ volatile("" ::: "memory");
    return sum + 1;
}

__attribute__((noinline)) static int fibonacci(int n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void *send(void *period)
{
    while (!stop) {
        usleep(*(int *)period);
        if (!stop)
            pthread_kill(first, SIGUSR1);
    }
    return 0;
}

int main(int count, char **words)
{
    int times = count > 2 ? atoi(words[2]) : 0;
    volatile int sum = 0;
    signal(SIGUSR1, handle);
    signal(SIGSEGV, handle);
    page = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (!strcmp(words[1], "raise")) {
        for (int i = 0; i < times; i++)
            sum += deep(6, 'r');
    } else if (!strcmp(words[1], "fault")) {
        for (int i = 0; i < times; i++) {
            mprotect(page, 4096, PROT_NONE);
            sum += deep(6, 'f');
        }
    } else if (!strcmp(words[1], "any")) {
        pthread_t sender;
        int period = times;
        first = pthread_self();
        pthread_create(&sender, 0, send, &period);
        for (int i = 0; i < 10; i++)
            sum += fibonacci(24);
        stop = 1;
        pthread_join(sender, 0);
    } else if (!strcmp(words[1], "blocked")) {
        sigset_t all, before;
        sigfillset(&all);
        sigprocmask(SIG_BLOCK, &all, &before);
        kill(getpid(), SIGUSR1);
        sigsuspend(&before);
    }
    printf("%d signals\n", got);
    return 0;
}
