/* Code of extensions that neither the file's attributes nor mapping symbols name.
   clang --target=riscv32-unknown-elf -march=rv32imac -mabi=ilp32 -Oz -menable-experimental-extensions -c attributes.c
   ld.lld -z max-page-size=4 attributes.o -o attributes.elf */
int table[8];
#define WITH(extension) __attribute__((noinline, target("arch=+" extension)))
__attribute__((noinline)) int g(int x) { return table[x & 7]; }
WITH("zcmp") int zcmp(int x) { int a = g(x); if (a > 3) a += g(a); return a + g(x + 1); }
WITH("zibi") int zibi(int x) { if (x == 3) table[0] += 2; return table[0] + x; }
WITH("xcvbi") int xcvbi(int x) { if (x == 3) table[1] += 2; return table[1] + x; }
volatile int sum;
void _start(void) { sum = zcmp(table[0]); zibi(table[1]); xcvbi(table[2]); for (;;) ; }
