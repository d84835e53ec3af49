//! The seed of a test run: from the clock, printed, and given again by `HPP_SEED`.

use std::sync::OnceLock;
use std::time::{SystemTime, UNIX_EPOCH};

/// A seed from the clock, short enough to type.
pub fn seed_from_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs() % 1_000_000_000
}

static FROM_CLOCK: OnceLock<u64> = OnceLock::new();

/// The first seed of a test: that in `HPP_SEED`, else one from the clock, the same in the whole process. Prints how to run it again, which the test
/// harness shows if the test fails.
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
