//! The stack of states: those of the entries below the top of the path stack.

use std::collections::VecDeque;

use hpp_golden::profiler::{StackEntry, StackTally, Then};

use super::Recorder;
use super::effect::Stack;
use crate::states::Known;

/// The states that wait for a return: with the one on top, which is not here, as many as a path stack has entries.
#[derive(Debug)]
pub(super) struct StateStack {
    states: VecDeque<u32>,
    room: usize,
}

impl StateStack {
    /// One of the size of this path stack.
    pub(super) fn new(depth: usize) -> Self {
        Self {
            states: VecDeque::with_capacity(depth),
            room: depth - 1,
        }
    }

    /// A state waits. Whether there was no room, so that the one that waited longest is gone.
    pub(super) fn push(&mut self, state: u32) -> bool {
        let is_full = self.states.len() == self.room;
        if is_full {
            self.states.pop_front();
        }
        if self.room > 0 {
            self.states.push_back(state);
        }
        is_full
    }

    /// Puts other numbers in the place of those that wait, the last first.
    pub(super) fn renumber(&mut self, mut number: impl FnMut(u32) -> u32) {
        for state in self.states.iter_mut().rev() {
            *state = number(*state);
        }
    }
}

impl Recorder {
    /// What becomes of the stack of states, and what is on top then.
    pub(super) fn stack(&mut self, then: Then) -> (Stack, Option<StackEntry>) {
        match then {
            Then::Stays(top) => (Stack::Stays, Some(top)),
            Then::Pops { restarted } => (Stack::Pops, Some(restarted)),
            Then::Pushes { below, top } => {
                let waits = Known {
                    top: Some(below),
                    space: self.space,
                    ..Known::default()
                };
                (Stack::Pushes(self.states.number(waits)), Some(top))
            }
        }
    }

    pub(super) fn pop(&mut self, to: u32, tally: &mut StackTally) {
        let Some(state) = self.waiting.states.pop_back() else {
            tally.underflows += 1;
            return;
        };
        let state = match self.is_machine {
            true => self.in_this_space(state),
            false => state,
        };
        self.state = state;
        self.state = match self.states.taken_last(state, to) {
            Some(edge) => edge.next,
            None => self.look_up(to).next,
        };
    }

    /// A state that waited while the context of user code changed.
    fn in_this_space(&mut self, state: u32) -> u32 {
        let known = self.states.known(state);
        match known.space == self.space {
            true => state,
            false => self.states.number(Known {
                space: self.space,
                ..known
            }),
        }
    }
}
