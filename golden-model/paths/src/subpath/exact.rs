//! Exact counts of all subpaths, by which a sample is judged.
//!
//! Subpaths are named by doubling: two of length 2^(k+1) are equal if their halves have equal names. Any other length is covered
//! by two overlapping halves. So nothing is hashed but pairs of names, and no two subpaths are confused.
//!
//! Karp, Miller and Rosenberg, "Rapid Identification of Repeated Patterns in Strings, Trees and Arrays" (1972).

use rustc_hash::FxHashMap;

use super::{Encoding, SubpathId};

/// A subpath and how often it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CountedSubpath<'s> {
    /// Its blocks.
    pub blocks: &'s [u64],
    /// Places where it occurs.
    pub count: u64,
}

/// Counts every subpath of these lengths in a recorded stream, each once: shorter ones first, then by first occurrence.
///
/// O(n log longest) for the names and O(n) a length, on average; memory of a few words a block and a subpath.
///
/// ```
/// use hpp_paths::subpath::count_subpaths;
/// let counts = count_subpaths(&[1, 2, 1, 2, 1], [2, 3]);
/// let plain: Vec<_> = counts.iter().map(|subpath| (subpath.blocks, subpath.count)).collect();
/// assert_eq!(plain, [(&[1, 2][..], 2), (&[2, 1], 2), (&[1, 2, 1], 2), (&[2, 1, 2], 1)]);
/// ```
pub fn count_subpaths(
    blocks: &[u64],
    lengths: impl IntoIterator<Item = usize>,
) -> Vec<CountedSubpath<'_>> {
    let mut lengths: Vec<usize> = lengths.into_iter().filter(|&length| length > 0).collect();
    lengths.sort_unstable();
    lengths.dedup();
    let mut counts = Vec::new();
    let (mut names, mut named) = (names(blocks.iter().copied()), 1);
    for length in lengths
        .into_iter()
        .take_while(|&length| length <= blocks.len())
    {
        while 2 * named <= length {
            names = self::names(pairs(&names, named));
            named *= 2;
        }
        count(&mut counts, blocks, length, pairs(&names, length - named));
    }
    counts
}

/// The counts of subpaths that an encoding does not distinguish, added up. O(blocks of all subpaths).
pub fn encoded_counts(
    counts: &[CountedSubpath<'_>],
    encoding: Encoding,
) -> FxHashMap<SubpathId, u64> {
    let mut sums = FxHashMap::default();
    for subpath in counts {
        let id = SubpathId {
            length: subpath.blocks.len(),
            number: encoding.number(subpath.blocks),
        };
        *sums.entry(id).or_default() += subpath.count;
    }
    sums
}

/// The names at each place and so many places after.
fn pairs(names: &[u32], distance: usize) -> impl Iterator<Item = (u32, u32)> {
    names
        .iter()
        .copied()
        .zip(names.iter().skip(distance).copied())
}

/// Numbers things in the order in which they first come.
fn names<K: Eq + core::hash::Hash>(keys: impl Iterator<Item = K>) -> Vec<u32> {
    let mut known = FxHashMap::default();
    keys.map(|key| {
        let next = known.len() as u32;
        *known.entry(key).or_insert(next)
    })
    .collect()
}

fn count<'s>(
    counts: &mut Vec<CountedSubpath<'s>>,
    blocks: &'s [u64],
    length: usize,
    keys: impl Iterator<Item = (u32, u32)>,
) {
    let mut known = FxHashMap::default();
    for (subpath, key) in blocks.windows(length).zip(keys) {
        let place = *known.entry(key).or_insert(counts.len());
        match counts.get_mut(place) {
            Some(counted) => counted.count += 1,
            None => counts.push(CountedSubpath {
                blocks: subpath,
                count: 1,
            }),
        }
    }
}
