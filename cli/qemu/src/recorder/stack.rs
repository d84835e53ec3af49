//! The stack of states: those of the entries below the top of the path stack.

use hpp_explore::stack::After;
use hpp_golden::profiler::{Leaving, StackEntry, StackTally, Then};

use super::Recorder;
use super::effect::Effect;
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

    /// Holds a record that pushes or pops against the frames of a checked stack. Returns whether it was a return that leads elsewhere than out of the frame on top:
    /// that completes no path, and the stack is repaired.
    #[inline(always)]
    pub(super) fn repairs(&mut self, effect: &Effect, to: u32, tally: &mut StackTally) -> bool {
        let Some(frames) = &mut self.frames else {
            return false;
        };
        let record = |number: u32| &self.numbering.records()[number as usize];
        let leaving = match effect.stack {
            After::Stays => Leaving::Top,
            After::Pushes(_) => {
                frames.push(record(effect.record));
                Leaving::Top
            }
            After::Pops => frames.pop(record(effect.record)),
        };
        match leaving {
            Leaving::Top => return false,
            Leaving::Dropped(count) => {
                (1..count).for_each(|_| _ = self.waiting.pop());
                self.pop(to, tally);
            }
            // The edge leads to where the stack begins again.
            Leaving::All => while self.waiting.pop().is_some() {},
        }
        tally.repairs += 1;
        true
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
