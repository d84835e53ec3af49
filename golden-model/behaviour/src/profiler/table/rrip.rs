//! Re-reference interval prediction (RRIP): the entry whose predicted next use is furthest ahead is evicted.
//!
//! As many entries as the [hot path table](super::HotPathTable) of any policy, but every way has its own hash, and each entry carries a *value* of two bits:
//! 3 for one that has been used again, less the longer ago that was.
//!
//! - *Hit*: the accumulator grows, and the value is 3.
//! - *Miss with a count of 0*: nothing.
//! - *Miss, a candidate row is empty*: the path takes the first such row, with its count and the value 1.
//! - *Miss otherwise*: the entry with the least value among the candidates, the lowest way of equals, leaves. That value is subtracted from those of the
//!   others, and the path takes the row, with its count and the value 1.
//!
//! A path that came once is evicted before one that was hit again, and paths that the program no longer uses are
//! evicted soon. Evicted entries have exact counts: with those in the table they add up to all completed paths.
//!
//! Source: Jaleel et al., *High performance cache replacement using re-reference interval prediction (RRIP)*, ISCA 2010, section 4 (static prediction with hit priority, two bits; counted
//! the other way round here, so that 0 leaves at once).

use super::accumulator::Accumulator;
use super::policy::record_each;
use super::skewed::{Folded, MOST_WAYS, Places, Skewed};
use super::tag::{Evicted, Layout, LongTag, Tag};
use super::{Admission, Lookup, Policy, TableEntry, TableTally};
use crate::config::Geometry;
use crate::path::{CompletedPath, PathDescriptor, Repeated};

/// Bits of a value.
pub const VALUE_BITS: u32 = 2;

/// The value of an entry that was used again.
pub const USED_AGAIN: u8 = (1 << VALUE_BITS) - 1;

/// The value of an entry that is new.
pub const NEW: u8 = 1;

/// A row of a way.
#[derive(Clone, Copy, Debug, Default)]
struct Row {
    tag: LongTag,
    /// The accumulator; 0 if the row is empty.
    count: u32,
}

impl Row {
    const fn is_used(&self) -> bool {
        self.count > 0
    }

    fn entry(&self, layout: Layout) -> TableEntry {
        self.tag.entry(layout, self.count)
    }
}

/// What [`RripTable::standings`] has of an empty row; of another, one more than its value.
const EMPTY: u8 = 0;

/// The table.
///
/// ```
/// use hpp_golden::config::Geometry;
/// use hpp_golden::path::{CompletedPath, PathDescriptor};
/// use hpp_golden::profiler::{Lookup, Policy, RripTable};
///
/// let path = |start| CompletedPath { descriptor: PathDescriptor::new(start), count: 1 };
/// let mut table = RripTable::new(&Geometry { sets: 2, ways: 1, ..Geometry::default() });
/// let leaves = |lookup| matches!(lookup, Lookup::Replaced { .. });
/// // Two rows, and paths that meet in them: all but two leave.
/// let left = (0..10).filter(|start| leaves(table.record(&path(4 * start)))).count();
/// assert_eq!(left, 8);
/// ```
#[derive(Clone, Debug)]
pub struct RripTable {
    rows: Box<[Row]>,
    /// Of each row, how it stands when one is to leave: the least first.
    standings: Box<[u8]>,
    ways: usize,
    places: Places,
    layout: Layout,
    accumulator: Accumulator,
}

impl RripTable {
    /// An empty table of this geometry, which must be valid.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            rows: vec![Row::default(); geometry.entries() as usize].into(),
            standings: vec![EMPTY; geometry.entries() as usize].into(),
            ways: geometry.ways as usize,
            places: Places::new(geometry),
            layout: Layout::new(geometry),
            accumulator: Accumulator::new(geometry),
        }
    }

    /// The numbers of the entries in which a path may be, way by way.
    fn candidates(&self, path: &PathDescriptor) -> impl Iterator<Item = usize> + use<> {
        self.places.candidates(path, self.ways)
    }

    /// [`miss`](Skewed::miss) for a number of ways known to the compiler.
    #[inline(always)]
    fn miss_in<E: Evicted, const WAYS: usize>(
        &mut self,
        path: &CompletedPath,
        folded: Folded,
    ) -> (Lookup<E>, Admission) {
        let mut candidates = [0; WAYS];
        self.places.candidates_into(folded, &mut candidates);
        self.take(&candidates, path)
    }

    /// A path takes the first empty row among its candidates, or the one with the least value.
    #[inline(always)]
    fn take<E: Evicted>(
        &mut self,
        candidates: &[usize],
        path: &CompletedPath,
    ) -> (Lookup<E>, Admission) {
        // In one number, since a branch on how a row stands is hard to foresee: by standing, then by way.
        let mut first = usize::MAX;
        for (way, &number) in candidates.iter().enumerate() {
            first = first.min(usize::from(self.standings[number]) << 8 | way);
        }
        let (least, victim) = ((first >> 8) as u8, candidates[first & 0xff]);
        let new = Row {
            tag: LongTag::new(self.layout, &path.descriptor),
            count: path.count,
        };
        let evicted = core::mem::replace(&mut self.rows[victim], new);
        if least == EMPTY {
            self.standings[victim] = 1 + NEW;
            return (Lookup::Inserted, Admission::Inserted(victim));
        }
        for &number in candidates {
            self.standings[number] -= least - 1;
        }
        self.standings[victim] = 1 + NEW;
        let evicted = E::new(evicted.tag, self.layout, evicted.count);
        let (at, moved) = (victim, None);
        (
            Lookup::Replaced { evicted },
            Admission::Promoted { at, moved },
        )
    }
}

impl Policy for RripTable {
    fn clear(&mut self) {
        self.rows.fill(Row::default());
        self.standings.fill(EMPTY);
    }

    #[inline]
    fn look_up<E: Evicted, const RESTARTS: bool>(&mut self, path: &CompletedPath) -> Lookup<E> {
        let tag = LongTag::new(self.layout, &path.descriptor);
        let mut candidates = self.candidates(&path.descriptor);
        match candidates.find(|&number| self.rows[number].tag == tag) {
            Some(number) => self.hit::<_, RESTARTS>(number, path.count),
            None => self.miss(path, self.fold(path), true).0,
        }
    }

    /// Not inlined into other crates, which are compiled in more parts: there it takes a fifth longer.
    fn record_all(&mut self, paths: &[CompletedPath]) -> TableTally {
        record_each(self, paths)
    }

    fn record_repeated(&mut self, paths: &[Repeated]) -> TableTally {
        let mut tally = TableTally::default();
        for Repeated { path, times } in paths {
            let lookup = self.record(path);
            tally.add_repeated(lookup, *times);
            let again = u64::from(path.count) * (u64::from(*times) - 1);
            if again > 0 {
                // More than an accumulator holds fills it as well.
                let count = u32::try_from(again).unwrap_or(u32::MAX);
                let descriptor = path.descriptor;
                let more = self.record(&CompletedPath { descriptor, count });
                tally.accumulator_saturated |= more == Lookup::Hit { saturated: true };
            }
        }
        tally
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
        let mut candidates = self.candidates(path);
        candidates.find(|&number| self.rows[number].tag == tag && self.rows[number].is_used())
    }
}

impl Skewed for RripTable {
    #[inline(always)]
    fn draw(&mut self) -> bool {
        true
    }

    #[inline(always)]
    fn hit<E: Evicted, const RESTARTS: bool>(&mut self, number: usize, count: u32) -> Lookup<E> {
        let (row, layout) = (&mut self.rows[number], self.layout);
        let evicted = |count| E::new(row.tag, layout, count);
        let grow = Accumulator::grow::<RESTARTS, _>;
        let lookup = grow(self.accumulator, &mut row.count, count.into(), evicted);
        self.standings[number] = 1 + USED_AGAIN;
        lookup
    }

    #[inline]
    fn fold(&self, path: &CompletedPath) -> Folded {
        self.places.fold(&path.descriptor)
    }

    #[inline(always)]
    fn miss<E: Evicted>(
        &mut self,
        path: &CompletedPath,
        folded: Folded,
        _: bool,
    ) -> (Lookup<E>, Admission) {
        if path.count == 0 {
            return (Lookup::Nothing, Admission::None);
        }
        match self.ways {
            2 => self.miss_in::<E, 2>(path, folded),
            4 => self.miss_in::<E, 4>(path, folded),
            8 => self.miss_in::<E, 8>(path, folded),
            16 => self.miss_in::<E, 16>(path, folded),
            ways => {
                let mut all = [0; MOST_WAYS];
                let candidates = &mut all[..ways];
                self.places.candidates_into(folded, candidates);
                self.take(candidates, path)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn path(number: u64) -> CompletedPath {
        CompletedPath {
            descriptor: PathDescriptor::new(4 * number),
            count: 1,
        }
    }

    /// Paths that have the row of path 0 in every way, by a search.
    fn rivals(table: &RripTable, many: usize) -> Vec<CompletedPath> {
        let rows: Vec<_> = table.candidates(&path(0).descriptor).collect();
        let same = |path: &CompletedPath| table.candidates(&path.descriptor).eq(rows.clone());
        (0..).map(path).filter(same).take(many).collect()
    }

    #[test]
    fn values_are_those_of_the_policy() {
        let mut table = RripTable::new(&Geometry {
            sets: 2,
            ways: 3,
            ..Geometry::default()
        });
        let paths = rivals(&table, 7);
        let rows: Vec<_> = table.candidates(&paths[0].descriptor).collect();
        let values = |table: &RripTable| {
            [0, 1, 2].map(|way: usize| table.standings[rows[way]].saturating_sub(1))
        };
        let mut record = |number: usize| {
            table.record(&paths[number]);
            values(&table)
        };
        assert_eq!(
            [record(0), record(1), record(2)],
            [[1, 0, 0], [1, 1, 0], [1, 1, 1]]
        );
        assert_eq!(record(1), [1, 3, 1], "a hit");
        assert_eq!(record(3), [1, 2, 0], "the first of the least leaves");
        assert_eq!(record(4), [1, 2, 1], "the least leaves");
        assert_eq!(record(5), [1, 1, 0]);
        assert_eq!(record(1), [1, 3, 0]);
    }
}
