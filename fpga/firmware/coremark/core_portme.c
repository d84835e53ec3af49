/* CoreMark on the SoC: time from the SoC's timer. */

#include "coremark.h"
#include "platform.h"

/* The seeds of a performance run (CoreMark's reporting rules). Those that are 0 lie among initialised data too, so
 * that an image can be given others. */
#define SEED __attribute__((section(".sdata"))) volatile ee_s32
SEED seed1_volatile = 0x0;
SEED seed2_volatile = 0x0;
volatile ee_s32 seed3_volatile = 0x66;
volatile ee_s32 seed4_volatile = ITERATIONS;
volatile ee_s32 seed5_volatile = 0;

ee_u32 default_num_contexts = 1;

static uint32_t started, stopped;

void start_time(void)
{
    started = platform_cycles();
}

void stop_time(void)
{
    stopped = platform_cycles();
}

CORE_TICKS get_time(void)
{
    return stopped - started;
}

secs_ret time_in_secs(CORE_TICKS ticks)
{
    return ticks / PLATFORM_HZ;
}

void portable_init(core_portable *p, int *argc, char *argv[])
{
    (void)argc;
    (void)argv;
    p->portable_id = 1;
}

void portable_fini(core_portable *p)
{
    p->portable_id = 0;
}
