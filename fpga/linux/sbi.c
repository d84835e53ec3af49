/* SBI for one hart, as far as a small kernel calls it: base, timer, debug console, system reset; and the counter `time`, which the core lacks.
 *
 * OpenSBI finds out what a hart has by reads of mtvec, medeleg and mideleg. VexRiscv's Linux variant has them, but only to be written. */

#include <stdbool.h>
#include <stdint.h>

#include "system.h"

#define READ_CSR(name)                                  \
    ({                                                  \
        uint32_t value_;                                \
        __asm__ volatile("csrr %0, " #name : "=r"(value_)); \
        value_;                                         \
    })
#define WRITE_CSR(name, value) __asm__ volatile("csrw " #name ", %0" : : "r"((uint32_t)(value)))
#define SET_CSR(name, bits) __asm__ volatile("csrs " #name ", %0" : : "r"((uint32_t)(bits)))
#define CLEAR_CSR(name, bits) __asm__ volatile("csrc " #name ", %0" : : "r"((uint32_t)(bits)))

enum { A0 = 10, A1 = 11, A2 = 12, A6 = 16, A7 = 17 };

enum {
    MSTATUS_SIE = 1 << 1,
    MSTATUS_SPIE = 1 << 5,
    MSTATUS_SPP = 1 << 8,
    MSTATUS_MPP = 3 << 11,
    MSTATUS_SUPERVISOR = 1 << 11,
    SUPERVISOR_SOFTWARE = 1 << 1,
    SUPERVISOR_TIMER = 1 << 5,
    SUPERVISOR_EXTERNAL = 1 << 9,
    MACHINE_TIMER = 1 << 7,
};

enum { ILLEGAL_INSTRUCTION = 2, CALL_OF_SUPERVISOR = 9 };

/* Traps that are the kernel's: misaligned and forbidden accesses, breakpoints, calls of programs, page faults. */
#define DELEGATED 0xb1fbu

/* Results of a call. */
enum { SUCCESS = 0, NOT_SUPPORTED = -2 };

struct result {
    int32_t error;
    uint32_t value;
};

static volatile uint32_t *word(uint32_t address)
{
    return (volatile uint32_t *)address;
}

static void put(uint8_t byte)
{
    *word(UART) = byte;
}

/* Never returns. */
static void finish(uint32_t status)
{
    for (;;)
        *word(FINISH) = status;
}

static struct result base(uint32_t function, uint32_t argument)
{
    struct result result = {SUCCESS, 0};

    switch (function) {
    case 0: /* version of SBI: 2.0 */
        result.value = 2u << 24;
        break;
    case 3: /* is there an extension? */
        result.value = argument == 0x10 || argument == 0x54494d45 || argument == 0x4442434e || argument == 0x53525354;
        break;
    default: /* numbers of implementation and machine: 0 */
        break;
    }
    return result;
}

static struct result set_timer(uint32_t low, uint32_t high)
{
    /* In this order the time in between is never over too early. */
    *word(TIMER + 8) = UINT32_MAX;
    *word(TIMER + 12) = high;
    *word(TIMER + 8) = low;
    CLEAR_CSR(mip, SUPERVISOR_TIMER);
    SET_CSR(mie, MACHINE_TIMER);
    return (struct result){SUCCESS, 0};
}

static struct result console(uint32_t function, const uint32_t *registers)
{
    uint32_t bytes = registers[A0];

    if (function == 0)
        for (uint32_t i = 0; i < bytes; i++)
            put(((const uint8_t *)registers[A1])[i]);
    else if (function == 2)
        put((uint8_t)bytes);
    else /* nothing can be read */
        bytes = 0;
    return (struct result){SUCCESS, function == 2 ? 0 : bytes};
}

static struct result call(const uint32_t *registers)
{
    uint32_t function = registers[A6];

    switch (registers[A7]) {
    case 0x10:
        return base(function, registers[A0]);
    case 0x54494d45: /* TIME */
        return set_timer(registers[A0], registers[A1]);
    case 0x4442434e: /* DBCN */
        return console(function, registers);
    case 0x53525354: /* SRST: the reason is the status */
        finish(registers[A1]);
    }
    return (struct result){NOT_SUPPORTED, 0};
}

/* `rdtime` and `rdtimeh`, whatever the register. */
static bool emulated(uint32_t instruction, uint32_t *registers)
{
    uint32_t without_register = instruction & 0xfffff07f;
    uint32_t to = instruction >> 7 & 31;

    if (without_register != 0xc0102073 && without_register != 0xc8102073)
        return false;
    if (to != 0)
        registers[to] = *word(without_register == 0xc0102073 ? TIMER : TIMER + 4);
    return true;
}

/* The kernel gets the trap as if the core had delegated it. */
static void redirect(uint32_t cause)
{
    uint32_t status = READ_CSR(mstatus);
    uint32_t next = status & ~(uint32_t)(MSTATUS_MPP | MSTATUS_SPP | MSTATUS_SPIE | MSTATUS_SIE);

    if ((status & MSTATUS_MPP) == MSTATUS_MPP)
        finish(0x100 + cause); /* a trap in here */
    next |= MSTATUS_SUPERVISOR;
    next |= (status & MSTATUS_MPP) != 0 ? MSTATUS_SPP : 0;
    next |= (status & MSTATUS_SIE) != 0 ? MSTATUS_SPIE : 0;
    WRITE_CSR(sepc, READ_CSR(mepc));
    WRITE_CSR(scause, cause);
    WRITE_CSR(stval, READ_CSR(mtval));
    WRITE_CSR(mepc, READ_CSR(stvec));
    WRITE_CSR(mstatus, next);
}

void trap(uint32_t *registers)
{
    uint32_t cause = READ_CSR(mcause);

    if ((int32_t)cause < 0) {
        /* The only interrupt of machine mode: it is handed on, and comes again when the kernel has set another time. */
        CLEAR_CSR(mie, MACHINE_TIMER);
        SET_CSR(mip, SUPERVISOR_TIMER);
    } else if (cause == CALL_OF_SUPERVISOR) {
        struct result result = call(registers);

        registers[A0] = (uint32_t)result.error;
        registers[A1] = result.value;
        WRITE_CSR(mepc, READ_CSR(mepc) + 4);
    } else if (cause == ILLEGAL_INSTRUCTION && emulated(READ_CSR(mtval), registers)) {
        WRITE_CSR(mepc, READ_CSR(mepc) + 4);
    } else {
        redirect(cause);
    }
}

void prepare(void)
{
    WRITE_CSR(medeleg, DELEGATED);
    WRITE_CSR(mideleg, SUPERVISOR_SOFTWARE | SUPERVISOR_TIMER | SUPERVISOR_EXTERNAL);
    WRITE_CSR(mie, 0);
    /* VexRiscv's mask of external interrupts in supervisor mode: the controller's is the first. */
    WRITE_CSR(0x9c0, 1);
    WRITE_CSR(mepc, KERNEL);
    WRITE_CSR(mstatus, MSTATUS_SUPERVISOR);
}
