//! The whole profiler: a record in; paths, table, counters and registers out.

mod access;

use thiserror::Error;

use crate::branch::BranchRecord;
use crate::config::{Geometry, GeometryError};
use crate::path::{CompletedPath, Numbered};
use crate::profiler::counters::Counters;
use crate::profiler::drain::Drain;
use crate::profiler::queue::{BranchQueue, Offer, QueuedRecord};
use crate::profiler::register_file::RegisterFile;
use crate::profiler::reset::{ResetError, ResetValues};
use crate::profiler::stack::{PathStack, StackTally};
use crate::profiler::table::{HotPathTable, TableEntry, TableTally};
use crate::profiler::triggers::Triggers;
use crate::registers::{Counter, errors};

/// Why a profiler cannot be built.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ProfilerError {
    /// Its geometry is impossible.
    #[error(transparent)]
    Geometry(#[from] GeometryError),
    /// A reset value does not fit.
    #[error(transparent)]
    Reset(#[from] ResetError),
}

/// A hardware path profiler.
///
/// ```
/// use hpp_golden::branch::{BranchKind, BranchRecord};
/// use hpp_golden::config::Geometry;
/// use hpp_golden::profiler::{Profiler, ResetValues};
///
/// let mut profiler = Profiler::new(&Geometry::default(), &ResetValues::enabled())?;
/// let latch = BranchRecord {
///     kind: BranchKind::Backward, taken: true, target: 0x8000_0010, next: 0x8000_0030, events: 6,
/// };
/// assert_eq!(profiler.profile(&latch), None); // the first record only starts a path
/// for _ in 0..99 {
///     let path = profiler.profile(&latch).expect("a loop iteration");
///     assert_eq!(path.descriptor.to_string(), "0x80000010:T");
/// }
/// let (_, hottest) = profiler.table().entries().next().expect("an entry");
/// assert_eq!(hottest.count, 99);
/// # Ok::<(), hpp_golden::profiler::ProfilerError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Profiler {
    geometry: Geometry,
    reset: ResetValues,
    registers: RegisterFile,
    harts: Vec<Hart>,
    table: HotPathTable,
    drain: Option<Drain>,
    triggers: Option<Triggers>,
    counters: Counters,
    clearing: bool,
}

/// What each hart has of its own.
#[derive(Clone, Debug)]
struct Hart {
    queue: BranchQueue,
    stack: PathStack,
}

impl Profiler {
    /// A profiler just out of reset.
    ///
    /// # Errors
    ///
    /// The first parameter or reset value found to be impossible, with what is allowed.
    pub fn new(geometry: &Geometry, reset: &ResetValues) -> Result<Self, ProfilerError> {
        geometry.validate()?;
        reset.validate(geometry)?;
        Ok(Self::build(geometry, reset))
    }

    fn build(geometry: &Geometry, reset: &ResetValues) -> Self {
        let mut profiler = Self {
            geometry: *geometry,
            reset: *reset,
            registers: RegisterFile::new(geometry, reset),
            harts: (0..geometry.harts)
                .map(|_| Hart {
                    queue: BranchQueue::new(geometry),
                    stack: PathStack::new(geometry, reset.ppcr()),
                })
                .collect(),
            table: HotPathTable::seeded(geometry, reset.seed),
            drain: Drain::starting(geometry, reset.counters),
            triggers: Triggers::new(geometry),
            counters: Counters::starting(geometry, reset.counters),
            clearing: false,
        };
        profiler.apply_controls();
        profiler
    }

    /// Back to the state after reset.
    pub fn reset(&mut self) {
        *self = Self::build(&self.geometry, &self.reset);
    }

    /// A record of a hart, without its number, arrives at the hart's queue. One that was refused before, and is not this one, is lost.
    ///
    /// # Panics
    ///
    /// If there is no such hart; the first is 0. [`step`](Self::step) does the same.
    #[inline]
    pub fn offer(&mut self, hart: usize, record: &BranchRecord) -> Offer {
        let record = &BranchRecord {
            target: self.geometry.in_hart(record.target, hart),
            ..*record
        };
        let queue = &mut self.harts[hart].queue;
        let gone = queue.watch(Some(record));
        let offer = match &mut self.triggers {
            None => queue.offer(record),
            Some(triggers) => triggers.offer(queue, record),
        };
        if offer == Offer::Accepted {
            self.counters.add(Counter::Records, 1);
        }
        if gone || offer == Offer::Lost {
            self.lose();
        }
        offer
    }

    /// The inputs `trigger_start` and `trigger_stop` in a cycle, after its record; without triggers they do nothing.
    #[inline]
    pub fn signal(&mut self, start: bool, stop: bool) {
        if let Some(triggers) = &mut self.triggers {
            triggers.signal(start, stop);
        }
    }

    fn lose(&mut self) {
        self.counters.add(Counter::LostRecords, 1);
        self.registers.raise(errors::RECORDS_LOST);
    }

    /// Processes the oldest record that waits in a hart's queue and returns the path it completes, if any. The table gets the paths of all harts in
    /// the order of these calls.
    #[inline]
    pub fn step(&mut self, hart: usize) -> Option<CompletedPath> {
        let QueuedRecord { record, purge } = self.harts[hart].queue.take()?;
        self.detect(hart, &record, purge)
    }

    #[inline]
    fn detect(&mut self, hart: usize, record: &BranchRecord, purge: bool) -> Option<CompletedPath> {
        let stack = &mut self.harts[hart].stack;
        if purge {
            stack.purge();
        }
        let path = stack.step(record);
        let tally = stack.take_tally();
        self.count_tally(tally);
        if let Some(path) = &path {
            self.count_paths(1);
            self.look_up(path);
        }
        path
    }

    /// A record of the first hart in, the oldest one processed: with an empty queue, this record.
    #[inline]
    pub fn profile(&mut self, record: &BranchRecord) -> Option<CompletedPath> {
        // Through the memory of the queue a record takes more time than all else.
        if self.triggers.is_none()
            && let Some(purge) = self.harts[0].queue.pass()
        {
            self.counters.add(Counter::Records, 1);
            return self.detect(0, record, purge);
        }
        if self.harts[0].queue.is_full() {
            let path = self.step(0);
            self.offer(0, record);
            return path;
        }
        self.offer(0, record);
        self.step(0)
    }

    /// Takes the paths that a path stack beside this profiler made of `records` records: `paths` has them in order, each as its number and how often it
    /// completed in a row. The profiler's own stack stays as it is. Table, counters, drain and triggers become what [`profile`](Self::profile) would
    /// make of the records in an enabled profiler.
    ///
    /// # Panics
    ///
    /// If no path has one of the numbers.
    pub fn complete(
        &mut self,
        records: u64,
        tally: StackTally,
        numbered: &mut [Numbered],
        paths: impl IntoIterator<Item = (u32, u32)>,
    ) {
        self.counters.add(Counter::Records, records);
        self.count_tally(tally);
        let (mut all, mut tally) = (0, TableTally::default());
        for (number, times) in paths {
            let numbered = &mut numbered[number as usize];
            all += u64::from(times);
            if self.drain.is_some() {
                numbered.times += u64::from(times);
                (0..times).for_each(|_| self.look_up(&numbered.path));
            } else {
                self.table.record_numbered(numbered, times, &mut tally);
            }
        }
        self.count_paths(all);
        self.count_lookups(tally);
    }

    /// Takes paths as [`complete`](Self::complete) does, in any order, and returns true: if the table holds all of them, they change nothing but
    /// accumulators. If it does not, or has a drain, to which their order matters, takes none and returns false.
    ///
    /// # Panics
    ///
    /// If no path has one of the numbers.
    pub fn complete_all(
        &mut self,
        numbered: &mut [Numbered],
        paths: impl Iterator<Item = (u32, u32)> + Clone,
    ) -> bool {
        let is_held = |(number, _)| self.table.holds(&numbered[number as usize]);
        let is_free = self.drain.is_none() && paths.clone().all(is_held);
        if is_free {
            self.complete(0, StackTally::default(), numbered, paths);
        }
        is_free
    }

    /// Looks a path up. A drain that holds the core takes every entry: the model has no clock in which the core could wait.
    #[inline]
    fn look_up(&mut self, path: &CompletedPath) {
        let lookup = self.table.record(path);
        if let (Some(drain), Some(entry)) = (&mut self.drain, lookup.evicted()) {
            if drain.holds() {
                drain.push(entry);
            } else if !drain.offer(entry) {
                self.registers.raise(errors::DRAIN_LOST);
            }
        }
        self.count_lookups(lookup.into());
    }

    #[inline]
    fn count_lookups(&mut self, tally: TableTally) {
        self.counters.add(Counter::Hits, tally.hits);
        self.counters.add(Counter::Replacements, tally.replacements);
        if tally.accumulator_saturated {
            self.registers.raise(errors::ACCUMULATOR_SATURATED);
        }
    }

    #[inline]
    fn count_paths(&mut self, paths: u64) {
        self.counters.add(Counter::Paths, paths);
        if let Some(triggers) = &mut self.triggers {
            triggers.complete(paths);
        }
    }

    #[inline]
    fn count_tally(&mut self, tally: StackTally) {
        self.counters.add(Counter::Splits, tally.splits);
        self.counters.add(Counter::Underflows, tally.underflows);
        self.counters.add(Counter::Overflows, tally.overflows);
        self.counters.add_repairs(tally.repairs);
        if tally.event_counter_saturated && self.geometry.counts_events() {
            self.registers.raise(errors::EVENT_COUNTER_SATURATED);
        }
    }

    /// The sizes it was built with.
    pub const fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    /// The branch queue of the first hart.
    pub fn queue(&self) -> &BranchQueue {
        &self.harts[0].queue
    }

    /// The path stack of the first hart.
    pub fn stack(&self) -> &PathStack {
        &self.harts[0].stack
    }

    /// The hot path table.
    pub const fn table(&self) -> &HotPathTable {
        &self.table
    }

    /// The drain, if the geometry has one.
    pub const fn drain(&self) -> Option<&Drain> {
        self.drain.as_ref()
    }

    /// The triggers, if the geometry has them.
    pub const fn triggers(&self) -> Option<&Triggers> {
        self.triggers.as_ref()
    }

    /// Takes the oldest of the entries that left the table out of the drain.
    pub fn take_left(&mut self) -> Option<TableEntry> {
        self.drain.as_mut()?.take()
    }

    /// The statistics counters.
    pub const fn counters(&self) -> &Counters {
        &self.counters
    }

    /// The registers.
    pub const fn registers(&self) -> &RegisterFile {
        &self.registers
    }
}
