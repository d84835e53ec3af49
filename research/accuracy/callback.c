/* A plugin that asks to be called for every block and does nothing then: what profiling under QEMU costs at least.
 *
 *     cc -O2 -shared -fPIC -o libcallback.so callback.c && qemu-x86_64 -plugin ./libcallback.so PROGRAM
 *
 * Source: QEMU 7.2, include/qemu/qemu-plugin.h. The functions are found in the process that loads the plugin. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <stdint.h>

void qemu_plugin_register_vcpu_tb_trans_cb(uint64_t id, void (*callback)(uint64_t, void *));
void qemu_plugin_register_vcpu_tb_exec_cb(void *tb, void (*callback)(unsigned, void *), int registers, void *data);

/* QEMU reads it when it has loaded the plugin. Since 9.0 it takes none of version 1. */
int qemu_plugin_version = 1;

__attribute__((constructor)) static void choose_version(void)
{
    if (dlsym(RTLD_DEFAULT, "qemu_plugin_scoreboard_new"))
        qemu_plugin_version = 2;
}

static void begins(unsigned hart, void *data)
{
    (void)hart, (void)data;
}

static void translated(uint64_t id, void *tb)
{
    (void)id;
    qemu_plugin_register_vcpu_tb_exec_cb(tb, begins, 0, NULL);
}

int qemu_plugin_install(uint64_t id, const void *info, int count, char **arguments)
{
    (void)info, (void)count, (void)arguments;
    qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
    return 0;
}
