// A call and a loop: what `loop32.elf` and `loop64.elf` hold.
static int step(int x) { return x & 1 ? 3 * x + 1 : x >> 1; }

int length(int x) {
    int n = 0;
    while (x != 1) {
        x = step(x);
        n++;
    }
    return n;
}

void _start(void) {
    while (length(27)) {}
}
