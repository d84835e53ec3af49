//! The seed of a test run. It comes from the clock and is printed; `HPP_SEED` repeats it.

use std::sync::LazyLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// Short enough to type.
static FROM_CLOCK: LazyLock<u64> = LazyLock::new(|| {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs() % 1_000_000_000
});

/// The first seed of a test: `HPP_SEED`, or else one from the clock, the same in the whole process. It prints how to
/// repeat the run, which the test harness shows on a failure.
///
/// # Panics
///
/// If `HPP_SEED` is not a number.
pub fn first_seed(test: &str) -> u64 {
    let seed = match std::env::var("HPP_SEED") {
        Ok(seed) => seed.parse().expect("HPP_SEED is a number"),
        Err(_) => *FROM_CLOCK,
    };
    println!("HPP_SEED={seed} cargo test --release --workspace --test {test}");
    seed
}
