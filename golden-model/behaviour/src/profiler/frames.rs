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
