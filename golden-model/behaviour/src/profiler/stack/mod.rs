//! The path stack: turns branch records into completed paths.
//!
//! An entry holds the path its procedure is currently on: a descriptor, an event counter that saturates, and the
//! number of backward branches or calls the path has extended across. A record acts on the top entry as the row of
//! its kind says: update, then (if the path is now as long as it may be) split, then pop, then push. At most one
//! path leaves for each record. A step takes constant time; the stack is a ring, so dropping its oldest entry costs
//! nothing. A checked stack may drop entries at a return (`frames`), in time linear in its depth.
//!
//! Source: Vaswani's thesis, sections 5.2 and 5.3; `docs/behaviour.md` lists the corners.

mod effect;
mod rules;
mod state;

pub use effect::{Effect, Then};

use crate::branch::BranchRecord;
use crate::config::Geometry;
use crate::path::{CompletedPath, PathDescriptor};
use crate::profiler::context::ContextFilter;
use crate::profiler::frames::{Frames, Unchecked};
use crate::profiler::ppcr::Ppcr;
use rules::Rules;
use state::State;

/// A path under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct StackEntry {
    /// The path so far; shorter than [`max_branches`](Geometry::max_branches) between two records.
    pub descriptor: PathDescriptor,
    /// Events along the path, [`event_counter_bits`](Geometry::event_counter_bits) wide, saturating.
    pub events: u32,
    /// Backward branches the path has crossed, or calls it is inside of.
    pub extension: u8,
}

impl StackEntry {
    const fn new(start: u64, extension: u8) -> Self {
        Self {
            descriptor: PathDescriptor::new(start),
            events: 0,
            extension,
        }
    }
}

/// What happened on the stack since the last [`PathStack::take_tally`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StackTally {
    /// Paths split at the maximum length.
    pub splits: u64,
    /// Pops that left the stack empty.
    pub underflows: u64,
    /// Pushes that dropped the oldest entry.
    pub overflows: u64,
    /// Returns that went elsewhere than the frame on top was to return to; only a checked stack counts them.
    pub repairs: u64,
    /// Events did not fit into an event counter.
    pub event_counter_saturated: bool,
}

/// The path stack and the detector around it.
#[derive(Clone, Debug)]
pub struct PathStack {
    /// The entries below the top, in a ring: an entry stays where it was pushed. Its size is a power of two.
    ring: Box<[StackEntry]>,
    state: State,
    /// The frames, if they are checked.
    frames: Option<Frames>,
    rules: Rules,
    ppcr: Ppcr,
    geometry: Geometry,
}

/// Paths that [`PathStack::run`] hands over at once, at most.
pub const BATCH: usize = 256;

impl PathStack {
    /// An empty stack of this geometry, which must be valid.
    #[must_use]
    pub fn new(geometry: &Geometry, ppcr: Ppcr) -> Self {
        Self {
            ring: vec![StackEntry::default(); geometry.stack_depth as usize].into(),
            state: State::default(),
            frames: geometry.stack_check.then(|| Frames::new(geometry)),
            rules: Rules::new(&ppcr, geometry),
            ppcr,
            geometry: *geometry,
        }
    }

    /// The control register in force.
    #[must_use]
    pub const fn ppcr(&self) -> &Ppcr {
        &self.ppcr
    }

    /// Changes the control register from the next record on; entries stay as they are.
    pub fn set_ppcr(&mut self, ppcr: Ppcr) {
        self.rules.set_ppcr(&ppcr, &self.geometry);
        self.ppcr = ppcr;
    }

    /// Changes which contexts' paths are shown from the next record on.
    pub const fn set_filter(&mut self, filter: ContextFilter) {
        self.rules.set_filter(filter, &self.geometry);
    }

    /// How many entries there may be.
    #[must_use]
    pub const fn depth(&self) -> usize {
        self.ring.len()
    }

    /// Entries in use.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.state.occupancy
    }

    /// Whether there is no entry: before the first record, and after a purge.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.state.occupancy == 0
    }

    /// The entries, from the top downwards.
    pub fn entries(&self) -> impl Iterator<Item = &StackEntry> {
        let State {
            top,
            place,
            occupancy,
            ..
        } = &self.state;
        let below = move |depth| &self.ring[place.wrapping_sub(depth) & (self.ring.len() - 1)];
        (0..*occupancy).map(move |depth| if depth == 0 { top } else { below(depth) })
    }

    /// Drops every entry; none of them completes.
    pub const fn purge(&mut self) {
        self.state.occupancy = 0;
    }

    /// What happened since the last call.
    pub fn take_tally(&mut self) -> StackTally {
        core::mem::take(&mut self.state.tally)
    }

    /// Processes one record and returns the path it completes, if any.
    ///
    /// Address and events are cut to the width the geometry gives them. Constant time.
    // Always inlined: a path handed over in memory, written field by field and read at once as a whole, stalls.
    #[inline(always)]
    pub fn step(&mut self, record: &BranchRecord) -> Option<CompletedPath> {
        let mut path = CompletedPath::default();
        let completes = match &mut self.frames {
            None => {
                let ring = &mut self.ring;
                self.state
                    .step(&self.rules, ring, &mut Unchecked, record, &mut path)
            }
            Some(frames) => {
                let ring = &mut self.ring;
                self.state
                    .step(&self.rules, ring, frames, record, &mut path)
            }
        };
        (completes && self.rules.shows(&path)).then_some(path)
    }

    /// Processes records in their order, as [`step`](Self::step) would one by one, and hands over the paths they complete,
    /// in order and at most [`BATCH`] at once.
    #[inline]
    pub fn run(&mut self, records: &[BranchRecord], mut sink: impl FnMut(&[CompletedPath])) {
        let mut paths = [CompletedPath::default(); BATCH];
        for records in records.chunks(BATCH) {
            let completed = self.run_batch(records, &mut paths);
            sink(&paths[..completed]);
        }
    }

    /// Processes at most [`BATCH`] records; how many paths they completed.
    fn run_batch(&mut self, records: &[BranchRecord], paths: &mut [CompletedPath; BATCH]) -> usize {
        let (rules, ring) = (&self.rules, &mut self.ring);
        let completed = match &mut self.frames {
            None => self
                .state
                .run(rules, ring, &mut Unchecked, (records, paths)),
            Some(frames) => self.state.run(rules, ring, frames, (records, paths)),
        };
        if rules.show_all() {
            completed
        } else {
            rules.keep_shown(&mut paths[..completed])
        }
    }
}
