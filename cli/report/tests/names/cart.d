module shop.cart;

struct Cart(T)
{
    T[4] items;

    int total(int by)
    {
        int sum = 0;
        foreach (item; items)
            sum += cast(int)(item * by);
        return sum;
    }
}

extern (C) int all(Cart!int* cart)
{
    return cart.total(3);
}
