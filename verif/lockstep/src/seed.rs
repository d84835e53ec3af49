//! The seed of a test run: from the clock, printed, and given again by `HPP_SEED`.

use std::time::{SystemTime, UNIX_EPOCH};

/// A seed from the clock, short enough to type.
pub fn seed_from_clock() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap_or_default().as_secs() % 1_000_000_000
}

/// The first seed of a test: that in `HPP_SEED`, else one from the clock. Prints how to run it again, which the test
/// harness shows if the test fails.
///
/// # Panics
///
/// If `HPP_SEED` is not a number.
pub fn first_seed(test: &str) -> u64 {
    let seed = match std::env::var("HPP_SEED") {
        Ok(seed) => seed.parse().expect("HPP_SEED is a number"),
        Err(_) => seed_from_clock(),
    };
    println!("HPP_SEED={seed} cargo test --release --workspace --test {test}");
    seed
}
