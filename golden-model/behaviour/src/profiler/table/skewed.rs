//! Where a path may be: one row in each way, by hashes of their own (a skewed table).
//!
//! The path's bits are folded to two words as wide as a row's number, *x* and *y*; its row in way *w* is x XOR α^w·y, where α
//! generates the field of as many elements as a way has rows. Two paths that differ in y meet in one way at most. Every
//! hash is a few XORs of bits of the path.
//!
//! Source: Seznec, *A case for two-way skewed-associative caches*, ISCA 1993 (rows by several hashes).

use super::tag::Evicted;
use super::{Lookup, Policy};
use crate::config::Geometry;
use crate::path::{CompletedPath, PathDescriptor};

/// What a table did with a path, beyond looking it up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Admission {
    /// Nothing: the path was found, or its miss was not sampled.
    None,
    /// It took the empty entry with this number.
    Inserted(usize),
    /// It was sampled, and no shadow was its.
    Strange,
    /// A shadow was its, and its estimate was not above the least accumulator.
    Grew,
    /// It took an entry.
    Promoted {
        /// The entry's number.
        at: usize,
        /// Where its occupant moved.
        moved: Option<usize>,
    },
}

/// A policy whose ways have hashes of their own, in the steps that a simulation by number takes.
pub(super) trait Skewed: Policy {
    /// Goes on to the next path: whether a miss with no row empty can change anything.
    fn draw(&mut self) -> bool;
    /// Counts a path that is in the entry with this number.
    fn hit<E: Evicted, const RESTARTS: bool>(&mut self, number: usize, count: u32) -> Lookup<E>;
    /// Folds a path to where it may be.
    fn fold(&self, path: &CompletedPath) -> Folded;
    /// Looks up a path that is not in the table, after a [draw](Self::draw).
    fn miss<E: Evicted>(
        &mut self,
        path: &CompletedPath,
        folded: Folded,
        drawn: bool,
    ) -> (Lookup<E>, Admission);
}

/// Most ways of a table.
pub(super) const MOST_WAYS: usize = 32;

/// Bits of a fingerprint.
pub const FINGERPRINT_BITS: u32 = 10;

/// How far outcomes are turned before they are joined with the start, whose low bits differ most, as do theirs.
pub const TURN: u32 = 24;

/// Where the length is joined with them.
pub const LENGTH_AT: u32 = 57;

/// Primitive polynomials over the field of two elements, of degree 1 to 12, without their highest term.
pub const POLYNOMIALS: [u32; 12] = [
    0x1, 0x3, 0x3, 0x3, 0x5, 0x3, 0x3, 0x1d, 0x11, 0x9, 0x5, 0x53,
];

/// The rows of a path, and its fingerprint.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    align: u32,
    bits: u32,
    polynomial: u32,
    x: Fold,
    y: Fold,
    fingerprint: Fold,
}

/// A path's bits, folded to where it may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Folded {
    x: u16,
    y: u16,
}

impl Places {
    pub(super) const fn new(geometry: &Geometry) -> Self {
        Self::of(geometry.align, geometry.set_bits())
    }

    /// For rows whose numbers have so many bits.
    const fn of(align: u32, bits: u32) -> Self {
        Self {
            align,
            bits,
            polynomial: POLYNOMIALS[bits as usize - 1],
            x: Fold::new(bits),
            // Slices of another width: bits that meet in x do not meet here.
            y: Fold::new(bits + 2),
            fingerprint: Fold::new(FINGERPRINT_BITS + 3),
        }
    }

    #[inline]
    const fn key(&self, path: &PathDescriptor) -> u64 {
        let length = (path.length as u64) << LENGTH_AT;
        path.start >> self.align ^ path.outcomes.rotate_left(TURN) ^ length
    }

    /// Folds a path.
    #[inline]
    pub(super) fn fold(&self, path: &PathDescriptor) -> Folded {
        let key = self.key(path);
        Folded {
            x: self.x.of(key) as u16,
            y: (self.y.of(key) & Geometry::mask(self.bits) as u32) as u16,
        }
    }

    /// What a shadow knows a path by.
    pub(super) fn fingerprint(&self, path: &PathDescriptor) -> u16 {
        let folded = self.fingerprint.of(self.key(path));
        (folded & Geometry::mask(FINGERPRINT_BITS) as u32) as u16
    }

    /// The numbers of the entries in which a path may be, way by way, in a table of so many ways.
    #[inline]
    pub(super) fn candidates(
        &self,
        path: &PathDescriptor,
        ways: usize,
    ) -> impl Iterator<Item = usize> + use<> {
        let rows = self.rows(self.fold(path)).take(ways);
        rows.enumerate().map(move |(way, row)| row * ways + way)
    }

    /// The same, in a table of as many ways as there is room for.
    #[inline(always)]
    pub(super) fn candidates_into(&self, folded: Folded, candidates: &mut [usize]) {
        let ways = candidates.len();
        let (x, mut y) = (u32::from(folded.x), u32::from(folded.y));
        for (way, candidate) in candidates.iter_mut().enumerate() {
            *candidate = (x ^ y) as usize * ways + way;
            y = self.turned(y);
        }
    }

    /// The path's rows in way 0, 1 and so on.
    #[inline]
    pub(super) fn rows(&self, folded: Folded) -> impl Iterator<Item = usize> + use<> {
        let places = *self;
        core::iter::successors(Some(folded.y.into()), move |&y| Some(places.turned(y)))
            .map(move |y| (u32::from(folded.x) ^ y) as usize)
    }

    /// α·y.
    #[inline]
    const fn turned(&self, y: u32) -> u32 {
        let carry = y >> (self.bits - 1) & 1;
        ((y << 1) ^ (carry * self.polynomial)) & Geometry::mask(self.bits) as u32
    }
}

/// The row of a way in which a path may be.
pub(super) fn row_index(geometry: &Geometry, path: &PathDescriptor, way: usize) -> usize {
    let places = Places::new(geometry);
    let mut rows = places.rows(places.fold(path));
    rows.nth(way).expect("there is a row in every way")
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

    #[test]
    fn the_polynomials_are_primitive() {
        for (bits, polynomial) in (1..).zip(POLYNOMIALS) {
            let places = Places::of(0, bits);
            let folded = Folded { x: 0, y: 1 };
            let elements = Geometry::mask(bits) as usize;
            let mut powers: Vec<_> = places.rows(folded).take(elements).collect();
            powers.sort_unstable();
            // Every element but 0 is a power of α.
            assert!(
                powers.into_iter().eq(1..=elements),
                "degree {bits}: {polynomial:#x}"
            );
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
        let places = Places::of(0, 5);
        let folded = |x, y| Folded { x, y };
        for (x, y) in (0..32).flat_map(|x| (1..32).map(move |y| (x, y))) {
            let one = places.rows(folded(0, 0));
            let other = places.rows(folded(x, y));
            assert!(one.zip(other).take(31).filter(|(a, b)| a == b).count() <= 1);
        }
    }
}
