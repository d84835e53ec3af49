//! The stack of states: those of the entries below the top of the path stack.

use hpp_explore::stack::After;
use hpp_golden::profiler::{StackEntry, StackTally, Then};

use super::Recorder;
use super::known::Known;

impl Recorder {
    /// Applies an effect to the stack of states and returns the state on top.
    pub(super) fn stack(&mut self, then: Then) -> (After, Option<StackEntry>) {
        match then {
            Then::Stays(top) => (After::Stays, Some(top)),
            Then::Pops { restarted } => (After::Pops, Some(restarted)),
            Then::Pushes { below, top } => {
                let waits = Known {
                    top: Some(below),
                    space: self.space,
                    ..Known::default()
                };
                (After::Pushes(self.states.number(waits)), Some(top))
            }
        }
    }

    pub(super) fn pop(&mut self, to: u32, tally: &mut StackTally) {
        let Some(state) = self.waiting.pop() else {
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

    /// Updates a waiting state for the context that user code has now.
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
