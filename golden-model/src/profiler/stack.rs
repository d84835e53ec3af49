//! The path stack: turns branch records into completed paths.
//!
//! An entry holds the path its procedure is currently on: a descriptor, an event counter that saturates, and the
//! number of backward branches or calls the path has extended across. A record acts on the top entry as the row of
//! its kind says: update, then (if the path is now as long as it may be) split, then pop, then push. At most one
//! path leaves for each record. A step takes constant time; the stack is a ring, so dropping its oldest entry costs
//! nothing.
//!
//! Source: Vaswani's thesis, section 5.3; `docs/behaviour.md` lists the corners.

use crate::branch::{BranchKind, BranchRecord};
use crate::config::Geometry;
use crate::path::{CompletedPath, PathDescriptor};
use crate::profiler::ppcr::{BackwardNotTaken, Extension, Metric, Operation, Ppcr};

/// A path under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
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
    /// Events did not fit into an event counter.
    pub event_counter_saturated: bool,
}

const UPDATE: u8 = Operation::Update as u8;
const ANY_UPDATE: u8 = UPDATE | Operation::UpdateCount as u8;
const POP: u8 = Operation::Pop as u8;
const PUSH: u8 = Operation::Push as u8;
/// The record extends a path whose extension counter is below the maximum.
const EXTENDS: u8 = 0x10;
/// The record takes an extension back if the counter is above 0.
const RETRACTS: u8 = 0x20;

/// What a record does, looked up by `2 * kind + taken`: its row, and whether its path may extend.
fn decode(ppcr: &Ppcr) -> [u8; 2 * BranchKind::COUNT] {
    core::array::from_fn(|code| {
        let (kind, taken) = (BranchKind::from_code((code >> 1) as u8), code & 1 == 1);
        let kind = match (kind, taken, ppcr.backward_not_taken) {
            (BranchKind::Backward, false, BackwardNotTaken::AsForward) => BranchKind::Forward,
            _ => kind,
        };
        let qualifier = match (ppcr.extension, kind) {
            (Extension::Loop, BranchKind::Backward) => EXTENDS,
            (Extension::Procedure, BranchKind::Call) => EXTENDS,
            (Extension::Procedure, BranchKind::Return) => RETRACTS,
            _ => 0,
        };
        ppcr.rows[kind].bits() | qualifier
    })
}

/// The path stack and the detector around it.
#[derive(Clone, Debug)]
pub struct PathStack {
    top: StackEntry,
    /// The entries below the top, a ring of `stack_depth` places of which all but one are used.
    below: Box<[StackEntry]>,
    /// Where the top goes when another entry is pushed.
    head: usize,
    occupancy: usize,
    actions: [u8; 2 * BranchKind::COUNT],
    ppcr: Ppcr,
    pc_mask: u64,
    event_mask: u32,
    event_limit: u32,
    max_branches: u32,
    tally: StackTally,
}

impl PathStack {
    /// An empty stack of this geometry, which must be valid.
    #[must_use]
    pub fn new(geometry: &Geometry, ppcr: Ppcr) -> Self {
        Self {
            top: StackEntry::default(),
            below: vec![StackEntry::default(); geometry.stack_depth as usize].into(),
            head: 0,
            occupancy: 0,
            actions: decode(&ppcr),
            ppcr,
            pc_mask: Geometry::mask(geometry.pc_bits) & !Geometry::mask(geometry.align),
            event_mask: Geometry::mask(geometry.event_bits) as u32,
            event_limit: Geometry::mask(geometry.event_counter_bits) as u32,
            max_branches: geometry.max_branches,
            tally: StackTally::default(),
        }
    }

    /// The control register in force.
    #[must_use]
    pub const fn ppcr(&self) -> &Ppcr {
        &self.ppcr
    }

    /// Changes the control register from the next record on; entries stay as they are.
    pub fn set_ppcr(&mut self, ppcr: Ppcr) {
        self.actions = decode(&ppcr);
        self.ppcr = ppcr;
    }

    /// Entries in use.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.occupancy
    }

    /// Whether there is no entry: before the first record, and after a purge.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.occupancy == 0
    }

    /// The entries, from the top downwards.
    pub fn entries(&self) -> impl Iterator<Item = &StackEntry> {
        let top = (self.occupancy > 0).then_some(&self.top);
        let below = (1..self.occupancy).map(|k| &self.below[self.place(self.head.wrapping_sub(k))]);
        top.into_iter().chain(below)
    }

    /// Drops every entry; none of them completes.
    pub const fn purge(&mut self) {
        self.occupancy = 0;
    }

    /// What happened since the last call.
    pub const fn take_tally(&mut self) -> StackTally {
        core::mem::replace(
            &mut self.tally,
            StackTally {
                splits: 0,
                underflows: 0,
                overflows: 0,
                event_counter_saturated: false,
            },
        )
    }

    /// Processes one record and returns the path it completes, if any.
    ///
    /// Address and events are cut to the width the geometry gives them. Constant time.
    #[inline]
    pub fn step(&mut self, record: &BranchRecord) -> Option<CompletedPath> {
        let target = record.target & self.pc_mask;
        if self.occupancy == 0 {
            self.top = StackEntry::new(target, 0);
            self.occupancy = 1;
            return None;
        }
        let action = self.actions[usize::from(record.kind.code()) * 2 + usize::from(record.taken)];
        let action = self.extend(action);
        self.update(action, record);
        let split = self.top.descriptor.length == self.max_branches && action & POP == 0;
        self.tally.splits += u64::from(split);
        let path = (action & POP != 0 || split).then(|| self.completed());
        if split || action & (POP | PUSH) == POP | PUSH {
            self.replace(target);
        } else if action & POP != 0 {
            self.pop(target);
        }
        if action & (POP | PUSH) == PUSH {
            self.push(target);
        }
        path
    }

    /// Counts an extension up or down; a record that does so neither pops nor pushes.
    #[inline]
    fn extend(&mut self, action: u8) -> u8 {
        let extension = self.top.extension;
        let up = action & EXTENDS != 0 && extension < self.ppcr.max_extension;
        let down = action & RETRACTS != 0 && extension > 0;
        self.top.extension = extension + u8::from(up) - u8::from(down);
        if up || down {
            action & !(POP | PUSH)
        } else {
            action
        }
    }

    /// Appends the outcome and adds the events, as far as the row asks for it.
    #[inline]
    fn update(&mut self, action: u8, record: &BranchRecord) {
        let appends = action & UPDATE;
        let descriptor = &mut self.top.descriptor;
        descriptor.outcomes |= u64::from(appends & u8::from(record.taken)) << descriptor.length;
        descriptor.length += u32::from(appends);
        if action & ANY_UPDATE != 0 {
            let sum = u64::from(self.top.events) + u64::from(record.events & self.event_mask);
            let limit = u64::from(self.event_limit);
            self.tally.event_counter_saturated |= sum > limit;
            self.top.events = sum.min(limit) as u32;
        }
    }

    #[inline]
    const fn completed(&self) -> CompletedPath {
        CompletedPath {
            descriptor: self.top.descriptor,
            count: match self.ppcr.metric {
                Metric::Executions => 1,
                Metric::Events => self.top.events,
            },
        }
    }

    /// A pop together with a push: the depth does not change. The path stays inside the calls it is inside of.
    #[inline]
    fn replace(&mut self, target: u64) {
        let extension = match self.ppcr.extension {
            Extension::Procedure => self.top.extension,
            Extension::None | Extension::Loop => 0,
        };
        self.top = StackEntry::new(target, extension);
    }

    /// A pop alone; an emptied stack starts again at the target.
    #[inline]
    fn pop(&mut self, target: u64) {
        if self.occupancy == 1 {
            self.tally.underflows += 1;
            self.top = StackEntry::new(target, 0);
        } else {
            self.occupancy -= 1;
            self.head = self.place(self.head.wrapping_sub(1));
            self.top = self.below[self.head];
        }
    }

    /// A push alone; a full stack forgets its oldest entry.
    #[inline]
    fn push(&mut self, target: u64) {
        self.below[self.head] = self.top;
        self.head = self.place(self.head + 1);
        if self.occupancy == self.below.len() {
            self.tally.overflows += 1;
        } else {
            self.occupancy += 1;
        }
        self.top = StackEntry::new(target, 0);
    }

    /// A position in the ring; its size is a power of two.
    const fn place(&self, position: usize) -> usize {
        position & (self.below.len() - 1)
    }
}
