//! Which subpaths count as one.
//!
//! A loop of n blocks that is sampled at random places is seen in n rotations. Whether these are one subpath or n is the choice
//! of the encoding, a function from blocks to a number of 64 bits. The length is part of a subpath's identity under each of them.

use serde::{Deserialize, Serialize};

/// How the blocks of a subpath become a number.
///
/// Identifiers of blocks are scrambled first, so that those of neighbours, which differ in few bits, do not cancel. Two
/// subpaths that an encoding means to distinguish get the same number with probability 2^-64.
///
/// ```
/// use hpp_paths::subpath::Encoding::{self, *};
/// let same = |encoding: Encoding, one: &[u64], two: &[u64]| encoding.number(one) == encoding.number(two);
/// let [a, b, c, d] = [1, 2, 3, 4];
/// // A loop seen from two places.
/// assert!(same(Xor, &[a, b, c], &[b, c, a]) && same(SortedLinear, &[a, b, c], &[b, c, a]));
/// assert!(same(Rotation, &[a, b, c], &[b, c, a]) && !same(Linear, &[a, b, c], &[b, c, a]));
/// // The two that section 3.2 of the thesis confuses: b and d occur an even number of times.
/// assert!(same(Xor, &[a, b, b, c], &[a, d, d, c]));
/// assert!(!same(SortedLinear, &[a, b, b, c], &[a, d, d, c]));
/// // Order within a loop is lost to sorting as well.
/// assert!(same(SortedLinear, &[a, b, c, d], &[a, c, b, d]));
/// assert!(!same(Rotation, &[a, b, c, d], &[a, c, b, d]));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Encoding {
    /// Exclusive or: the same for every order of the same blocks, and blind to a block that occurs twice. O(n). The thesis's
    /// prototype (section 3.2).
    #[default]
    Xor,
    /// A linear hash function applied block by block: distinguishes every two sequences. O(n). Section 3.2.
    Linear,
    /// The linear hash function applied to the sorted blocks: the same for every order, but counts each block. O(n log n).
    /// Section 3.2.
    SortedLinear,
    /// The linear hash function applied to the least rotation: the same for the rotations of a sequence and for nothing else,
    /// which section 2.3.5 asks for. O(n).
    Rotation,
}

impl Encoding {
    /// Every encoding.
    pub const ALL: [Self; 4] = [Self::Xor, Self::Linear, Self::SortedLinear, Self::Rotation];

    /// The number of a subpath.
    pub fn number(self, blocks: &[u64]) -> u64 {
        match self {
            Self::Xor => blocks
                .iter()
                .fold(0, |number, &block| number ^ scramble(block)),
            Self::Linear => linear(blocks.iter()),
            Self::SortedLinear => {
                let mut sorted = blocks.to_vec();
                sorted.sort_unstable();
                linear(sorted.iter())
            }
            Self::Rotation => {
                let (before, from) = blocks.split_at(least_rotation(blocks));
                linear(from.iter().chain(before))
            }
        }
    }
}

/// `a x + b` for each block in turn, with x the number so far and b the block.
fn linear<'a>(blocks: impl Iterator<Item = &'a u64>) -> u64 {
    // Odd, so that no bit is lost; the digits are those of the golden ratio.
    const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
    blocks.fold(0, |number: u64, &block| {
        scramble(number.wrapping_mul(FACTOR).wrapping_add(scramble(block)))
    })
}

/// A permutation of the 64-bit numbers in which every bit of the argument changes half of the result: the finaliser of
/// `SplitMix64` (Steele, Lea and Flood, 2014).
const fn scramble(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// Where the least of all rotations begins, the first of equals. Two candidates race; the loser is passed with all it has
/// matched. O(n).
fn least_rotation(blocks: &[u64]) -> usize {
    let n = blocks.len();
    let (mut one, mut other, mut matched) = (0, 1, 0);
    while one < n && other < n && matched < n {
        let [a, b] = [one, other].map(|start| blocks[(start + matched) % n]);
        match a.cmp(&b) {
            core::cmp::Ordering::Equal => {
                matched += 1;
                continue;
            }
            core::cmp::Ordering::Greater => one += matched + 1,
            core::cmp::Ordering::Less => other += matched + 1,
        }
        other += usize::from(one == other);
        matched = 0;
    }
    one.min(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_least_rotation_is_the_least(blocks in prop::collection::vec(0..3_u64, 1..20)) {
            let rotated = |by| [&blocks[by..], &blocks[..by]].concat();
            let least = (0..blocks.len()).map(rotated).min().expect("at least one");
            prop_assert_eq!(rotated(least_rotation(&blocks)), least);
        }
    }

    #[test]
    fn nothing_has_one_rotation() {
        assert_eq!(least_rotation(&[]), 0);
    }
}
