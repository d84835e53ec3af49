//! The path stack: turns branch records into completed paths.
//!
//! An entry holds the path its procedure is currently on: a descriptor, an event counter that saturates, and the
//! number of backward branches or calls the path has extended across. A record acts on the top entry as the row of
//! its kind says: update, then (if the path is now as long as it may be) split, then pop, then push. At most one
//! path leaves for each record. A step takes constant time; the stack is a ring, so dropping its oldest entry costs
//! nothing. A checked stack may drop entries at a return (`frames`), in time linear in its depth.
//!
//! Source: Vaswani's thesis, sections 5.2 and 5.3; `docs/behaviour.md` lists the corners.

use std::collections::VecDeque;

use crate::branch::{BranchKind, BranchRecord};
use crate::config::Geometry;
use crate::path::{CompletedPath, PathDescriptor};
use crate::profiler::context::ContextFilter;
use crate::profiler::frames::{Frame, Frames, only_fitting};
use crate::profiler::ppcr::{BackwardNotTaken, Extension, Metric, Ppcr};
use crate::profiler::rows::Operation;

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
    #[inline]
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

/// What a record does to the entry on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// The path it completes, if that is shown.
    pub path: Option<CompletedPath>,
    /// What becomes of the stack.
    pub then: Then,
    /// The path was split at the maximum length.
    pub splits: bool,
    /// The events did not fit into the event counter.
    pub saturates: bool,
}

/// What a record makes of the stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// Another entry is on top, in the same place.
    Stays(StackEntry),
    /// The entry goes on as `below`, and another is pushed above it; a full stack drops its oldest.
    Pushes {
        /// The entry that was on top, as the record leaves it.
        below: StackEntry,
        /// The entry that is pushed.
        top: StackEntry,
    },
    /// The entry is popped. If it was the only one, that is an underflow, and the stack begins again.
    Pops {
        /// The entry it begins again with.
        restarted: StackEntry,
    },
}

/// The path stack and the detector around it.
#[derive(Clone, Debug)]
pub struct PathStack {
    geometry: Geometry,
    ppcr: Ppcr,
    filter: ContextFilter,
    /// From the oldest to the top, each with its frame. The entry that the stack began with has none that is known.
    entries: VecDeque<(StackEntry, Option<Frame>)>,
    /// The context to which the last record led, where an address has it.
    context: u64,
    tally: StackTally,
}

impl PathStack {
    /// An empty stack of this geometry, which must be valid.
    #[must_use]
    pub fn new(geometry: &Geometry, ppcr: Ppcr) -> Self {
        Self {
            geometry: *geometry,
            ppcr,
            filter: ContextFilter::default(),
            entries: VecDeque::with_capacity(geometry.stack_depth as usize + 1),
            context: 0,
            tally: StackTally::default(),
        }
    }

    /// The control register in force.
    pub const fn ppcr(&self) -> &Ppcr {
        &self.ppcr
    }

    /// Changes the control register from the next record on; entries stay as they are.
    pub const fn set_ppcr(&mut self, ppcr: Ppcr) {
        self.ppcr = ppcr;
    }

    /// Changes which contexts' paths are shown from the next record on.
    pub const fn set_filter(&mut self, filter: ContextFilter) {
        self.filter = filter;
    }

    /// How many entries there may be.
    pub const fn depth(&self) -> usize {
        self.geometry.stack_depth as usize
    }

    /// Whether returns are held against frames.
    pub const fn is_checked(&self) -> bool {
        self.geometry.stack_check
    }

    /// The frames of a stack like this before its first record, if it is checked.
    pub fn frames(&self) -> Option<Frames> {
        self.is_checked().then(|| Frames::new(&self.geometry))
    }

    /// Entries in use.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry: before the first record, and after a purge.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entries, from the top downwards.
    pub fn entries(&self) -> impl Iterator<Item = &StackEntry> {
        self.entries.iter().rev().map(|(entry, _)| entry)
    }

    /// Drops every entry; none of them completes.
    pub fn purge(&mut self) {
        self.entries.clear();
    }

    /// What happened since the last call.
    pub fn take_tally(&mut self) -> StackTally {
        core::mem::take(&mut self.tally)
    }

    /// Processes one record and returns the path it completes, if any and if it is shown.
    ///
    /// Address and events are cut to the width the geometry gives them.
    // Always inlined: a path handed over in memory, written field by field and read at once as a whole, stalls.
    #[inline(always)]
    pub fn step(&mut self, record: &BranchRecord) -> Option<CompletedPath> {
        let target = self.geometry.start(record.target);
        let path = self.act(record, target);
        self.context = target - self.geometry.address(target);
        path
    }

    /// The steps of a record, in the order and with the names of `docs/behaviour.md`.
    #[inline(always)]
    fn act(&mut self, record: &BranchRecord, target: u64) -> Option<CompletedPath> {
        let Some((top, frame)) = self.entries.back_mut() else {
            self.begin(target);
            return None;
        };
        let ppcr = &self.ppcr;
        let kind = match (record.kind, record.taken, ppcr.backward_not_taken) {
            (BranchKind::Backward, false, BackwardNotTaken::AsForward) => BranchKind::Forward,
            (kind, ..) => kind,
        };
        let row = ppcr.rows[kind];
        let (mut pops, mut pushes) = (row.has(Operation::Pop), row.has(Operation::Push));

        // Extension.
        let extends = match (ppcr.extension, kind) {
            (Extension::Loop, BranchKind::Backward) | (Extension::Procedure, BranchKind::Call) => {
                let extends = top.extension < ppcr.max_extension;
                top.extension += u8::from(extends);
                extends
            }
            (Extension::Procedure, BranchKind::Return) => {
                let returns = top.extension > 0;
                top.extension -= u8::from(returns);
                returns
            }
            _ => false,
        };
        if extends {
            (pops, pushes) = (false, false);
        }

        // The check.
        if self.geometry.stack_check
            && matches!(record.kind, BranchKind::Return | BranchKind::TrapReturn)
            && (pops && !pushes)
            && frame.is_some_and(|frame| !frame.fits(record, &self.geometry))
        {
            self.repair(record, target);
            return None;
        }

        // Update, or update count.
        if row.has(Operation::Update) || row.has(Operation::UpdateCount) {
            let events = u64::from(record.events) & Geometry::mask(self.geometry.event_bits);
            let (sum, most) = (
                u64::from(top.events) + events,
                Geometry::mask(self.geometry.event_counter_bits),
            );
            self.tally.event_counter_saturated |= sum > most;
            top.events = sum.min(most) as u32;
        }
        if row.has(Operation::Update) {
            top.descriptor.record(record.taken);
        }

        // Split, pop, push.
        let splits = !pops && top.descriptor.length == self.geometry.max_branches;
        self.tally.splits += u64::from(splits);
        let path = (splits || pops).then_some(CompletedPath {
            descriptor: top.descriptor,
            count: match ppcr.metric {
                Metric::Executions => 1,
                Metric::Events => top.events,
            },
        });
        if splits || pops && pushes {
            // Another path takes the place of this one, in the same frame.
            let inherited = match ppcr.extension {
                Extension::Procedure => top.extension,
                Extension::None | Extension::Loop => 0,
            };
            *top = StackEntry::new(target, inherited);
        }
        if pops && !pushes {
            self.entries.pop_back();
            if self.entries.is_empty() {
                self.tally.underflows += 1;
                self.begin(target);
            }
        }
        if pushes && !pops {
            if self.entries.len() == self.depth() {
                self.tally.overflows += 1;
                self.entries.pop_front();
            }
            let frame = Frame::pushed(record, self.context, &self.geometry);
            self.entries
                .push_back((StackEntry::new(target, 0), Some(frame)));
        }
        path.filter(|path| {
            let (_, context) = self.geometry.address_and_context(path.descriptor.start);
            self.filter.shows(context)
        })
    }

    /// An empty stack begins at the target.
    #[inline]
    fn begin(&mut self, target: u64) {
        self.entries.push_back((StackEntry::new(target, 0), None));
    }

    /// A return led elsewhere than out of the frame on top.
    #[cold]
    fn repair(&mut self, record: &BranchRecord, target: u64) {
        self.tally.repairs += 1;
        let frames = self.entries.iter().map(|(_, frame)| *frame);
        match only_fitting(frames, record, &self.geometry) {
            Some(lowest) => self.entries.truncate(lowest),
            None => {
                self.entries.clear();
                self.begin(target);
            }
        }
    }

    /// What a record would do with this entry on top, or with an empty stack. Nothing changes. In a stack that is not checked, entry and record alone
    /// decide it, so a simulation that meets both again can look the effect up. In a checked stack they do so unless a return does not fit the frame
    /// on top, which repairs the stack. Constant time.
    pub fn effect(&self, top: Option<&StackEntry>, record: &BranchRecord) -> Effect {
        // In a stack of two that holds this entry alone, the three effects differ: two entries, one, or one and an underflow.
        let geometry = Geometry {
            stack_depth: 2,
            stack_check: false,
            ..self.geometry
        };
        let mut alone = Self::new(&geometry, self.ppcr);
        alone.set_filter(self.filter);
        alone.entries.extend(top.map(|&entry| (entry, None)));
        let path = alone.step(record);
        let then = match (alone.entries.make_contiguous(), alone.tally.underflows) {
            (&mut [(below, _), (top, _)], _) => Then::Pushes { below, top },
            (&mut [(top, _)], 0) => Then::Stays(top),
            (&mut [(restarted, _)], _) => Then::Pops { restarted },
            _ => unreachable!("a record leaves one entry at least, and adds one at most"),
        };
        Effect {
            path,
            then,
            splits: alone.tally.splits > 0,
            saturates: alone.tally.event_counter_saturated,
        }
    }
}
