//! Replacement with shadow entries: a path must show that it is hot before it evicts another.
//!
//! The table is [skewed](super::skewed), and each row carries a *shadow*: the fingerprint of a path that is not in the table, and a small count of its sampled misses.
//!
//! - *Hit*: the accumulator grows.
//! - *Miss, a candidate row is empty*: the path takes the first such row, with its count. So a program whose paths find room is counted exactly.
//! - *Miss, no row empty*: one in 2^(s + 1) is sampled, by a linear-feedback shift register that takes a step for each path. The others change nothing.
//! - *Sampled, a candidate row's shadow is the path's*, with count q: the path's estimate is its count times (q + 1) 2^(s + 1). If that is above the
//!   least accumulator among the candidate rows, it takes that row, and its count is added to the accumulator there. Else q grows; where it cannot, it
//!   becomes 0, and s grows.
//! - *Sampled, no shadow is the path's*: it takes the place of the least shadow, with one more than its count m, with a
//!   probability of 1 in 2 to the ones of m.
//!
//! All q are halved, without going through all rows, when s grows: a shadow knows whether s was odd when it was written, and counts half if s is not so
//! now. One that was not written for two steps counts too much.

use super::entries::least;
use super::lfsr::Lfsr;
use super::{Admission, Miss, Policy};
use crate::config::Geometry;

pub use super::lfsr::{BITS as CHANCE_BITS, TAPS as CHANCE_TAPS};

/// Bits of a shadow's count.
pub const SHADOW_BITS: u32 = 7;

/// Bits of s.
pub const SCALE_BITS: u32 = 5;

/// The s of an empty table.
pub const FIRST_SCALE: u32 = 4;

/// The default seed.
pub const DEFAULT_SEED: u32 = 1;

/// The greatest count of a shadow.
const MOST: u8 = (1 << SHADOW_BITS) - 1;

/// The greatest s; 0 follows it.
pub(in crate::profiler) const LARGEST_SCALE: u32 = (1 << SCALE_BITS) - 1;

/// The shadow of a row.
#[derive(Clone, Copy, Debug, Default)]
struct Shadow {
    fingerprint: u16,
    /// Its count when it was written; 0 if there is none.
    count: u8,
    /// The lowest bit of s when it was written.
    stamp: u8,
}

/// The shadows of a table, and its chances.
#[derive(Clone, Debug)]
pub struct Shadows {
    shadows: Box<[Shadow]>,
    /// One miss in 2^(s + 1) is sampled.
    s: u32,
    lfsr: Lfsr,
    /// How many of the register's last bits were 1, modulo 2^[`SCALE_BITS`].
    run: u32,
}

impl Shadows {
    pub(super) fn new(geometry: &Geometry, seed: u32) -> Self {
        Self {
            shadows: vec![Shadow::default(); geometry.entries() as usize].into(),
            s: FIRST_SCALE,
            lfsr: Lfsr::new(seed),
            run: 0,
        }
    }

    /// Its s: one miss in 2^(s + 1) is sampled.
    pub const fn scale(&self) -> u32 {
        self.s
    }

    /// The count of a row's shadow, halved if it was written under another s.
    fn count(&self, row: usize) -> u8 {
        let Shadow { count, stamp, .. } = self.shadows[row];
        count >> (self.s as u8 & 1 ^ stamp)
    }

    fn write(&mut self, row: usize, fingerprint: u16, count: u8) {
        self.shadows[row] = Shadow {
            fingerprint,
            count: count & MOST,
            stamp: self.s as u8 & 1,
        };
    }

    /// A miss that was sampled, or finds an empty row.
    #[inline(never)]
    fn admit(&mut self, miss: Miss<'_>, empty: Option<usize>) -> (Admission, u32) {
        let Miss {
            entries,
            candidates,
            path,
        } = miss;
        let fingerprint = entries.places.fingerprint(&path.descriptor);
        let is_its =
            |&row: &usize| self.count(row) > 0 && self.shadows[row].fingerprint == fingerprint;
        let its = candidates.iter().copied().find(is_its);
        let row = its.unwrap_or_else(|| least(candidates, |row| self.count(row).into()));
        let misses = self.count(row);
        if empty.is_none() && its.is_none() {
            if self.lfsr.lets(misses) {
                self.write(row, fingerprint, misses + 1);
            }
            return (Admission::None, 0);
        }
        let victim = empty.unwrap_or_else(|| least(candidates, |row| entries.count(row)));
        let estimate = (u64::from(path.count) * (u64::from(misses) + 1)) << (self.s + 1);
        let held = entries.count(victim);
        if empty.is_some() || held < entries.wrapped(estimate) {
            self.write(row, fingerprint, 0);
            return (Admission::Taken(victim), held.saturating_add(path.count));
        }
        self.write(row, fingerprint, misses + 1);
        if misses == MOST {
            self.s = (self.s + 1) % (1 << SCALE_BITS);
        }
        (Admission::Grew, 0)
    }
}

impl Policy for Shadows {
    /// Its chances go on from where they are.
    fn clear(&mut self) {
        self.shadows.fill(Shadow::default());
        self.s = FIRST_SCALE;
    }

    #[inline]
    fn draw(&mut self) -> bool {
        let sampled = self.run == self.s;
        self.run = (self.run + 1) % (1 << SCALE_BITS) * self.lfsr.last();
        self.lfsr.step();
        sampled
    }

    #[inline(always)]
    fn miss(&mut self, miss: Miss<'_>, drawn: bool) -> (Admission, u32) {
        match miss.empty() {
            None if !drawn => (Admission::None, 0),
            empty => self.admit(miss, empty),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::entries::Entries;
    use super::*;
    use crate::config::Replacement;
    use crate::path::{CompletedPath, PathDescriptor};

    fn small() -> Geometry {
        Geometry {
            sets: 2,
            ways: 1,
            replacement: Replacement::Shadow,
            ..Geometry::default()
        }
    }

    #[test]
    fn a_shadow_counts_half_after_a_step_of_s_and_whole_after_two() {
        let mut shadows = Shadows::new(&small(), 1);
        shadows.write(1, 0, 29);
        for counted in [29, 14, 29] {
            assert_eq!(shadows.count(1), counted);
            shadows.s += 1;
        }
    }

    #[test]
    fn one_miss_in_two_to_s_and_one_is_sampled() {
        let mut shadows = Shadows::new(&small(), 7);
        for s in 0..8 {
            shadows.s = s;
            let sampled = (0..1 << 20).filter(|_| shadows.draw()).count();
            let expected = 1_usize << (19 - s);
            assert!(
                sampled.abs_diff(expected) < expected / 8,
                "{sampled} with {s}"
            );
        }
    }

    /// One row: a path in it with this accumulator, and another that misses, until it takes the row, or s grows.
    fn misses(count: u32, accumulator: u32) -> (u32, u8, u32, u32) {
        let mut shadows = Shadows::new(&small(), 1);
        let mut entries = Entries::new(&small());
        entries.take(Admission::Taken(0), &PathDescriptor::new(8), accumulator);
        let path = CompletedPath {
            descriptor: PathDescriptor::new(16),
            count,
        };
        let mut sampled = 0;
        loop {
            let miss = Miss {
                entries: &entries,
                candidates: &[0],
                path: &path,
            };
            let (admission, count) = shadows.miss(miss, true);
            sampled += 1;
            if admission.taken().is_some() || shadows.s > FIRST_SCALE {
                return (sampled, shadows.count(0), shadows.s, count);
            }
        }
    }

    #[test]
    fn a_path_takes_the_row_when_its_estimate_is_above_the_accumulator() {
        // The first miss takes the shadow, the second estimates 2 x 32.
        assert_eq!(misses(1, 63), (2, 0, 4, 64));
        assert_eq!(misses(1, 64), (3, 0, 4, 65));
        assert_eq!(misses(3, 64 * 3 - 1), (2, 0, 4, 64 * 3 + 2));
        assert_eq!(misses(1, 128 * 32 - 1), (128, 0, 4, 128 * 32));
        assert_eq!(misses(1, 128 * 32), (128, 0, 5, 0));
    }

    #[test]
    fn an_estimate_keeps_as_many_bits_as_an_accumulator() {
        let mut shadows = Shadows::new(&small(), 1);
        shadows.s = LARGEST_SCALE;
        let mut entries = Entries::new(&small());
        entries.take(Admission::Taken(0), &PathDescriptor::new(8), 1);
        let descriptor = PathDescriptor::new(16);
        let path = CompletedPath {
            descriptor,
            count: u32::MAX,
        };
        shadows.write(0, entries.places.fingerprint(&descriptor), MOST);
        let miss = |candidates: &'static [usize]| Miss {
            entries: &entries,
            candidates,
            path: &path,
        };
        assert_eq!(shadows.miss(miss(&[0]), true), (Admission::Grew, 0));
        assert_eq!((shadows.s, shadows.count(0)), (0, 0));
        // A path that takes an empty row needs no shadow.
        shadows.s = LARGEST_SCALE;
        assert_eq!(
            shadows.miss(miss(&[1]), false),
            (Admission::Taken(1), u32::MAX)
        );
    }
}
