//! Replacement with shadow entries: a path must show that it is hot before it evicts another.
//!
//! As many entries as the [hot path table](super::HotPathTable) of any policy, but every way has its own hash, and each row carries a *shadow*: the fingerprint of a path that is not in the table, and a small count of its sampled misses.
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
//! One that nobody has looked at for four steps counts too much.

mod lfsr;
mod row;

use lfsr::Lfsr;
use row::Row;

use super::accumulator::Accumulator;
use super::skewed::{Folded, MOST_WAYS, Places, Skewed};
use super::tag::{Evicted, Layout, LongTag, Tag};
use super::{Admission, Lookup, Policy, TableEntry};
use crate::config::Geometry;
use crate::path::{CompletedPath, PathDescriptor};

pub use lfsr::{BITS as CHANCE_BITS, TAPS as CHANCE_TAPS};

/// Bits of a shadow's count.
pub const SHADOW_BITS: u32 = 5;

/// Paths after a match that are not sampled.
pub const PAUSE: u32 = 16;

/// The k of an empty table.
pub const FIRST_SCALE: u32 = 4;

/// What chances begin with if nobody says otherwise.
pub const DEFAULT_SEED: u32 = 1;

/// The greatest count of a shadow.
pub const MOST: u8 = (1 << SHADOW_BITS) - 1;

/// The largest k: an estimate of the greatest count stays within an accumulator of 32 bits.
pub const LARGEST_SCALE: u32 = 26;

/// The table.
///
/// ```
/// use hpp_golden::config::Geometry;
/// use hpp_golden::path::{CompletedPath, PathDescriptor};
/// use hpp_golden::profiler::{Policy, ShadowTable};
///
/// let path = |start| CompletedPath { descriptor: PathDescriptor::new(start), count: 1 };
/// let mut table = ShadowTable::new(&Geometry { sets: 2, ways: 2, ..Geometry::default() }, 1);
/// // Two hot paths stay, whatever else happens once.
/// for round in 0..1000 {
///     table.record(&path(0x10));
///     table.record(&path(0x14));
///     table.record(&path(0x1000 + 4 * round));
/// }
/// let held: Vec<_> = table.entries().map(|(_, entry)| entry.descriptor.start).collect();
/// assert!(held.contains(&0x10) && held.contains(&0x14));
/// ```
#[derive(Clone, Debug)]
pub struct ShadowTable {
    rows: Box<[Row]>,
    ways: usize,
    places: Places,
    layout: Layout,
    accumulator: Accumulator,
    /// One miss in 2^k is sampled.
    k: u32,
    lfsr: Lfsr,
    /// Paths that are still not sampled.
    pause: u32,
    /// The way whose occupant may move at the next match.
    turn: usize,
}

/// The rows of a path.
type Candidates = [usize; MOST_WAYS];

impl ShadowTable {
    /// An empty table of this geometry, which must be valid, and the seed of its chances.
    #[must_use]
    pub fn new(geometry: &Geometry, seed: u32) -> Self {
        Self {
            rows: vec![Row::default(); geometry.entries() as usize].into(),
            ways: geometry.ways as usize,
            places: Places::new(geometry),
            layout: Layout::new(geometry),
            accumulator: Accumulator::new(geometry),
            k: FIRST_SCALE,
            lfsr: Lfsr::new(seed),
            pause: 0,
            turn: 0,
        }
    }

    /// The state of its linear-feedback shift register.
    #[must_use]
    pub const fn chance(&self) -> u32 {
        self.lfsr.state()
    }

    /// Its k: one miss in 2^k is sampled.
    #[must_use]
    pub const fn scale(&self) -> u32 {
        self.k
    }

    /// [`record`](Policy::record), and what else it did.
    #[inline]
    pub fn admit(&mut self, path: &CompletedPath) -> (Lookup, Admission) {
        let sampled = self.draw();
        self.miss(path, self.fold(path), sampled)
    }

    #[inline]
    fn candidates(&self, folded: Folded) -> Candidates {
        let mut candidates = [0; MOST_WAYS];
        for (way, (place, row)) in candidates[..self.ways]
            .iter_mut()
            .zip(self.places.rows(folded))
            .enumerate()
        {
            *place = row * self.ways + way;
        }
        candidates
    }

    /// A miss that was sampled.
    #[inline(never)]
    fn sampled<E: Evicted>(
        &mut self,
        tag: LongTag,
        path: &CompletedPath,
    ) -> (Lookup<E>, Admission) {
        let fingerprint = self.places.fingerprint(&path.descriptor);
        let all = self.candidates(self.places.fold(&path.descriptor));
        let candidates = &all[..self.ways];
        let is_its = |&&row: &&usize| {
            self.rows[row].shadow(self.k) > 0 && self.rows[row].fingerprint == fingerprint
        };
        if let Some(&row) = candidates.iter().find(is_its) {
            self.pause = PAUSE;
            return self.matched(tag, path.count, row, candidates);
        }
        let least = candidates
            .iter()
            .copied()
            .min_by_key(|&row| self.rows[row].shadow(self.k));
        let least = least.expect("a table has ways");
        let next = u32::from(self.rows[least].shadow(self.k)) + 1;
        if self.lfsr.high(next.ilog2()) {
            self.rows[least].fingerprint = fingerprint;
            self.rows[least].set_shadow(self.k, (next as u8).min(MOST));
        }
        (Lookup::Nothing, Admission::Strange)
    }

    /// What so many sampled misses of a path with this count stand for.
    fn estimate(&self, misses: u32, count: u32) -> u32 {
        let estimate = (u64::from(misses) * u64::from(count)) << self.k;
        self.accumulator.limited(estimate)
    }

    /// The shadow in a row is that of a path that misses again.
    fn matched<E: Evicted>(
        &mut self,
        tag: LongTag,
        count: u32,
        shadow: usize,
        candidates: &[usize],
    ) -> (Lookup<E>, Admission) {
        let misses = self.rows[shadow].shadow(self.k);
        let estimate = self.estimate(u32::from(misses) + 1, count);
        let (at, moved) = self.victim(candidates);
        let victim = moved.unwrap_or(at);
        let evicted = self.rows[victim];
        if estimate <= evicted.count {
            self.grow(shadow, misses);
            return (Lookup::Nothing, Admission::Grew);
        }
        self.rows[shadow].set_shadow(self.k, 0);
        self.leave_shadow(victim);
        if let Some(to) = moved {
            (self.rows[to].tag, self.rows[to].count) = (self.rows[at].tag, self.rows[at].count);
        }
        (self.rows[at].tag, self.rows[at].count) = (tag, estimate);
        let lookup = match evicted.is_used() {
            false => Lookup::Inserted,
            true => Lookup::Replaced {
                evicted: E::new(evicted.tag, self.layout, evicted.count),
            },
        };
        (lookup, Admission::Promoted { at, moved })
    }

    /// The row that the newcomer would take, and where its occupant would move, if it would.
    fn victim(&mut self, candidates: &[usize]) -> (usize, Option<usize>) {
        let count = |row: usize| self.rows[row].count;
        let own = candidates.iter().copied().min_by_key(|&row| count(row));
        let own = own.expect("a table has ways");
        self.turn = (self.turn + 1) % self.ways;
        let mover = candidates[self.turn];
        let folded = self
            .places
            .fold(&self.rows[mover].tag.descriptor(self.layout));
        let others = self.candidates(folded);
        let other = others[..self.ways]
            .iter()
            .copied()
            .filter(|&row| row != mover)
            .min_by_key(|&row| count(row));
        match other {
            Some(other) if count(other) < count(own) => (mover, Some(other)),
            _ => (own, None),
        }
    }

    /// A shadow's count, `misses` so far, grows by 1. Where it cannot, k does, and all counts are halved.
    fn grow(&mut self, row: usize, misses: u8) {
        if misses < MOST {
            self.rows[row].set_shadow(self.k, misses + 1);
        } else if self.k < LARGEST_SCALE {
            self.k += 1;
            self.rows[row].set_shadow(self.k, misses / 2);
        }
    }

    /// The path in a row is evicted: the row's shadow becomes its own if it is not less than the one there.
    fn leave_shadow(&mut self, row: usize) {
        let evicted = self.rows[row];
        let count = (evicted.count >> self.k).min(u32::from(MOST)) as u8;
        if count > 0 && count >= self.rows[row].shadow(self.k) {
            let path = evicted.tag.descriptor(self.layout);
            self.rows[row].fingerprint = self.places.fingerprint(&path);
            self.rows[row].set_shadow(self.k, count);
        }
    }
}

impl Policy for ShadowTable {
    /// Its chances go on from where they are.
    fn clear(&mut self) {
        self.rows.fill(Row::default());
        (self.k, self.pause, self.turn) = (FIRST_SCALE, 0, 0);
    }

    /// It has no drain that would take what is evicted: accumulators saturate.
    #[inline(always)]
    fn look_up<E: Evicted, const RESTARTS: bool>(&mut self, path: &CompletedPath) -> Lookup<E> {
        let sampled = self.draw();
        self.miss(path, self.fold(path), sampled).0
    }

    fn size(&self) -> usize {
        self.rows.len()
    }

    fn entry(&self, number: usize) -> Option<TableEntry> {
        let row = self.rows.get(number).filter(|row| row.is_used())?;
        Some(row.entry(self.layout))
    }

    fn find(&self, path: &PathDescriptor) -> Option<usize> {
        let tag = LongTag::new(self.layout, path);
        let mut candidates = self.places.candidates(path, self.ways);
        candidates.find(|&number| self.rows[number].tag == tag && self.rows[number].is_used())
    }
}

impl Skewed for ShadowTable {
    /// Whether the next path is sampled if it misses.
    #[inline(always)]
    fn draw(&mut self) -> bool {
        self.lfsr.step();
        let paused = self.pause > 0;
        self.pause = self.pause.saturating_sub(1);
        !paused & self.lfsr.low(self.k)
    }

    #[inline(always)]
    fn hit<E: Evicted, const RESTARTS: bool>(&mut self, number: usize, count: u32) -> Lookup<E> {
        let (row, layout) = (&mut self.rows[number], self.layout);
        let evicted = |count| E::new(row.tag, layout, count);
        self.accumulator
            .grow::<RESTARTS, _>(&mut row.count, count.into(), evicted)
    }

    #[inline]
    fn fold(&self, path: &CompletedPath) -> Folded {
        self.places.fold(&path.descriptor)
    }

    /// Finds a path that is in the table as well.
    #[inline]
    fn miss<E: Evicted>(
        &mut self,
        path: &CompletedPath,
        folded: Folded,
        sampled: bool,
    ) -> (Lookup<E>, Admission) {
        let tag = LongTag::new(self.layout, &path.descriptor);
        let mut vacant = None;
        for (way, row) in self.places.rows(folded).take(self.ways).enumerate() {
            let number = row * self.ways + way;
            let row = &self.rows[number];
            if row.tag == tag {
                return (self.hit::<_, false>(number, path.count), Admission::None);
            }
            if !row.is_used() {
                vacant = vacant.or(Some(number));
            }
        }
        if path.count == 0 {
            return (Lookup::Nothing, Admission::None);
        }
        if let Some(number) = vacant {
            (self.rows[number].tag, self.rows[number].count) = (tag, path.count);
            return (Lookup::Inserted, Admission::Inserted(number));
        }
        if !sampled {
            return (Lookup::Nothing, Admission::None);
        }
        self.sampled(tag, path)
    }
}

#[cfg(test)]
mod tests;
