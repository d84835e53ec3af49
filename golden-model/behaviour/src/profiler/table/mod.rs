//! The hot path table: a small memory that keeps the paths that count most, `sets` x `ways` entries of a descriptor and an accumulator.
//!
//! A policy ([`Replacement`]) decides what happens to a path that is not in it. Each is a file here that
//! implements `Policy`, and a variant of `Any`.

mod entries;
mod lfsr;
mod lfu;
mod lookup;
pub mod rrip;
pub mod shadow;
pub mod skewed;

pub use lookup::{Admission, Lookup, TableTally};
pub use shadow::Shadows;
pub(crate) use skewed::row_index;
pub use skewed::set_index;

use entries::Entries;
use lfu::Lfu;
use rrip::Ages;
use skewed::{Folded, MOST_WAYS};

use crate::config::{Geometry, Replacement};
use crate::path::{CompletedPath, Numbered, PathDescriptor, Repeated};

/// An entry of the table in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TableEntry {
    /// Which path.
    pub descriptor: PathDescriptor,
    /// Its accumulator, never 0.
    pub count: u32,
}

/// A path that counts something and was not found.
#[derive(Clone, Copy)]
struct Miss<'a> {
    entries: &'a Entries,
    /// The entries in which it may be, way by way.
    candidates: &'a [usize],
    path: &'a CompletedPath,
}

impl Miss<'_> {
    /// The first candidate that is empty.
    #[inline(always)]
    fn empty(self) -> Option<usize> {
        let mut all = self.candidates.iter().copied();
        all.find(|&number| self.entries.count(number) == 0)
    }
}

/// What a policy keeps beside the entries, and what it does with a path.
trait Policy {
    /// The table is emptied. Values of an empty entry are never read, so they may stay.
    fn clear(&mut self) {}

    /// Called before each lookup. Returns whether the path, if it misses, may replace another.
    #[inline]
    fn draw(&mut self) -> bool {
        true
    }

    /// The path of an entry was found.
    #[inline]
    fn hit(&mut self, _number: usize) {}

    /// What becomes of a path that was not found, and with which count it begins in the entry that it takes. `drawn` is what [`draw`](Self::draw) said.
    fn miss(&mut self, miss: Miss<'_>, drawn: bool) -> (Admission, u32);
}

/// A policy: the one place that distinguishes them.
#[derive(Clone, Debug)]
enum Any {
    Lfu(Lfu),
    Shadow(Shadows),
    Rrip(Ages),
}

impl Any {
    fn new(geometry: &Geometry, seed: u32) -> Self {
        match geometry.replacement {
            Replacement::Lfu => Self::Lfu(Lfu),
            Replacement::Shadow => Self::Shadow(Shadows::new(geometry, seed)),
            Replacement::Rrip => Self::Rrip(Ages::new(geometry)),
        }
    }
}

/// Calls a method of the policy, whichever it is.
macro_rules! with_policy {
    ($any:expr, $method:ident($($argument:expr),*)) => {
        match $any {
            Any::Lfu(policy) => policy.$method($($argument),*),
            Any::Shadow(policy) => policy.$method($($argument),*),
            Any::Rrip(policy) => policy.$method($($argument),*),
        }
    };
}

/// The hot path table.
#[derive(Clone, Debug)]
pub struct HotPathTable {
    geometry: Geometry,
    entries: Entries,
    policy: Any,
    frozen: bool,
}

impl HotPathTable {
    /// An empty table of this geometry, which must be valid. If its policy draws, its chances are those of
    /// [`DEFAULT_SEED`](shadow::DEFAULT_SEED).
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        Self::seeded(geometry, shadow::DEFAULT_SEED)
    }

    /// An empty table of this geometry, which must be valid; `seed` says what a policy that draws begins with.
    #[must_use]
    pub fn seeded(geometry: &Geometry, seed: u32) -> Self {
        Self {
            geometry: *geometry,
            entries: Entries::new(geometry),
            policy: Any::new(geometry, seed),
            frozen: false,
        }
    }

    /// A frozen table takes no paths; it can be read and cleared.
    pub const fn set_frozen(&mut self, frozen: bool) {
        self.frozen = frozen;
    }

    /// Empties the table.
    pub fn clear(&mut self) {
        self.entries.clear();
        with_policy!(&mut self.policy, clear());
    }

    /// Looks a completed path up and counts it. In a table with a drain, a count that does not fit into its accumulator [restarts](Lookup::Restarted) the entry.
    /// Time proportional to the ways.
    ///
    /// The descriptor must be one that the path stack of this geometry makes: start aligned and within the width of an
    /// address, outcomes at and above `length` 0.
    #[inline(always)]
    pub fn record(&mut self, path: &CompletedPath) -> Lookup {
        self.admit(path).0
    }

    /// [`record`](Self::record), and what the policy did besides.
    #[inline(always)]
    pub fn admit(&mut self, path: &CompletedPath) -> (Lookup, Admission) {
        if self.frozen {
            return (Lookup::Frozen, Admission::None);
        }
        let (drawn, folded) = (self.draw(), self.fold(&path.descriptor));
        match self.entries.find(folded, &path.descriptor) {
            Some(number) => (self.hit(number, path.count), Admission::None),
            None => {
                let (admission, count) = self.miss(folded, path, drawn);
                let evicted = admission.taken().map(|number| self.entry(number));
                self.entries.take(admission, &path.descriptor, count);
                let lookup = match evicted {
                    None => Lookup::Nothing,
                    Some(None) => Lookup::Inserted,
                    Some(Some(evicted)) => Lookup::Replaced { evicted },
                };
                (lookup, admission)
            }
        }
    }

    /// Looks a path up as often as it completed in a row, as [`record`](Self::record) would, again and again. The time does not depend on how often;
    /// with a policy that draws and with a drain it does.
    #[inline]
    pub fn record_repeated(&mut self, Repeated { path, times }: &Repeated) -> TableTally {
        let mut tally = TableTally::default();
        self.record_numbered(&mut Numbered::new(*path), *times, &mut tally);
        tally
    }

    /// Whether a path is in the entry where it was last.
    #[inline(always)]
    pub(super) fn holds(&self, numbered: &Numbered) -> bool {
        (self.entries).holds(numbered.place as usize, &numbered.path.descriptor)
    }

    /// The same of a path that has a number. It is looked for first where it was last: where that holds, a hit takes constant time.
    #[inline(always)]
    pub(super) fn record_numbered(
        &mut self,
        numbered: &mut Numbered,
        times: u32,
        tally: &mut TableTally,
    ) {
        numbered.times += u64::from(times);
        if self.frozen {
            return;
        }
        let path = &numbered.path;
        let mut left = times;
        while left > 0 {
            let (drawn, last) = (self.draw(), numbered.place as usize);
            if !self.entries.holds(last, &path.descriptor) {
                let folded = self.fold(&path.descriptor);
                let Some(at) = self.entries.find(folded, &path.descriptor) else {
                    let (replaces, admission) = self.missed(folded, path, drawn);
                    tally.replacements += u64::from(replaces);
                    match admission.taken() {
                        Some(at) => numbered.place = at as u32,
                        // A policy that does not draw would refuse it each further time, too.
                        None if !self.geometry.replacement.draws() => return,
                        None => {}
                    }
                    left -= 1;
                    continue;
                };
                numbered.place = at as u32;
            }
            // It stays there, so that it is found as often as it completed.
            let found = if self.geometry.has_drain() { 1 } else { left };
            if self.geometry.replacement.draws() {
                (1..found).for_each(|_| _ = self.draw());
            }
            // More than an accumulator holds fills it as well.
            let count = u64::from(path.count) * u64::from(found);
            let count = u32::try_from(count).unwrap_or(u32::MAX);
            tally.add(self.hit(numbered.place as usize, count));
            tally.hits += u64::from(found) - 1;
            left -= found;
        }
    }

    /// Called before each lookup. Returns whether the path, if it misses, may replace another.
    #[inline(always)]
    pub(super) fn draw(&mut self) -> bool {
        with_policy!(&mut self.policy, draw())
    }

    /// Where a path may be.
    #[inline]
    pub(super) fn fold(&self, path: &PathDescriptor) -> Folded {
        self.entries.places.fold(path)
    }

    /// The path of this entry completed.
    #[inline(always)]
    pub(super) fn hit(&mut self, number: usize, count: u32) -> Lookup {
        with_policy!(&mut self.policy, hit(number));
        self.entries.grow(number, count)
    }

    /// What becomes of a path that completed and is not in the table, and with which count it begins.
    #[inline(always)]
    fn miss(&mut self, folded: Folded, path: &CompletedPath, drawn: bool) -> (Admission, u32) {
        if path.count == 0 {
            return (Admission::None, 0);
        }
        let mut all = [0; MOST_WAYS];
        let candidates = self.entries.places.fill(folded, &mut all);
        let entries = &self.entries;
        let miss = Miss {
            entries,
            candidates,
            path,
        };
        with_policy!(&mut self.policy, miss(miss, drawn))
    }

    /// A path that is not in the table completed. Returns whether it replaced another.
    #[inline(always)]
    pub(super) fn missed(
        &mut self,
        folded: Folded,
        path: &CompletedPath,
        drawn: bool,
    ) -> (bool, Admission) {
        let (admission, count) = self.miss(folded, path, drawn);
        let victim = admission.taken();
        let replaces = victim.is_some_and(|number| self.entries.count(number) > 0);
        self.entries.take(admission, &path.descriptor, count);
        (replaces, admission)
    }

    /// The entry with number `row * ways + way`, `None` if that way is empty or there is none.
    pub fn entry(&self, number: usize) -> Option<TableEntry> {
        self.entries.get(number)
    }

    /// The number of the entry that holds a path. Time proportional to the ways.
    pub fn find(&self, path: &PathDescriptor) -> Option<usize> {
        self.entries.find(self.fold(path), path)
    }

    /// The entries in use with their numbers, in ascending order.
    pub fn entries(&self) -> impl Iterator<Item = (usize, TableEntry)> {
        let numbers = 0..self.geometry.entries() as usize;
        numbers.filter_map(|number| Some((number, self.entry(number)?)))
    }

    /// The shadows, if the geometry asks for them.
    pub const fn shadow(&self) -> Option<&Shadows> {
        match &self.policy {
            Any::Shadow(shadows) => Some(shadows),
            _ => None,
        }
    }

    /// The words in which software reads the entry: start, outcomes (low words first), length, accumulator.
    /// All are 0 if the way is empty.
    pub fn words(&self, number: usize) -> impl Iterator<Item = u32> + use<> {
        entry_words(&self.geometry, self.entry(number))
    }
}

/// The words in which software reads an entry; all 0 for none. Where outcomes are marked, bit 0 of the start is 1.
pub fn entry_words(
    geometry: &Geometry,
    entry: Option<TableEntry>,
) -> impl Iterator<Item = u32> + use<> {
    let (descriptor, count) =
        entry.map_or((PathDescriptor::default(), 0), |e| (e.descriptor, e.count));
    let PathDescriptor {
        start,
        length,
        outcomes,
    } = descriptor;
    let marked = geometry.marks_outcomes();
    let mark = u64::from(marked && count > 0);
    let outcomes = match mark {
        0 => outcomes,
        _ => geometry.marked(length, outcomes),
    };
    split_words(start | mark, geometry.start_words())
        .chain(split_words(outcomes, geometry.outcome_words()))
        .chain((!marked).then_some(length))
        .chain([count])
}

/// The low `words` 32-bit words of `value`, low word first.
fn split_words(value: u64, words: u32) -> impl Iterator<Item = u32> {
    (0..words).map(move |word| (value >> (32 * word)) as u32)
}
