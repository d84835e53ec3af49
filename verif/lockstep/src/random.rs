//! The seed of a test run, which comes from the clock and is printed; `HPP_SEED` repeats it. And values without a meaning.

use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// Short enough to type.
static FROM_CLOCK: LazyLock<u64> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs() % 1_000_000_000
});

/// The first seed of a test: `HPP_SEED`, or else one from the clock, the same in the whole process. It prints how to
/// repeat the run, which the test harness shows on a failure.
pub fn first_seed(test: &str) -> u64 {
    let seed = match std::env::var("HPP_SEED") {
        Ok(seed) => seed.parse().expect("HPP_SEED is a number"),
        Err(_) => *FROM_CLOCK,
    };
    println!("HPP_SEED={seed} cargo test --release --workspace --test {test}");
    seed
}

/// Random values for inputs that have no meaning in a cycle, so that no logic can depend on them.
#[derive(Debug, Clone)]
pub struct Nonsense(u64);

impl Default for Nonsense {
    fn default() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }
}

impl Nonsense {
    pub fn new(seed: u64) -> Self {
        Self(seed | 1)
    }

    /// The next value, by Marsaglia's xorshift: cheap, and two successive values always differ.
    pub fn draw(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}
