/* Breaks the discipline of calls and returns in the ways that programs do: longjmp out of a recursion deeper than the path stack, and two
 * threads that hand the processor to each other. */

#include <setjmp.h>
#include <stdio.h>

#define ROUNDS 150u
#define WORDS 512

struct thread {
    unsigned registers[14]; /* ra, sp, s0 to s11 */
};

void switch_threads(struct thread *from, const struct thread *to);

static jmp_buf handler;
static struct thread first, second;
static unsigned stack[WORDS];
static volatile unsigned turns;

static __attribute__((noinline)) unsigned leaf(unsigned n)
{
    if (n % 7 == 3)
        longjmp(handler, 1 + (int)(n % 3));
    return n % 5;
}

static __attribute__((noinline)) unsigned down(unsigned n, unsigned depth)
{
    unsigned below;

    if (depth == 0)
        return leaf(n);
    below = down(n, depth - 1);
    return below + (below & 1 ? 3 : 2) + (n & 2 ? 1 : 0);
}

static __attribute__((noinline)) unsigned guarded(unsigned n)
{
    unsigned caught = (unsigned)setjmp(handler);

    if (caught != 0)
        return caught == 2 ? 100 : 200;
    return down(n, n % 40);
}

/* Both threads hand over here, and go on behind the same call. */
static __attribute__((noinline)) void hand_over(struct thread *from, const struct thread *to)
{
    turns++;
    switch_threads(from, to);
}

static __attribute__((noinline)) void body(void)
{
    for (unsigned n = 0;; n++) {
        if (n % 3 == 1)
            turns++;
        hand_over(&second, &first);
        if (n % 2 == 0)
            turns += 2;
    }
}

int main(void)
{
    unsigned sum = 0;

    second.registers[0] = (unsigned)(unsigned long)body;
    second.registers[1] = (unsigned)(unsigned long)(stack + WORDS);
    for (unsigned n = 0; n < ROUNDS; n++) {
        sum += guarded(n);
        if (n % 4 == 2)
            hand_over(&first, &second);
        else if (sum & 1)
            sum += turns & 3;
    }
    printf("%u %u\n", sum, turns);
    return 0;
}
