/* The first process of a Linux system: starts two programs, waits for both, and switches the machine off; or prints the kernel's symbols. */
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

static void symbols(void)
{
    static char line[1024];
    mount("none", "/proc", "proc", 0, 0);
    FILE *all = fopen("/proc/kallsyms", "r");
    while (all && fgets(line, sizeof line, all))
        if (strchr("tT", line[17]) && !strchr(line, '['))
            fputs(line, stdout);
    fflush(stdout);
    reboot(RB_POWER_OFF);
}

int main(int count, char **words)
{
    const char *names[] = {"/sort", "/sieve"};
    if (count > 1 && !strcmp(words[count - 1], "symbols"))
        symbols();
    for (int i = 0; i < 2; i++)
        if (fork() == 0) {
            execl(names[i], names[i], (char *)0);
            _exit(1);
        }
    for (int i = 0; i < 2; i++)
        wait(0);
    puts("init: both ended");
    fflush(stdout);
    reboot(RB_POWER_OFF);
    return 0;
}
