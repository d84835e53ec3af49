// Orders by price: a tail call, a lambda, and code of the C++ library inlined in our own.
#include <algorithm>
#include <array>

struct Order {
    int price;
    int amount;
};

static std::array<Order, 64> orders;
volatile int sink;

void leaf(int n);

__attribute__((noinline)) void hop(int n)
{
    sink = n;
    leaf(n + 1);
}

__attribute__((noinline)) void leaf(int n)
{
    for (int i = 0; i < 3; i++)
        sink = n + i;
}

__attribute__((noinline)) long cheapest()
{
    std::make_heap(orders.begin(), orders.end(), [](const Order &a, const Order &b) { return a.price < b.price; });
    long sum = 0;
    for (const Order &order : orders)
        sum += order.price * order.amount;
    return sum;
}

int main()
{
    unsigned seed = 1;
    for (int round = 0; round < 20; round++) {
        for (Order &order : orders) {
            seed = seed * 1664525 + 1013904223;
            order = {int(seed >> 20), int(seed >> 28)};
        }
        hop(int(cheapest()));
    }
    return 0;
}

extern "C" [[noreturn]] void _start()
{
    register long status asm("a0") = main();
    register long number asm("a7") = 93;
    asm volatile("ecall" : : "r"(status), "r"(number));
    __builtin_unreachable();
}
