//! Return addresses of the procedures on the path stack, against which a checked stack holds returns.
//!
//! A *frame* is an activation of a procedure or of a trap handler: what was pushed by a record that did not pop, and every path
//! that took its place since. A checked stack keeps the address that each frame is to return to. A return that goes elsewhere
//! (`longjmp`, an exception that unwinds, another thread's stack) ends no path: the stack is *repaired*. Frames are dropped down to the
//! one that the return leads out of, if there is exactly one that fits, else all; what was under way in them is never reported.
//!
//! Source: this project's. Vaswani's thesis, section 5.2, leaves the repair to the handlers, which pop entries or purge the stack.

use std::collections::VecDeque;

use crate::branch::{BranchKind, BranchRecord};
use crate::config::Geometry;

/// Where a handler may return to, in bytes after the trapping instruction: to it again, or past it if it was emulated or called the environment.
const SKIPS: [u64; 3] = [0, 2, 4];

/// An activation that is under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// Whether a trap made it: a trap return leads out of it, and else a return.
    is_trap: bool,
    /// Where it is to return to, with the context there above it.
    return_address: u64,
}

impl Frame {
    /// Pushed by a record; `context` is where the record before it led to, where an address has its context.
    #[inline]
    pub(super) const fn pushed(record: &BranchRecord, context: u64, geometry: &Geometry) -> Self {
        Self {
            is_trap: matches!(record.kind, BranchKind::Trap),
            return_address: geometry.address(geometry.start(record.next)) | context,
        }
    }

    /// Whether the record leads out of it.
    pub(super) fn fits(self, record: &BranchRecord, geometry: &Geometry) -> bool {
        let target = geometry.start(record.target);
        // Modulo the address space: in the same context.
        let beyond = |skip| {
            let address = geometry.address(self.return_address);
            let context = self.return_address - address;
            geometry.address(geometry.start(address.wrapping_add(skip))) | context
        };
        match (self.is_trap, record.kind) {
            (false, BranchKind::Return) => self.return_address == target,
            (true, BranchKind::TrapReturn) => SKIPS.into_iter().any(|skip| beyond(skip) == target),
            _ => false,
        }
    }
}

/// Of frames from the oldest on, the only one that a record leads out of, if it is not the oldest.
pub(super) fn only_fitting(
    frames: impl Iterator<Item = Option<Frame>>,
    record: &BranchRecord,
    geometry: &Geometry,
) -> Option<usize> {
    let fits = |frame: &Option<Frame>| frame.is_some_and(|frame| frame.fits(record, geometry));
    let mut fitting = (0..).zip(frames).filter(|(_, frame)| fits(frame));
    match (fitting.next(), fitting.next()) {
        (Some((lowest, _)), None) if lowest > 0 => Some(lowest),
        _ => None,
    }
}

/// How many entries leave a checked stack at a record that pops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaving {
    /// The one on top, which completes.
    Top,
    /// So many from the top on; none completes.
    Dropped(usize),
    /// All; none completes.
    All,
}

/// The frames of a checked stack whose [entries](super::StackEntry) are kept elsewhere, by the [effects](super::PathStack::effect) of records that all lead to
/// one context.
#[derive(Clone, Debug)]
pub struct Frames {
    geometry: Geometry,
    /// From the oldest to the top. That of the entry that the stack began with is not known.
    frames: VecDeque<Option<Frame>>,
}

impl Frames {
    /// Those of a stack of this geometry before its first record.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        Self {
            geometry: *geometry,
            frames: VecDeque::from([None]),
        }
    }

    /// This record pushes an entry.
    pub fn push(&mut self, record: &BranchRecord) {
        let target = self.geometry.start(record.target);
        let context = target - self.geometry.address(target);
        let frame = Frame::pushed(record, context, &self.geometry);
        self.frames.push_back(Some(frame));
        if self.frames.len() > self.geometry.stack_depth as usize {
            self.frames.pop_front();
        }
    }

    /// Whether the entry on top leaves and completes at this record, which pops: it does unless the record is a return that leads elsewhere.
    pub fn is_left_by(&self, record: &BranchRecord) -> bool {
        let is_return = matches!(record.kind, BranchKind::Return | BranchKind::TrapReturn);
        let top = self.frames.back().copied().flatten();
        top.is_none_or(|top| !is_return || top.fits(record, &self.geometry))
    }

    /// This record pops. Constant time; linear in the depth for a return that leads elsewhere.
    pub fn pop(&mut self, record: &BranchRecord) -> Leaving {
        let leaves = self.is_left_by(record);
        self.frames.pop_back();
        let fitting = match leaves {
            true => None,
            false => only_fitting(self.frames.iter().copied(), record, &self.geometry),
        };
        let leaving = match fitting {
            _ if leaves => Leaving::Top,
            Some(lowest) => {
                let dropped = 1 + self.frames.len() - lowest;
                self.frames.truncate(lowest);
                Leaving::Dropped(dropped)
            }
            None => {
                self.frames.clear();
                Leaving::All
            }
        };
        if self.frames.is_empty() {
            self.frames.push_back(None);
        }
        leaving
    }
}
