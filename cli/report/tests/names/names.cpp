// Symbols that cpp_demangle does not read, as GCC 12 writes them for comparisons of strings, and lambdas.
namespace std {
template <typename T> struct is_char_ {
    enum { value = 0 };
};
template <> struct is_char_<char> {
    enum { value = 1 };
};
}
template <bool, typename> struct enable_if {};
template <typename T> struct enable_if<true, T> {
    typedef T type;
};

namespace shop {
template <typename T> struct Text {
    const T *start;
    long length;
};

template <typename T>
typename enable_if<std::is_char_<T>::value, bool>::type operator==(const Text<T> &a, const Text<T> &b)
{
    for (long i = 0; i < a.length; i++)
        if (a.start[i] != b.start[i])
            return false;
    return a.length == b.length;
}
template bool operator==(const Text<char> &, const Text<char> &);

int cheapest(const int *prices, int count, int least)
{
    auto better = [least](int price, int best) { return price >= least && price < best; };
    int best = 1 << 30;
    for (int i = 0; i < count; i++)
        if (better(prices[i], best))
            best = prices[i];
    return best;
}
}

extern "C" void _start() {}
