//! The seed of a test run. It comes from the clock and is printed; `HPP_SEED` repeats it.

use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// A seed from the clock, short enough to type.
fn seed_from_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs() % 1_000_000_000
}

static FROM_CLOCK: OnceLock<u64> = OnceLock::new();

/// The first seed of a test: `HPP_SEED`, or else one from the clock, the same in the whole process. It prints how to
/// repeat the run, which the test harness shows on a failure.
///
/// # Panics
///
/// If `HPP_SEED` is not a number.
pub fn first_seed(test: &str) -> u64 {
    let seed = match std::env::var("HPP_SEED") {
        Ok(seed) => seed.parse().expect("HPP_SEED is a number"),
        Err(_) => *FROM_CLOCK.get_or_init(seed_from_clock),
    };
    println!("HPP_SEED={seed} cargo test --release --workspace --test {test}");
    seed
}
