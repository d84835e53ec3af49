//! The table of hot paths under each policy.

mod exact_policies;
mod lfu;
mod policies;
mod shadow;

use hpp_golden::path::{CompletedPath, PathDescriptor};

/// Paths of all sets, distinguished by their number.
fn path(number: u64, count: u32) -> CompletedPath {
    let descriptor = PathDescriptor {
        start: 4 * (number / 3),
        length: (number % 3) as u32,
        outcomes: 0,
    };
    CompletedPath { descriptor, count }
}
