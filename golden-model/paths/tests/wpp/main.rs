//! Whole program paths: SEQUITUR's two properties, expansion, hot subpaths against counting by hand.

mod grammars;
mod hot;

use proptest::prelude::*;

/// A stream: symbols by chance, runs of one symbol, and pieces of itself repeated, as programs have them.
pub fn stream() -> impl Strategy<Value = Vec<u8>> {
    let noise = prop::collection::vec(0..3_u8, 0..60);
    let run = (0..3_u8, 1..20_usize).prop_map(|(symbol, length)| vec![symbol; length]);
    let body = prop::collection::vec(0..4_u8, 1..8);
    let repeated = (body, 1..8_usize).prop_map(|(body, times)| body.repeat(times));
    let piece = prop_oneof![noise, run, repeated];
    let pieces = (prop::collection::vec(piece, 1..6), 1..4_usize);
    pieces.prop_map(|(pieces, times)| pieces.concat().repeat(times))
}
