//! Return addresses of the procedures on the path stack, against which a checked stack holds returns.
//!
//! A *frame* is an activation of a procedure or of a trap handler: what was pushed by a record that did not pop, and every path
//! that took its place since. A checked stack keeps the address that each frame is to return to. A return that goes elsewhere
//! (`longjmp`, an exception that unwinds, another thread's stack) ends no path: the stack is *repaired*. Frames are dropped down to the
//! one that the return leads out of, if there is exactly one that fits, else all; what was under way in them is never reported.
//!
//! Source: this project's. Vaswani's thesis, section 5.2, leaves the repair to the handlers, which pop entries or purge the stack.

use crate::branch::{BranchKind, BranchRecord};
use crate::config::Geometry;

/// What made a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Entry {
    /// The stack began here: nobody saw what leads out of it.
    #[default]
    Unknown,
    /// A call, or whatever else pushes: a return leads out of it.
    Call,
    /// A trap: a trap return leads out of it.
    Trap,
}

/// An activation that is under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Frame {
    entry: Entry,
    /// Where it is to return to, with the context there above it.
    return_address: u64,
}

/// How far after the trapping instruction, in bytes, a handler may return: nowhere, or past it if it was emulated or is a call of
/// the environment.
const SKIPS: [u64; 3] = [0, 2, 4];

/// What the path stack asks of whoever follows its frames.
pub(super) trait FrameKeeper {
    /// How many of the stack's frames a return takes away that leads to the target of `record`: one if it fits the top or
    /// nobody can tell, 0 if it fits none or several of the others.
    fn leaves(&self, record: &BranchRecord, place: usize, occupancy: usize) -> usize;
    /// A record has pushed: the frame that was on top has its place in the ring.
    fn pushed(&mut self, record: &BranchRecord, place: usize);
    /// The frame at this place in the ring is the top again.
    fn popped(&mut self, place: usize);
    /// The stack begins again.
    fn restarted(&mut self);
    /// A record has been processed.
    fn passed(&mut self, record: &BranchRecord);
}

/// Of a stack that is not checked.
#[derive(Clone, Copy, Debug)]
pub(super) struct Unchecked;

impl FrameKeeper for Unchecked {
    #[inline(always)]
    fn leaves(&self, _record: &BranchRecord, _place: usize, _occupancy: usize) -> usize {
        1
    }
    #[inline(always)]
    fn pushed(&mut self, _record: &BranchRecord, _place: usize) {}
    #[inline(always)]
    fn popped(&mut self, _place: usize) {}
    #[inline(always)]
    fn restarted(&mut self) {}
    #[inline(always)]
    fn passed(&mut self, _record: &BranchRecord) {}
}

/// The frames of a checked stack.
#[derive(Clone, Debug)]
pub(super) struct Frames {
    /// Beside the ring of the stack, place by place.
    ring: Box<[Frame]>,
    top: Frame,
    /// The context of the last record's target, where an address has it.
    context: u64,
    address_mask: u64,
    start_mask: u64,
}

impl Frames {
    pub(super) fn new(geometry: &Geometry) -> Self {
        let align = !Geometry::mask(geometry.align);
        Self {
            ring: vec![Frame::default(); geometry.stack_depth as usize].into(),
            top: Frame::default(),
            context: 0,
            address_mask: Geometry::mask(geometry.pc_bits) & align,
            start_mask: Geometry::mask(geometry.start_bits()) & align,
        }
    }

    /// Whether a return of this kind to this start leads out of the frame.
    fn fits(&self, frame: Frame, kind: BranchKind, target: u64) -> bool {
        let mut skips = SKIPS.into_iter();
        match (frame.entry, kind) {
            (Entry::Call, BranchKind::Return) => frame.return_address == target,
            (Entry::Trap, BranchKind::TrapReturn) => {
                skips.any(|skip| self.beyond(frame.return_address, skip) == target)
            }
            _ => false,
        }
    }

    /// So many bytes beyond a start, modulo the address space: in the same context.
    const fn beyond(&self, start: u64, skip: u64) -> u64 {
        start.wrapping_add(skip) & self.address_mask | start & !self.address_mask
    }
}

impl FrameKeeper for Frames {
    fn leaves(&self, record: &BranchRecord, place: usize, occupancy: usize) -> usize {
        let target = record.target & self.start_mask;
        let is_return = matches!(record.kind, BranchKind::Return | BranchKind::TrapReturn);
        if !is_return
            || self.top.entry == Entry::Unknown
            || self.fits(self.top, record.kind, target)
        {
            return 1;
        }
        let below = |depth: usize| self.ring[place.wrapping_sub(depth) & (self.ring.len() - 1)];
        let mut fitting =
            (1..occupancy).filter(|&depth| self.fits(below(depth), record.kind, target));
        match (fitting.next(), fitting.next()) {
            (Some(depth), None) => depth + 1,
            _ => 0,
        }
    }

    fn pushed(&mut self, record: &BranchRecord, place: usize) {
        self.ring[place] = self.top;
        self.top = Frame {
            entry: match record.kind {
                BranchKind::Trap => Entry::Trap,
                _ => Entry::Call,
            },
            return_address: record.next & self.address_mask | self.context,
        };
    }

    fn popped(&mut self, place: usize) {
        self.top = self.ring[place];
    }

    fn restarted(&mut self) {
        self.top = Frame::default();
    }

    fn passed(&mut self, record: &BranchRecord) {
        self.context = record.target & self.start_mask & !self.address_mask;
    }
}
