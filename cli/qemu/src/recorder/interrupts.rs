//! Blocks that a signal or an interrupt broke off, and where they go on.
//!
//! A handler takes effect before the last instruction of the block that it interrupts: its trap names that instruction, its trap return leads
//! back to it, and then the block makes its record. Where the block leads is known no sooner.

use super::known::{Back, Known};
use super::{Batch, INTERRUPTED, Recorder};

impl Recorder {
    #[cold]
    pub(super) fn interrupt(&mut self, block: u32) {
        if self.interrupted.len() == INTERRUPTED {
            self.interrupted.remove(0);
        }
        self.interrupted.push((block, self.space));
    }

    /// A handler is left: makes its record, and that of the interrupted block, which continues to this one.
    #[cold]
    pub(super) fn leave<const RECORDS: bool>(&mut self, to: u32, batch: &mut Batch) {
        let back = match self.resumed(to) {
            Some(block) => Back::To(block),
            None => {
                batch.unseen_signals += u64::from(!self.is_machine);
                Back::Nowhere
            }
        };
        let known = self.known();
        self.state = self.states.number(Known { back, ..known });
        self.tell::<RECORDS>(&[to], batch);
    }

    /// The interrupted block continues to this one.
    #[cold]
    pub(super) fn resume<const RECORDS: bool>(&mut self, block: u32, to: u32, batch: &mut Batch) {
        let known = self.known();
        self.state = self.states.number(Known {
            block: Some(block),
            resumed: true,
            ..known
        });
        self.tell::<RECORDS>(&[to], batch);
    }

    /// Whether a handler begins here, also one that was found since the last run.
    pub(super) fn is_handler(&self, start: u64) -> bool {
        self.handlers.contains(&start) || self.found.contains(&start)
    }

    /// The interrupted block that goes on to this one: the last of a program. A machine may have switched to another task, whose handler never began, or began
    /// long ago.
    fn resumed(&mut self, to: u32) -> Option<u32> {
        if !self.is_machine {
            return self.interrupted.pop().map(|(block, _)| block);
        }
        let (space, target) = (self.space, self.blocks.get(to).clone());
        // The next interrupt may have been pending at the return. Then its handler begins before anything of the interrupted program runs.
        let at_once = self.is_handler(target.start);
        let place = self.interrupted.iter().rposition(|&(block, of)| {
            let block = self.blocks.get(block);
            let goes_on =
                block.may_go_on(&target) || at_once && block.privilege <= target.privilege;
            goes_on && (of == space || target.privilege > 0)
        });
        place.map(|place| self.interrupted.remove(place).0)
    }
}
