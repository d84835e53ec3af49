//! What a record does to the path stack, as the entry on top alone decides.
//!
//! But for the frames of a checked stack, nothing else decides it. So a simulation that meets the same entry and the same
//! record again can look up what comes of them instead of working it out.

use super::state::State;
use super::{PathStack, StackEntry};
use crate::branch::BranchRecord;
use crate::path::CompletedPath;
use crate::profiler::frames::Unchecked;

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
        /// What was on top.
        below: StackEntry,
        /// What is.
        top: StackEntry,
    },
    /// The entry is popped. If it was the only one, that is an underflow, and the stack begins again.
    Pops {
        /// The entry it begins again with.
        restarted: StackEntry,
    },
}

impl PathStack {
    /// What a record would do if this entry were on top, or the stack empty. Of a checked stack only if the record leaves
    /// one frame. Constant time; nothing changes.
    #[must_use]
    pub fn effect(&self, top: Option<&StackEntry>, record: &BranchRecord) -> Effect {
        let mut state = State {
            top: top.copied().unwrap_or_default(),
            occupancy: usize::from(top.is_some()),
            ..State::default()
        };
        // With the entry alone in a stack of two, each of the three leaves a mark of its own.
        let mut ring = [StackEntry::default(); 2];
        let mut path = CompletedPath::default();
        let completes = state.step(&self.rules, &mut ring, &mut Unchecked, record, &mut path);
        let then = if state.occupancy == 2 {
            Then::Pushes {
                below: ring[0],
                top: state.top,
            }
        } else if state.tally.underflows > 0 {
            Then::Pops {
                restarted: state.top,
            }
        } else {
            Then::Stays(state.top)
        };
        Effect {
            path: (completes && self.rules.shows(&path)).then_some(path),
            then,
            splits: state.tally.splits > 0,
            saturates: state.tally.event_counter_saturated,
        }
    }
}
