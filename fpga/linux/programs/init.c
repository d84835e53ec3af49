/* init [COMMANDS]: carries out the lines of a file, /commands if none is named, and waits for all that it began. A line that ends in ` &` is not waited
 * for. The first process mounts what programs need before, and switches off behind. */

#include "nolibc.h"

#define MOST_WORDS 16

/* Splits a line at blanks; returns how many words there are. */
static int split(char *line, char **words)
{
    int count = 0;

    for (char *at = line; *at != '\0' && count < MOST_WORDS - 1;) {
        while (*at == ' ')
            *at++ = '\0';
        if (*at == '\0')
            break;
        words[count++] = at;
        while (*at != ' ' && *at != '\0')
            at++;
    }
    words[count] = NULL;
    return count;
}

/* `waitid`, which every architecture has. */
static void wait_for(pid_t child)
{
    const int by_number = 1, ends = 4;

    my_syscall5(__NR_waitid, by_number, child, NULL, ends, NULL);
}

static void carry_out(char *line)
{
    char *words[MOST_WORDS];
    int count;
    int waits = 1;
    pid_t child;

    printf("# %s\n", line);
    count = split(line, words);
    if (count == 0)
        return;
    if (strcmp(words[count - 1], "&") == 0) {
        words[count - 1] = NULL;
        waits = 0;
    }
    child = fork();
    if (child == 0) {
        execve(words[0], words, environ);
        printf("init: cannot execute %s: error %d\n", words[0], errno);
        exit(127);
    }
    if (child < 0)
        printf("init: cannot make a process: error %d\n", errno);
    else if (waits)
        wait_for(child);
}

static void wait_for_all(void)
{
    const int all = 0, ends = 4;

    while (my_syscall5(__NR_waitid, all, 0, NULL, ends, NULL) == 0) {
    }
}

int main(int argc, char **argv)
{
    static char text[4096];
    const char *commands = argc > 1 ? argv[1] : "/commands";
    int is_first = getpid() == 1;
    int file;
    ssize_t length;

    if (is_first) {
        mount("dev", "/dev", "devtmpfs", 0, NULL);
        mount("proc", "/proc", "proc", 0, NULL);
        mount("sys", "/sys", "sysfs", 0, NULL);
    }
    file = open(commands, O_RDONLY);
    length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (length < 0)
        printf("init: cannot read %s: error %d\n", commands, errno);
    for (char *line = text; length > 0 && *line != '\0';) {
        char *end = strchr(line, '\n');

        if (end != NULL)
            *end = '\0';
        carry_out(line);
        line = end != NULL ? end + 1 : line + strlen(line);
    }
    wait_for_all();
    if (is_first)
        reboot(LINUX_REBOOT_CMD_POWER_OFF);
    return length < 0;
}
