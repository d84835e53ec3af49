//! A table that keeps what is hot: a path must show that it is hot before it costs another one its place.
//!
//! As many entries as the [hot path table](super::HotPathTable), but every way has its own hash, and each row carries a *shadow*: the fingerprint of a path that is not in the table, and a small count of its sampled misses.
//!
//! - *Hit*: the accumulator grows.
//! - *Miss*: one in 2^k is sampled, by a linear-feedback shift register. The others change nothing.
//! - *Sampled, a candidate row is empty*: the path takes it, with 2^k times its count.
//! - *Sampled, a candidate row's shadow is the path's*, with count q: the path's estimate is (q + 1) 2^k. If that is above the
//!   least accumulator among the candidate rows, and among the other rows of one candidate row's occupant (of each way in
//!   turn), it takes that row; in the second case the occupant moves there, and the path takes the row that it leaves. The path that is
//!   evicted leaves its fingerprint and its count, in units of 2^k, as that row's shadow, if that is not less than the shadow there.
//!   If the estimate is not above, q grows; where it cannot, k grows and every q is halved.
//! - *Sampled, no shadow is the path's*: it takes the place of the least shadow, with one more than its count m, with a
//!   probability of about 1 / (m + 1).
//!
//! After a match, the next [`PAUSE`] paths are not sampled: as a path takes at least a cycle, that is how long a circuit may work
//! on a match while paths go on, and circuit and model agree.

mod lfsr;
mod places;

use lfsr::Lfsr;
use places::{Folded, Places};

use super::tag::{Layout, LongTag, Tag};
use super::{Lookup, TableEntry, TableTally};
use crate::config::Geometry;
use crate::path::CompletedPath;

pub use places::FINGERPRINT_BITS;

/// Bits of a shadow's count.
pub const SHADOW_BITS: u32 = 5;

/// Paths after a match that are not sampled.
pub const PAUSE: u32 = 16;

/// The greatest count of a shadow.
const MOST: u8 = (1 << SHADOW_BITS) - 1;

/// The largest k: estimates stay within an accumulator of 32 bits.
const LARGEST: u32 = 26;

/// A row of a way.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    tag: LongTag,
    /// The accumulator; 0 if the row is empty.
    count: u32,
    fingerprint: u16,
    /// The shadow's count; 0 if there is none.
    shadow: u8,
}

/// The table.
///
/// ```
/// use hpp_golden::config::Geometry;
/// use hpp_golden::path::{CompletedPath, PathDescriptor};
/// use hpp_golden::profiler::ShadowTable;
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
    sets: usize,
    ways: usize,
    places: Places,
    layout: Layout,
    maximum: u32,
    /// One miss in 2^k is sampled.
    k: u32,
    lfsr: Lfsr,
    /// Paths that are still not sampled.
    pause: u32,
    /// The way whose occupant may move at the next match.
    turn: usize,
}

/// Most ways, so that a path's rows fit in an array.
const WAYS: usize = 32;

/// The rows of a path.
type Candidates = [usize; WAYS];

impl ShadowTable {
    /// An empty table of this geometry, which must be valid, and the seed of its chances.
    #[must_use]
    pub fn new(geometry: &Geometry, seed: u32) -> Self {
        Self {
            rows: vec![Row::default(); geometry.entries() as usize].into(),
            sets: geometry.sets as usize,
            ways: geometry.ways as usize,
            places: Places::new(geometry),
            layout: Layout::new(geometry),
            maximum: Geometry::mask(geometry.accumulator_bits) as u32,
            k: 0,
            lfsr: Lfsr::new(seed),
            pause: 0,
            turn: 0,
        }
    }

    /// Empties the table. Its chances go on from where they are.
    pub fn clear(&mut self) {
        self.rows.fill(Row::default());
        (self.k, self.pause, self.turn) = (0, 0, 0);
    }

    /// The state of its linear-feedback shift register, and k.
    #[must_use]
    pub const fn state(&self) -> (u32, u32) {
        (self.lfsr.state(), self.k)
    }

    /// The entries in use, ascending by number: `way * sets + row`.
    pub fn entries(&self) -> impl Iterator<Item = (usize, TableEntry)> {
        let entry = |(number, row): (usize, &Row)| {
            let descriptor = (row.count > 0).then(|| row.tag.descriptor(self.layout))?;
            let count = row.count;
            Some((number, TableEntry { descriptor, count }))
        };
        self.rows.iter().enumerate().filter_map(entry)
    }

    /// Looks paths up and counts them, in their order.
    pub fn record_all(&mut self, paths: &[CompletedPath]) -> TableTally {
        let mut tally = TableTally::default();
        for path in paths {
            tally.add(self.record(path));
        }
        tally
    }

    /// Looks a completed path up and counts it. Time proportional to the ways.
    #[inline]
    pub fn record(&mut self, path: &CompletedPath) -> Lookup {
        self.lfsr.step();
        let paused = self.pause > 0;
        self.pause = self.pause.saturating_sub(1);
        let folded = self.places.fold(&path.descriptor);
        let tag = LongTag::new(self.layout, &path.descriptor);
        let mut way = 0;
        for row in self.places.rows(folded).take(self.ways) {
            let row = &mut self.rows[way + row];
            if row.tag == tag {
                let sum = u64::from(row.count) + u64::from(path.count);
                row.count = sum.min(u64::from(self.maximum)) as u32;
                let saturated = sum > u64::from(self.maximum);
                return Lookup::Hit { saturated };
            }
            way += self.sets;
        }
        if paused || path.count == 0 || !self.lfsr.low(self.k) {
            return Lookup::Nothing;
        }
        self.sampled(tag, path)
    }

    #[inline]
    fn candidates(&self, folded: Folded) -> Candidates {
        let mut candidates = [0; WAYS];
        for (way, (place, row)) in candidates[..self.ways]
            .iter_mut()
            .zip(self.places.rows(folded))
            .enumerate()
        {
            *place = way * self.sets + row;
        }
        candidates
    }

    /// A miss that was sampled.
    #[inline(never)]
    fn sampled(&mut self, tag: LongTag, path: &CompletedPath) -> Lookup {
        let count = path.count;
        let fingerprint = self.places.fingerprint(&path.descriptor);
        let all = self.candidates(self.places.fold(&path.descriptor));
        let candidates = &all[..self.ways];
        if let Some(&row) = candidates.iter().find(|&&row| self.rows[row].count == 0) {
            self.rows[row].tag = tag;
            self.rows[row].count = self.estimate(1, count);
            return Lookup::Inserted;
        }
        let is_shadow = |&&row: &&usize| {
            let row = &self.rows[row];
            row.shadow > 0 && row.fingerprint == fingerprint
        };
        if let Some(&row) = candidates.iter().find(is_shadow) {
            self.pause = PAUSE;
            return self.matched(tag, count, row, candidates);
        }
        let least = candidates
            .iter()
            .copied()
            .min_by_key(|&row| self.rows[row].shadow);
        let row = &mut self.rows[least.expect("a table has ways")];
        let next = u32::from(row.shadow) + 1;
        if self.lfsr.high(next.ilog2()) {
            row.fingerprint = fingerprint;
            row.shadow = (next as u8).min(MOST);
        }
        Lookup::Nothing
    }

    /// What so many sampled misses of a path with this count stand for.
    fn estimate(&self, misses: u32, count: u32) -> u32 {
        let estimate = (u64::from(misses) * u64::from(count)) << self.k;
        estimate.min(u64::from(self.maximum)) as u32
    }

    /// The shadow in a row is that of a path that misses again.
    fn matched(&mut self, tag: LongTag, count: u32, shadow: usize, candidates: &[usize]) -> Lookup {
        let estimate = self.estimate(u32::from(self.rows[shadow].shadow) + 1, count);
        let (place, moves_to) = self.victim(candidates);
        let victim = moves_to.unwrap_or(place);
        if estimate <= self.rows[victim].count {
            self.grow(shadow);
            return Lookup::Nothing;
        }
        self.rows[shadow].shadow = 0;
        let evicted = self.rows[victim].count;
        self.leave_shadow(victim);
        if let Some(to) = moves_to {
            (self.rows[to].tag, self.rows[to].count) =
                (self.rows[place].tag, self.rows[place].count);
        }
        (self.rows[place].tag, self.rows[place].count) = (tag, estimate);
        match evicted {
            0 => Lookup::Inserted,
            _ => Lookup::Replaced { evicted },
        }
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

    /// A shadow's count grows by 1.
    fn grow(&mut self, row: usize) {
        if self.rows[row].shadow == MOST {
            if self.k < LARGEST {
                self.k += 1;
                for row in &mut self.rows {
                    row.shadow /= 2;
                }
            }
            return;
        }
        self.rows[row].shadow += 1;
    }

    /// The path in a row is evicted: the row's shadow becomes its own if it is not less than the one there.
    fn leave_shadow(&mut self, row: usize) {
        let evicted = self.rows[row];
        let shadow = (evicted.count >> self.k).min(u32::from(MOST)) as u8;
        if evicted.count > 0 && shadow > 0 && shadow >= evicted.shadow {
            let path = evicted.tag.descriptor(self.layout);
            self.rows[row].fingerprint = self.places.fingerprint(&path);
            self.rows[row].shadow = shadow;
        }
    }
}

#[cfg(test)]
mod tests;
