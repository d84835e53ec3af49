/* Every kind of control transfer: loops, calls, recursion, calls and jumps through pointers, traps. */

typedef unsigned int word;

static word state = 12345;

static word random_word(void)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

static word system_call(word value)
{
    register word a0 __asm__("a0") = value;
    __asm__ volatile("ecall" : "+r"(a0));
    return a0;
}

__attribute__((noinline)) static word add(word a, word b) { return a + b; }
__attribute__((noinline)) static word mix(word a, word b) { return (a << 3 | a >> 29) ^ b; }
__attribute__((noinline)) static word ask(word a, word b) { return system_call(a) - b; }

__attribute__((noinline)) static word fibonacci(word n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

/* A jump through a table, at every call another of its cases. */
__attribute__((noinline)) static word choose(word which, word value)
{
    switch (which & 7) {
    case 0: return value + 1;
    case 1: return value ^ 0x55;
    case 2: return value << 1;
    case 3: return value >> 1 | 0x80;
    case 4: return value - 7;
    case 5: return ~value;
    case 6: return value & 0xffff;
    default: return value * 5;
    }
}

word program(void)
{
    static word (*const operations[])(word, word) = {add, mix, ask, choose};
    static word values[64];
    word sum = 0;

    for (int round = 0; round < 6; round++) {
        for (int i = 0; i < 64; i++)
            values[i] = random_word();
        for (int i = 1; i < 64; i++) {
            word value = values[i];
            int j = i;
            for (; j > 0 && values[j - 1] > value; j--)
                values[j] = values[j - 1];
            values[j] = value;
        }
        for (int i = 0; i < 64; i++) {
            sum = operations[values[i] & 3](sum, values[i]);
            sum = choose(values[i] >> 9, sum);
        }
        sum += fibonacci(8);
    }
    return sum;
}
