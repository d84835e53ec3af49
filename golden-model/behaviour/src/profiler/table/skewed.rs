//! Where a path may be: one row in each way.
//!
//! In the thesis's table that is the same row in each way, the path's *set*. Its number is folded from the descriptor.
//!
//! In a skewed table each way has a hash of its own. The path's bits are folded to two words as wide as a row's number, *x* and *y*; its row in way *w* is
//! x XOR α^w·y, where α generates the field of as many elements as a way has rows. Two paths that differ in y meet in one way at most. Every
//! hash is a few XORs of bits of the path.
//!
//! Source: Vaswani's thesis, section 5.4 (sets); Seznec, *A case for two-way skewed-associative caches*, ISCA 1993 (rows by several hashes).

use crate::config::{Geometry, IndexScheme};
use crate::path::PathDescriptor;

pub(super) const MOST_WAYS: usize = 32;

/// Bits of a path's length in its fingerprint.
pub const FINGERPRINT_LENGTH_BITS: u32 = 3;

/// How far outcomes are turned before they are joined with the start, whose low bits differ most, as do theirs.
pub const TURN: u32 = 24;

/// Where the length is joined with them.
pub const LENGTH_AT: u32 = 57;

/// Primitive polynomials over the field of two elements, of degree 1 to 12, without their highest term.
pub const POLYNOMIALS: [u32; 12] = [
    0x1, 0x3, 0x3, 0x3, 0x5, 0x3, 0x3, 0x1d, 0x11, 0x9, 0x5, 0x53,
];

/// The set of a path in a table that is not skewed.
#[must_use]
pub fn set_index(geometry: &Geometry, path: &PathDescriptor) -> usize {
    Fold::new(geometry.set_bits()).of(set_key(geometry, path)) as usize
}

/// The row in which a way may hold a path.
pub(crate) fn row_index(geometry: &Geometry, path: &PathDescriptor, way: usize) -> usize {
    let places = Places::new(geometry);
    let mut candidates = places.candidates(places.fold(path));
    candidates.nth(way).expect("a way of the table") / places.ways
}

/// The bits that are folded to a set. Folding is linear, so start, outcomes and length are joined before it.
#[inline]
fn set_key(geometry: &Geometry, path: &PathDescriptor) -> u64 {
    let start = path.start >> geometry.align;
    if geometry.marks_outcomes() {
        // Two slices of the start's low bits, and as many bits of the marked outcomes' upper end.
        let bits = 2 * geometry.set_bits();
        let marked = geometry.marked(path.length, path.outcomes);
        return start & Geometry::mask(bits) ^ marked >> (geometry.max_branches + 1 - bits);
    }
    match geometry.index_scheme {
        IndexScheme::Full => start ^ path.outcomes ^ u64::from(path.length),
        IndexScheme::Start => start,
    }
}

/// The bits that are folded to the rows of a skewed table.
#[inline]
const fn skewed_key(geometry: &Geometry, path: &PathDescriptor) -> u64 {
    let length = (path.length as u64) << LENGTH_AT;
    path.start >> geometry.align ^ path.outcomes.rotate_left(TURN) ^ length
}

/// The rows of a path, and its fingerprint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    geometry: Geometry,
    ways: usize,
    alpha: Alpha,
    x: Fold,
    y: Fold,
}

/// A path's bits, folded to where it may be. In a table that is not skewed y is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folded {
    x: u16,
    y: u16,
}

impl Places {
    pub(super) const fn new(geometry: &Geometry) -> Self {
        let bits = geometry.set_bits();
        Self {
            geometry: *geometry,
            ways: geometry.ways as usize,
            alpha: Alpha {
                mask: geometry.sets - 1,
                polynomial: POLYNOMIALS[bits as usize - 1],
            },
            x: Fold::new(bits),
            // Slices of another width: bits that meet in x do not meet here.
            y: Fold::new(bits + 2),
        }
    }

    #[inline]
    pub(super) fn fold(&self, path: &PathDescriptor) -> Folded {
        if !self.geometry.replacement.is_skewed() {
            let x = self.x.of(set_key(&self.geometry, path)) as u16;
            return Folded { x, y: 0 };
        }
        let key = skewed_key(&self.geometry, path);
        Folded {
            x: self.x.of(key) as u16,
            y: self.y.of(key) as u16 & (self.geometry.sets - 1) as u16,
        }
    }

    /// What a shadow knows a path by: low bits of its length above x. The row says the rest.
    pub(super) fn fingerprint(&self, path: &PathDescriptor) -> u16 {
        let length = path.length as u16 & Geometry::mask(FINGERPRINT_LENGTH_BITS) as u16;
        length << self.geometry.set_bits() | self.fold(path).x
    }

    /// The numbers of the entries in which a path may be, way by way.
    #[inline(always)]
    pub(super) fn candidates(&self, folded: Folded) -> impl Iterator<Item = usize> + use<> {
        let (ways, alpha) = (self.ways, self.alpha);
        let (x, mut y) = (u32::from(folded.x), u32::from(folded.y));
        (0..ways).map(move |way| {
            let row = (x ^ y) as usize;
            y = alpha.times(y);
            row * ways + way
        })
    }

    /// The same, in the front of `room`.
    #[inline(always)]
    pub(super) fn fill<'a>(&self, folded: Folded, room: &'a mut [usize; MOST_WAYS]) -> &'a [usize] {
        for (way, number) in self.candidates(folded).enumerate() {
            room[way] = number;
        }
        &room[..self.ways]
    }
}

/// α, in the field of as many elements as a way has rows.
#[derive(Clone, Copy, Debug)]
struct Alpha {
    /// The greatest number of a row.
    mask: u32,
    polynomial: u32,
}

impl Alpha {
    /// α·y.
    #[inline(always)]
    const fn times(self, y: u32) -> u32 {
        let carries = y > self.mask / 2;
        ((y << 1) ^ (carries as u32 * self.polynomial)) & self.mask
    }
}

/// XOR of all slices of a word, by halves.
#[derive(Clone, Copy, Debug)]
struct Fold {
    bits: u32,
    /// The greatest power of two of slices that is less than 64 bits.
    first: u32,
}

impl Fold {
    /// Of slices of this width.
    const fn new(bits: u32) -> Self {
        let first = bits << ((u64::BITS - 1) / bits).ilog2();
        Self { bits, first }
    }

    #[inline]
    fn of(self, mut key: u64) -> u32 {
        let mut shift = self.first;
        while shift >= self.bits {
            key ^= key >> shift;
            shift /= 2;
        }
        (key & Geometry::mask(self.bits)) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn places(sets: u32) -> Places {
        Places::new(&Geometry {
            sets,
            ..Geometry::default()
        })
    }

    #[test]
    fn the_polynomials_are_primitive() {
        for bits in 1..=12 {
            let places = places(1 << bits);
            let powers = core::iter::successors(Some(1), |&y| Some(places.alpha.times(y)));
            let mut powers: Vec<u32> = powers.take((1 << bits) - 1).collect();
            powers.sort_unstable();
            // Every element but 0 is a power of α.
            assert!(powers.into_iter().eq(1..1 << bits), "degree {bits}");
        }
    }

    #[test]
    fn every_bit_takes_part_in_a_fold() {
        for bits in 1..=20 {
            for key in [0, 1, u64::MAX, 0x0123_4567_89ab_cdef, 1 << 63, 1 << bits] {
                let slices = (0..u64::BITS).step_by(bits as usize).map(|at| key >> at);
                let expected = slices.fold(0, |sum, slice| sum ^ slice) & Geometry::mask(bits);
                assert_eq!(
                    u64::from(Fold::new(bits).of(key)),
                    expected,
                    "{key:#x} in {bits}"
                );
            }
        }
    }

    #[test]
    fn paths_that_differ_in_y_meet_in_one_way_at_most() {
        let places = Places {
            ways: 31,
            ..places(32)
        };
        let candidates = |x, y| places.candidates(Folded { x, y });
        for (x, y) in (0..32).flat_map(|x| (1..32).map(move |y| (x, y))) {
            let both = candidates(0, 0).zip(candidates(x, y));
            assert!(both.filter(|(a, b)| a == b).count() <= 1);
        }
    }
}
