//! Every kind of place that a mutant changes.

/// Two numbers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pair {
    /// One.
    pub first: u32,
    /// Another.
    pub second: u32,
}

/// What has no default.
#[derive(Debug, PartialEq, Eq)]
pub struct Kept(u32);

/// A value and an operator.
pub fn sum(a: u32, b: u32) -> u32 {
    a + b
}

/// A value that is no mutant, for the compiler refuses it.
pub fn kept(a: u32) -> Kept {
    Kept(a)
}

/// Operators in operators.
pub fn between(a: u32, low: u32, high: u32) -> bool {
    low + 1 < a + 1 && a < high
}

/// An operator before its operand.
pub fn opposite(a: i32) -> i32 {
    -a
}

/// Arms and a guard.
pub fn amount(a: u32) -> &'static str {
    match a {
        0 => "none",
        1 => "one",
        many if many > 9 => "many",
        _ => "some",
    }
}

/// A field of a struct with a base.
pub fn pair(first: u32) -> Pair {
    Pair {
        first,
        ..Pair::default()
    }
}

/// A constant function that nothing needs while this is compiled.
pub const fn half(a: u32) -> u32 {
    a / 2
}

/// One that is needed then.
pub const fn double(a: u32) -> u32 {
    a * 2
}

/// Why it is needed.
pub const FOUR: usize = double(2) as usize;

/// A hidden type: each value has another.
pub fn up_to(a: u32) -> impl Iterator<Item = u32> {
    0..a
}

/// A loop that may not end.
pub fn steps(mut left: u32) -> u32 {
    let mut steps = 0;
    while left > 0 {
        left -= 1;
        steps += 1;
    }
    steps
}

/// Arms of which the last, which has a name, takes what is left.
pub fn kind(a: u32, known: bool) -> u32 {
    match a {
        _ if !known => 0,
        1 => 7,
        other => other,
    }
}

/// What only the example sees: `assert_eq!(places::of_example(), 7);`.
///
/// ```
/// assert_eq!(places::of_example(), 7);
/// ```
pub fn of_example() -> u32 {
    7
}

/// What a test calls and does not look at.
pub fn ignored(a: u32) -> u32 {
    a ^ 1
}

/// What no test calls.
pub fn unseen(a: u32) -> u32 {
    a % 3
}

#[cfg(test)]
mod tests {
    #[test]
    fn sums() {
        assert_eq!(super::sum(2, 3), 5);
    }
}
