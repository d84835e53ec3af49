/* Calls of two functions of a library and, where the library is linked in, of one that is chosen at run time. */
int add(int a, int b);
int sub(int a, int b);

#ifdef LIBRARY
int add(int a, int b)
{
    return a + b;
}
int sub(int a, int b)
{
    return a - b;
}
#else
#ifdef CHOSEN
static int fast(int a, int b)
{
    return a + b;
}
void *choose(void) __asm__("add");
void *choose(void)
{
    return (void *)fast;
}
__asm__(".type add, @gnu_indirect_function; .set add_ifunc, add; .type add_ifunc, @function");
int sub(int a, int b)
{
    return a - b;
}
#endif
int call(int a)
{
    return add(a, 3) * sub(a, 4) + add(a, a);
}
void _start(void)
{
    call(7);
}
#endif
