//! Prefixes that Verilog accepts and the C files do not.

/// Words that C or C++ reserves or predefines and Verilog does not, and names that the driver uses for itself: a function
/// `put_drain` and a structure `text`.
const TAKEN: &str = "alignas alignof and_eq asm auto bitand bitor bool catch char char16_t char32_t char8_t \
    co_await co_return co_yield compl concept const_cast consteval constexpr constinit decltype \
    delete double dynamic_cast explicit false float friend goto inline int16_t int32_t int64_t \
    int8_t intmax_t intptr_t linux long mutable namespace noexcept not_eq nullptr operator or_eq \
    private public put register reinterpret_cast requires short sizeof static_assert static_cast \
    switch template text thread_local throw true try typeid typename typeof typeof_unqual \
    uint16_t uint32_t uint64_t uint8_t uintmax_t uintptr_t unix using volatile wchar_t xor_eq";

/// Whether a C or C++ compiler would refuse the header or the driver of a profiler of this name.
pub(super) fn is_taken(name: &str) -> bool {
    TAKEN.split(' ').any(|word| word == name)
}
