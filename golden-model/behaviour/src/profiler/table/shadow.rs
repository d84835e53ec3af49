//! Replacement with shadow entries: a path must show that it is hot before it evicts another.
//!
//! The table is [skewed](super::skewed), and each row carries a *shadow*: the fingerprint of a path that is not in the table, and a small count of its sampled misses.
//!
//! - *Hit*: the accumulator grows.
//! - *Miss, a candidate row is empty*: the path takes the first such row, with its count. So a program whose paths find room is counted exactly.
//! - *Miss, no row empty*: one in 2^k is sampled, by a linear-feedback shift register that takes a step for each path. The others change nothing.
//! - *Sampled, a candidate row's shadow is the path's*, with count q: the path's estimate is its count times (q + 1) 2^k. If that is above the
//!   least accumulator among the candidate rows, and among the other rows of one candidate row's occupant (of each way in
//!   turn), it takes that row; in the second case the occupant moves there, and the path takes the row that it leaves. The path that is
//!   evicted leaves its fingerprint and its count, in units of 2^k, as that row's shadow, if that is not less than the shadow there.
//!   If the estimate is not above, q grows; where it cannot, k grows and every q is halved.
//! - *Sampled, no shadow is the path's*: it takes the place of the least shadow, with one more than its count m, with a
//!   probability of about 1 / (m + 1).
//!
//! After a match, the next [`PAUSE`] paths are not sampled, so that a circuit that takes its time over a match is not asked for another at once.
//!
//! All q are halved without going through all rows: a shadow knows k modulo 4 of when it was written, and counts half as much for each step since.
//! One that was not written for four steps counts too much.

use super::entries::{Entries, least};
use super::lfsr::Lfsr;
use super::{Admission, Miss, Policy};
use crate::config::Geometry;

pub use super::lfsr::{BITS as CHANCE_BITS, TAPS as CHANCE_TAPS};

/// Bits of a shadow's count.
pub const SHADOW_BITS: u32 = 5;

/// Paths after a match that are not sampled.
pub const PAUSE: u32 = 16;

/// The k of an empty table.
pub const FIRST_SCALE: u32 = 4;

/// What chances begin with by default.
pub const DEFAULT_SEED: u32 = 1;

/// The greatest count of a shadow.
pub const MOST: u8 = (1 << SHADOW_BITS) - 1;

/// The largest k: an estimate of the greatest count stays within an accumulator of 32 bits.
pub const LARGEST_SCALE: u32 = 26;

/// The shadow of a row.
#[derive(Clone, Copy, Debug, Default)]
struct Shadow {
    fingerprint: u16,
    /// Its count when it was written; 0 if there is none.
    count: u8,
    /// k modulo 4 when it was written.
    stamp: u8,
}

/// The shadows of a table, and its chances.
#[derive(Clone, Debug)]
pub struct Shadows {
    shadows: Box<[Shadow]>,
    /// One miss in 2^k is sampled.
    k: u32,
    lfsr: Lfsr,
    /// Paths that are still not sampled.
    pause: u32,
    /// The way whose occupant may move at the next match.
    turn: usize,
}

impl Shadows {
    pub(super) fn new(geometry: &Geometry, seed: u32) -> Self {
        Self {
            shadows: vec![Shadow::default(); geometry.entries() as usize].into(),
            k: FIRST_SCALE,
            lfsr: Lfsr::new(seed),
            pause: 0,
            turn: 0,
        }
    }

    /// The state of its linear-feedback shift register.
    pub const fn chance(&self) -> u32 {
        self.lfsr.state()
    }

    /// Its k: one miss in 2^k is sampled.
    pub const fn scale(&self) -> u32 {
        self.k
    }

    /// The count of a row's shadow, halved as often as k has grown since it was written.
    fn count(&self, row: usize) -> u8 {
        let Shadow { count, stamp, .. } = self.shadows[row];
        count >> ((self.k as u8).wrapping_sub(stamp) & 3)
    }

    fn set_count(&mut self, row: usize, count: u8) {
        let shadow = &mut self.shadows[row];
        (shadow.count, shadow.stamp) = (count, self.k as u8 & 3);
    }

    /// A miss that was sampled.
    #[inline(never)]
    fn sampled(&mut self, miss: Miss<'_>) -> (Admission, u32) {
        let fingerprint = miss.entries.places.fingerprint(&miss.path.descriptor);
        let is_its =
            |&row: &usize| self.count(row) > 0 && self.shadows[row].fingerprint == fingerprint;
        if let Some(row) = miss.candidates.iter().copied().find(is_its) {
            self.pause = PAUSE;
            return self.matched(miss, row);
        }
        let weakest = least(miss.candidates, |row| self.count(row).into());
        let next = u32::from(self.count(weakest)) + 1;
        if self.lfsr.high(next.ilog2()) {
            self.shadows[weakest].fingerprint = fingerprint;
            self.set_count(weakest, (next as u8).min(MOST));
        }
        (Admission::Strange, 0)
    }

    /// The shadow in a row is that of a path that misses again.
    fn matched(&mut self, miss: Miss<'_>, shadow: usize) -> (Admission, u32) {
        let misses = self.count(shadow);
        let estimate = ((u64::from(misses) + 1) * u64::from(miss.path.count)) << self.k;
        let count = miss.entries.limited(estimate);
        let (at, moved) = self.victim(miss);
        let victim = moved.unwrap_or(at);
        if count <= miss.entries.count(victim) {
            self.grow(shadow, misses);
            return (Admission::Grew, 0);
        }
        self.set_count(shadow, 0);
        self.leave_shadow(miss.entries, victim);
        (Admission::Promoted { at, moved }, count)
    }

    /// The row that the newcomer would take, and where its occupant would move, if it would.
    fn victim(&mut self, miss: Miss<'_>) -> (usize, Option<usize>) {
        let Miss {
            entries,
            candidates,
            ..
        } = miss;
        let own = least(candidates, |row| entries.count(row));
        self.turn = (self.turn + 1) % candidates.len();
        let mover = candidates[self.turn];
        let occupant = entries.get(mover).expect("no candidate is empty");
        let others = entries
            .places
            .candidates(entries.places.fold(&occupant.descriptor));
        let others = others.filter(|&row| row != mover);
        match others.min_by_key(|&row| entries.count(row)) {
            Some(other) if entries.count(other) < entries.count(own) => (mover, Some(other)),
            _ => (own, None),
        }
    }

    /// A shadow's count, `misses` so far, grows by 1. Where it cannot, k does, and all counts are halved.
    fn grow(&mut self, row: usize, misses: u8) {
        if misses < MOST {
            self.set_count(row, misses + 1);
        } else if self.k < LARGEST_SCALE {
            self.k += 1;
            self.set_count(row, misses / 2);
        }
    }

    /// The path in a row, if there is one, is evicted: the row's shadow becomes its own if it is not less than the one there.
    fn leave_shadow(&mut self, entries: &Entries, row: usize) {
        let Some(evicted) = entries.get(row) else {
            return;
        };
        let count = (evicted.count >> self.k).min(u32::from(MOST)) as u8;
        if count > 0 && count >= self.count(row) {
            self.shadows[row].fingerprint = entries.places.fingerprint(&evicted.descriptor);
            self.set_count(row, count);
        }
    }
}

impl Policy for Shadows {
    /// Its chances go on from where they are.
    fn clear(&mut self) {
        self.shadows.fill(Shadow::default());
        (self.k, self.pause, self.turn) = (FIRST_SCALE, 0, 0);
    }

    #[inline]
    fn draw(&mut self) -> bool {
        self.lfsr.step();
        let paused = self.pause > 0;
        self.pause = self.pause.saturating_sub(1);
        !paused & self.lfsr.low(self.k)
    }

    #[inline(always)]
    fn miss(&mut self, miss: Miss<'_>, drawn: bool) -> (Admission, u32) {
        match miss.empty() {
            Some(empty) => (Admission::Inserted(empty), miss.path.count),
            None if drawn => self.sampled(miss),
            None => (Admission::None, 0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shadows() -> Shadows {
        Shadows::new(&Geometry::default(), 1)
    }

    #[test]
    fn a_shadow_counts_half_for_each_step_of_k_since_it_was_written() {
        let mut shadows = shadows();
        shadows.set_count(3, 29);
        for halved in [29, 14, 7, 3] {
            assert_eq!(shadows.count(3), halved);
            shadows.k += 1;
        }
    }

    #[test]
    fn where_a_shadow_is_full_k_grows_and_all_are_halved() {
        let mut shadows = shadows();
        shadows.set_count(1, MOST);
        shadows.set_count(2, 10);
        shadows.grow(1, MOST);
        assert_eq!(shadows.k, FIRST_SCALE + 1);
        assert_eq!([1, 2].map(|row| shadows.count(row)), [MOST / 2, 5]);
        shadows.k = LARGEST_SCALE;
        shadows.set_count(1, MOST);
        shadows.grow(1, MOST);
        assert_eq!((shadows.k, shadows.count(1)), (LARGEST_SCALE, MOST));
    }
}
