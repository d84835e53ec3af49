/* What programs do that a recorder in their process must bear. */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char bytes[1 << 20];

static long spin(long times)
{
    volatile long sum = 0;
    for (long i = 0; i < times; i++)
        sum += i;
    return sum;
}

static jmp_buf here;

static void leave(long depth)
{
    if (depth == 0)
        longjmp(here, 1);
    leave(depth - 1);
    spin(1);
}

static void attempt(long depth)
{
    if (!setjmp(here))
        leave(depth);
    spin(1);
}

static void *replace(void *nothing)
{
    char *words[] = {"echo", "replaced", 0};
    (void)nothing;
    execv("/bin/echo", words);
    return 0;
}

int main(int count, char **words)
{
    const char *what = count > 1 ? words[1] : "";
    char *none[] = {"none", 0};
    if (!strcmp(what, "descriptors")) {
        for (int i = 3; i < 1024; i++)
            close(i);
        int own = open(words[2], O_CREAT | O_RDWR | O_TRUNC, 0644);
        for (int i = 0; i < 20; i++)
            open(words[2], O_RDWR);
        dprintf(own, "the program's\n");
        spin(3000000);
        printf("descriptor %d\n", own);
    } else if (!strcmp(what, "try")) {
        execv("/nowhere/none", none);
        spin(1000000);
        if (count > 2)
            kill(getpid(), atoi(words[2]));
        puts("tried");
    } else if (!strcmp(what, "children")) {
        char *again[] = {words[0], "try", 0};
        if (fork() == 0) {
            spin(300000);
            _exit(0);
        }
        wait(0);
        execv("/proc/self/exe", again);
    } else if (!strcmp(what, "thread")) {
        pthread_t other;
        spin(100000);
        pthread_create(&other, 0, replace, 0);
        pthread_join(other, 0);
    } else if (!strcmp(what, "leave")) {
        for (volatile long i = 0; i < 1000; i++)
            attempt(i % 4);
    } else if (!strcmp(what, "strings")) {
        for (int i = 0; i < 20; i++)
            __builtin_memset(bytes, i, sizeof bytes);
#ifdef __x86_64__
        for (int i = 0; i < 5; i++) {
            void *to = bytes;
            unsigned long left = sizeof bytes;
            __asm__ volatile("rep stosb" : "+D"(to), "+c"(left) : "a"(0) : "memory");
        }
#endif
    } else if (!strcmp(what, "forever")) {
        puts("running");
        fflush(stdout);
        for (;;)
            spin(1);
    }
    return 0;
}
