//! The hot path table: a small set-associative memory that keeps the paths that count most.
//!
//! `sets` x `ways` entries of a descriptor and an accumulator. The set is found by folding the descriptor; a path found
//! in it adds its count to its accumulator, which saturates; one not found replaces the least frequently used entry
//! of the set (LFU), the lowest-numbered of equals. A lookup takes time proportional to the ways.
//!
//! Source: Vaswani's thesis, section 5.4.

use crate::config::{Geometry, IndexScheme};
use crate::path::{CompletedPath, PathDescriptor};

/// An entry of the table in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableEntry {
    /// Which path.
    pub descriptor: PathDescriptor,
    /// Its accumulator, never 0.
    pub count: u32,
}

/// What a completed path did to the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lookup {
    /// The path was there and its accumulator grew.
    Hit {
        /// The count did not fit: the accumulator stays at its maximum.
        saturated: bool,
    },
    /// The path took an empty way.
    Inserted,
    /// The path took the way of another one.
    Replaced {
        /// The accumulator that was lost.
        evicted: u32,
    },
    /// The path was not there and has count 0: nothing changed.
    Nothing,
    /// The table is frozen: the path was not looked up.
    Frozen,
}

/// A descriptor in two words, such that all zeros is no descriptor.
///
/// `branches` is the outcomes with a 1 above the last of them. A path of 64 branches has no room for that 1; bit 0 of
/// `start`, free because instructions are aligned, tells it apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Tag {
    start: u64,
    branches: u64,
}

impl Tag {
    const fn new(path: &PathDescriptor) -> Self {
        match 1_u64.checked_shl(path.length) {
            Some(end) => Self {
                start: path.start,
                branches: path.outcomes | end,
            },
            None => Self {
                start: path.start | 1,
                branches: path.outcomes,
            },
        }
    }

    const fn descriptor(self) -> PathDescriptor {
        if self.start & 1 == 1 {
            return PathDescriptor {
                start: self.start & !1,
                length: u64::BITS,
                outcomes: self.branches,
            };
        }
        let length = self.branches.ilog2();
        PathDescriptor {
            start: self.start,
            length,
            outcomes: self.branches ^ 1 << length,
        }
    }
}

/// XOR of all `bits` wide slices of `x`, by halves: `O(log(64 / bits))`.
#[inline]
const fn fold(mut x: u64, bits: u32, first_shift: u32) -> u64 {
    let mut shift = first_shift;
    while shift >= bits {
        x ^= x >> shift;
        shift /= 2;
    }
    x & Geometry::mask(bits)
}

/// The shift [`fold`] begins with: the greatest power of two of slices that is less than 64 bits.
const fn first_shift(bits: u32) -> u32 {
    bits << ((u64::BITS - 1) / bits).ilog2()
}

/// The bits the set index is folded from. Folding is linear, so the parts of the full scheme are joined before it.
#[inline]
const fn index_key(geometry: &Geometry, path: &PathDescriptor) -> u64 {
    let start = path.start >> geometry.align;
    match geometry.index_scheme {
        IndexScheme::Full => start ^ path.outcomes ^ path.length as u64,
        IndexScheme::Start => start,
    }
}

/// The set a path belongs to.
#[must_use]
pub const fn set_index(geometry: &Geometry, path: &PathDescriptor) -> usize {
    let bits = geometry.set_bits();
    fold(index_key(geometry, path), bits, first_shift(bits)) as usize
}

/// The hot path table.
#[derive(Clone, Debug)]
pub struct HotPathTable {
    geometry: Geometry,
    tags: Box<[Tag]>,
    counts: Box<[u32]>,
    maximum: u32,
    frozen: bool,
    set_bits: u32,
    first_shift: u32,
}

impl HotPathTable {
    /// An empty table of this geometry, which must be valid.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        let entries = geometry.entries() as usize;
        Self {
            geometry: *geometry,
            tags: vec![Tag::default(); entries].into(),
            counts: vec![0; entries].into(),
            maximum: Geometry::mask(geometry.accumulator_bits) as u32,
            frozen: false,
            set_bits: geometry.set_bits(),
            first_shift: first_shift(geometry.set_bits()),
        }
    }

    /// A frozen table takes no paths; it can be read and cleared.
    pub const fn set_frozen(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        self.tags.fill(Tag::default());
        self.counts.fill(0);
    }

    /// Looks a completed path up and counts it.
    ///
    /// The descriptor must be one the path stack makes: start aligned, outcomes at and above `length` 0.
    #[inline]
    pub fn record(&mut self, path: &CompletedPath) -> Lookup {
        if self.frozen {
            return Lookup::Frozen;
        }
        match self.geometry.ways {
            1 => self.record_in::<1>(path),
            2 => self.record_in::<2>(path),
            4 => self.record_in::<4>(path),
            8 => self.record_in::<8>(path),
            _ => self.record_in_slice(path),
        }
    }

    /// [`set_index`], with what does not depend on the path worked out before.
    #[inline]
    const fn set(&self, path: &PathDescriptor) -> usize {
        fold(
            index_key(&self.geometry, path),
            self.set_bits,
            self.first_shift,
        ) as usize
    }

    /// [`HotPathTable::record`] for a number of ways known to the compiler.
    #[inline]
    fn record_in<const WAYS: usize>(&mut self, path: &CompletedPath) -> Lookup {
        let set = self.set(&path.descriptor);
        let (tags, _) = self.tags.as_chunks_mut::<WAYS>();
        let (counts, _) = self.counts.as_chunks_mut::<WAYS>();
        record_in_set(&mut tags[set], &mut counts[set], path, self.maximum)
    }

    fn record_in_slice(&mut self, path: &CompletedPath) -> Lookup {
        let ways = self.geometry.ways as usize;
        let first = self.set(&path.descriptor) * ways;
        let (tags, counts) = (
            &mut self.tags[first..first + ways],
            &mut self.counts[first..first + ways],
        );
        record_in_set(tags, counts, path, self.maximum)
    }

    /// The entry with number `set * ways + way`, `None` if that way is empty or there is none.
    #[must_use]
    pub fn entry(&self, number: usize) -> Option<TableEntry> {
        match *self.counts.get(number)? {
            0 => None,
            count => Some(TableEntry {
                descriptor: self.tags[number].descriptor(),
                count,
            }),
        }
    }

    /// The entries in use with their numbers, in ascending order.
    pub fn entries(&self) -> impl Iterator<Item = (usize, TableEntry)> {
        (0..self.counts.len()).filter_map(|number| Some((number, self.entry(number)?)))
    }

    /// The words in which software reads the entry: start, outcomes (low words first), length, accumulator.
    /// All are 0 if the way is empty.
    pub fn words(&self, number: usize) -> impl Iterator<Item = u32> {
        let (descriptor, count) = self
            .entry(number)
            .map_or((PathDescriptor::default(), 0), |e| (e.descriptor, e.count));
        split_words(descriptor.start, self.geometry.start_words())
            .chain(split_words(
                descriptor.outcomes,
                self.geometry.outcome_words(),
            ))
            .chain([descriptor.length, count])
    }
}

/// The low `words` 32-bit words of `value`, low word first.
fn split_words(value: u64, words: u32) -> impl Iterator<Item = u32> {
    (0..words).map(move |word| (value >> (32 * word)) as u32)
}

/// Looks a path up in one set.
#[inline(always)]
fn record_in_set(
    tags: &mut [Tag],
    counts: &mut [u32],
    path: &CompletedPath,
    maximum: u32,
) -> Lookup {
    let tag = Tag::new(&path.descriptor);
    // An empty way is all zeros, which no tag is.
    if let Some(way) = tags.iter().position(|&t| t == tag) {
        let sum = u64::from(counts[way]) + u64::from(path.count);
        counts[way] = sum.min(u64::from(maximum)) as u32;
        return Lookup::Hit {
            saturated: sum > u64::from(maximum),
        };
    }
    if path.count == 0 {
        return Lookup::Nothing;
    }
    let victim = least(counts);
    let evicted = core::mem::replace(&mut counts[victim], path.count);
    tags[victim] = tag;
    match evicted {
        0 => Lookup::Inserted,
        _ => Lookup::Replaced { evicted },
    }
}

/// The lowest-numbered of the smallest counts.
#[inline(always)]
fn least(counts: &[u32]) -> usize {
    let mut way = 0;
    for (candidate, &count) in counts.iter().enumerate() {
        if count < counts[way] {
            way = candidate;
        }
    }
    way
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folding_xors_every_slice() {
        let naive = |mut x: u64, bits| {
            let mut folded = 0;
            while x != 0 {
                folded ^= x & Geometry::mask(bits);
                x >>= bits;
            }
            folded
        };
        let samples = [0, 1, u64::MAX, 1 << 63, 0x0123_4567_89ab_cdef];
        for bits in 1..=12 {
            for x in samples.into_iter().chain((0..64).map(|b| 0x5_u64 << b)) {
                assert_eq!(
                    fold(x, bits, first_shift(bits)),
                    naive(x, bits),
                    "{x:#x} in slices of {bits}"
                );
            }
        }
    }

    #[test]
    fn a_tag_holds_a_descriptor_of_any_length() {
        for length in 0..=64 {
            for outcomes in [0, Geometry::mask(length.max(1)) >> u32::from(length == 0)] {
                let path = PathDescriptor {
                    start: 0xffff_0000,
                    length,
                    outcomes,
                };
                assert_ne!(Tag::new(&path), Tag::default());
                assert_eq!(Tag::new(&path).descriptor(), path);
            }
        }
    }
}
