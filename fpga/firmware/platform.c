/* The C library's needs (standard output, exit), and the frame around every program: profile on, the
 * program's own `main`, profile off, table on the UART, end of the run. */

#include "platform.h"
#include "profile.h"

#include <stdio.h>
#include <stdlib.h>

void platform_putc(char c)
{
    while (!(platform_read(PLATFORM_UART_BASE) & 1u)) {
    }
    platform_write(PLATFORM_UART_BASE, (uint8_t)c);
}

static int stdout_put(char c, FILE *stream)
{
    (void)stream;
    platform_putc(c);
    return (unsigned char)c;
}

static FILE uart = FDEV_SETUP_STREAM(stdout_put, NULL, NULL, _FDEV_SETUP_WRITE);
FILE *const stdout = &uart;
FILE *const stderr = &uart;

__attribute__((noreturn)) static void finish(int status)
{
    platform_write(PLATFORM_FINISH, (uint32_t)status);
    for (;;) {
    }
}

/* The library's exit and abort end here: the profile printed is the one until then. */
__attribute__((noreturn)) void _exit(int status)
{
    profile_stop();
    profile_print();
    finish(status);
}

int main(int argc, char **argv);

__attribute__((noreturn)) void platform_main(void)
{
    static char *argv[] = {"program", NULL};

    profile_start();
    _exit(main(1, argv));
}
