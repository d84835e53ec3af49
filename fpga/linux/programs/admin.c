/* admin load FILE | unload MODULE | show FILE... | as USER PROGRAM [ARGUMENTS]: what a small system needs beside programs. */

#include "nolibc.h"

static int result(const char *what, const char *of, long error)
{
    if (error >= 0)
        return 0;
    printf("admin: cannot %s %s: error %ld\n", what, of, -error);
    return 1;
}

static long show(const char *name)
{
    static char text[512];
    int file = open(name, O_RDONLY);
    ssize_t length = -1;

    while (file >= 0 && (length = read(file, text, sizeof text)) > 0)
        write(1, text, length);
    if (length < 0)
        return -errno;
    close(file);
    return 0;
}

static long as(int user, char **words)
{
    long error = my_syscall1(__NR_setgid, user);

    if (error >= 0)
        error = my_syscall1(__NR_setuid, user);
    if (error >= 0) {
        execve(words[0], words, environ);
        error = -errno;
    }
    return error;
}

int main(int argc, char **argv)
{
    int status = 0;

    if (argc >= 3 && strcmp(argv[1], "load") == 0) {
        int file = open(argv[2], O_RDONLY);

        return result("load", argv[2], file < 0 ? -errno : my_syscall3(__NR_finit_module, file, "", 0));
    }
    if (argc >= 3 && strcmp(argv[1], "unload") == 0)
        return result("unload", argv[2], my_syscall2(__NR_delete_module, argv[2], O_NONBLOCK));
    if (argc >= 4 && strcmp(argv[1], "as") == 0)
        return result("execute", argv[3], as(atoi(argv[2]), argv + 3));
    if (argc < 3 || strcmp(argv[1], "show") != 0) {
        fprintf(stderr, "usage: admin load FILE | unload MODULE | show FILE... | as USER PROGRAM [ARGUMENTS]\n");
        return 2;
    }
    for (int i = 2; i < argc; i++)
        status |= result("show", argv[i], show(argv[i]));
    return status;
}
