//! The path stack: turns branch records into completed paths.
//!
//! An entry holds the path its procedure is currently on: a descriptor, an event counter that saturates, and the
//! number of backward branches or calls the path has extended across. A record acts on the top entry as the row of
//! its kind says: update, then (if the path is now as long as it may be) split, then pop, then push. At most one
//! path leaves for each record. A step takes constant time; the stack is a ring, so dropping its oldest entry costs
//! nothing.
//!
//! Source: Vaswani's thesis, sections 5.2 and 5.3; `docs/behaviour.md` lists the corners.

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
    /// A ring: an entry stays where it was pushed. Its size is a power of two.
    ring: Box<[StackEntry]>,
    /// Position of the top entry in the ring.
    top: usize,
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
            ring: vec![StackEntry::default(); geometry.stack_depth as usize].into(),
            top: 0,
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
        (0..self.occupancy).map(|depth| &self.ring[self.place(self.top.wrapping_sub(depth))])
    }

    /// Drops every entry; none of them completes.
    pub const fn purge(&mut self) {
        self.occupancy = 0;
    }

    /// What happened since the last call.
    pub fn take_tally(&mut self) -> StackTally {
        core::mem::take(&mut self.tally)
    }

    /// Processes one record and returns the path it completes, if any.
    ///
    /// Address and events are cut to the width the geometry gives them. Constant time.
    // Always inlined: a path handed over in memory, written field by field and read at once as a whole, stalls.
    #[inline(always)]
    pub fn step(&mut self, record: &BranchRecord) -> Option<CompletedPath> {
        let target = record.target & self.pc_mask;
        if self.occupancy == 0 {
            self.occupancy = 1;
            self.start(target, 0);
            return None;
        }
        let action = self.actions[usize::from(record.kind.code()) * 2 + usize::from(record.taken)];
        let position = self.place(self.top);
        let mut entry = self.ring[position];
        let action = self.extend(&mut entry, action);
        self.update(&mut entry, action, record);
        let split = entry.descriptor.length == self.max_branches && action & POP == 0;
        if action & (POP | PUSH) == 0 && !split {
            self.ring[position] = entry;
            return None;
        }
        self.tally.splits += u64::from(split);
        if split || action & (POP | PUSH) == POP | PUSH {
            self.start(target, self.inherited(&entry));
        } else if action & POP != 0 {
            self.pop(target);
        } else {
            self.ring[position] = entry;
        }
        if action & (POP | PUSH) == PUSH {
            self.push(target);
        }
        (split || action & POP != 0).then(|| self.completed(&entry))
    }

    /// Counts an extension up or down; a record that does so neither pops nor pushes.
    #[inline]
    const fn extend(&self, entry: &mut StackEntry, action: u8) -> u8 {
        let up = action & EXTENDS != 0 && entry.extension < self.ppcr.max_extension;
        let down = action & RETRACTS != 0 && entry.extension > 0;
        entry.extension = entry.extension + up as u8 - down as u8;
        if up || down {
            action & !(POP | PUSH)
        } else {
            action
        }
    }

    /// Appends the outcome and adds the events, as far as the row asks for it.
    #[inline]
    fn update(&mut self, entry: &mut StackEntry, action: u8, record: &BranchRecord) {
        let appends = action & UPDATE;
        let path = &mut entry.descriptor;
        path.outcomes |= u64::from(appends & u8::from(record.taken)) << path.length;
        path.length += u32::from(appends);
        if action & ANY_UPDATE != 0 {
            let sum = u64::from(entry.events) + u64::from(record.events & self.event_mask);
            let limit = u64::from(self.event_limit);
            self.tally.event_counter_saturated |= sum > limit;
            entry.events = sum.min(limit) as u32;
        }
    }

    #[inline]
    const fn completed(&self, entry: &StackEntry) -> CompletedPath {
        CompletedPath {
            descriptor: entry.descriptor,
            count: match self.ppcr.metric {
                Metric::Executions => 1,
                Metric::Events => entry.events,
            },
        }
    }

    /// The extension counter of an entry that takes the place of another: it stays inside the same calls.
    #[inline]
    const fn inherited(&self, entry: &StackEntry) -> u8 {
        match self.ppcr.extension {
            Extension::Procedure => entry.extension,
            Extension::None | Extension::Loop => 0,
        }
    }

    /// A new path at the top.
    #[inline]
    fn start(&mut self, target: u64, extension: u8) {
        let position = self.place(self.top);
        self.ring[position] = StackEntry::new(target, extension);
    }

    /// A pop alone; an emptied stack starts again at the target.
    #[inline]
    fn pop(&mut self, target: u64) {
        if self.occupancy == 1 {
            self.tally.underflows += 1;
            self.start(target, 0);
        } else {
            self.occupancy -= 1;
            self.top = self.place(self.top.wrapping_sub(1));
        }
    }

    /// A push alone; in a full ring it takes the place of the oldest entry.
    #[inline]
    fn push(&mut self, target: u64) {
        if self.occupancy == self.ring.len() {
            self.tally.overflows += 1;
        } else {
            self.occupancy += 1;
        }
        self.top = self.place(self.top + 1);
        self.start(target, 0);
    }

    const fn place(&self, position: usize) -> usize {
        position & (self.ring.len() - 1)
    }
}
