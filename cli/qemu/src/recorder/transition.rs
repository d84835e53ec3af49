//! The transition from a state to a block, computed by the model.

use hpp_explore::stack::After;
use hpp_explore::states::NONE;
use hpp_golden::branch::BranchKind;
use hpp_golden::config::Geometry;

use super::Recorder;
use super::effect::{Effect, Signal};
use super::known::{Back, Known};
use crate::block::{Block, SUPERVISOR, Step, USER, Way};

impl Recorder {
    /// The effect of the branch record between a state and the next block, if there is a record, and the next state.
    pub(super) fn work_out(&mut self, known: Known, to: u32) -> (Option<Effect>, Known) {
        let mut next = Known {
            block: Some(to),
            space: known.space,
            ..Known::default()
        };
        let Some(block) = known.block else {
            next.top = known.top;
            return (None, next);
        };
        let target = self.blocks.get(to).clone();
        let to_handler = match self.blocks.get(block).returns_from_trap() {
            true => self.is_handler(target.start),
            false => self.handlers.contains(&target.start),
        };
        let (number, block) = (block, self.blocks.get(block));
        let way = Way {
            resumed: known.resumed,
            to_handler,
        };
        let mut record = match block.step(&target, way) {
            Step::Instructions(instructions) => {
                next.carried = known.carried.saturating_add(instructions);
                next.top = known.top;
                return (None, next);
            }
            Step::Record(record) => record,
        };
        // A pending interrupt is taken right after the return from a handler, before the interrupted program continues.
        let returns = block.returns_from_trap();
        let at_once = returns && record.kind == BranchKind::Trap;
        let leaves_handler = block.leaves_handler || returns;
        if leaves_handler && known.back == Back::Unknown {
            let signal = Signal::Leaves;
            let effect = Effect {
                signal,
                ..Effect::NOTHING
            };
            return (Some(effect), known);
        }
        let (instructions, after) = (block.instructions, block.next);
        let context = context(&target, known.space);
        let mut effect = Effect::NOTHING;
        if let Back::To(block) = known.back {
            effect.signal = Signal::Resumes(block);
            record.target = self.blocks.get(block).last;
            if at_once {
                (record.kind, record.next) = (BranchKind::TrapReturn, after);
            }
        } else if record.kind == BranchKind::Trap {
            effect.signal = Signal::Interrupts(number);
            self.handler(target.start);
        }
        record.target = self.in_context_of(record.target, context);
        // The instructions of an interrupted block are counted when it continues.
        record.events = match effect.signal {
            Signal::Interrupts(_) => known.carried,
            _ => known.carried.saturating_add(instructions),
        };
        if let Some(detector) = &self.detector {
            let on_top = detector.effect(known.top.as_ref(), &record);
            (effect.splits, effect.saturates) = (on_top.splits, on_top.saturates);
            effect.path = on_top.path.map_or(NONE, |path| {
                let (number, _) = self.paths.insert_full(path);
                u32::try_from(number).expect("memory ends before the numbers do")
            });
            (effect.stack, next.top) = self.stack(on_top.then);
        }
        let asks_frames = self.frames.is_some() && effect.stack != After::Stays;
        if self.tells_records || asks_frames {
            effect.record = self.numbering.number(&record);
        }
        (Some(effect), next)
    }

    /// An address as a record has it.
    fn in_context_of(&self, address: u64, context: u8) -> u64 {
        match self.geometry.context_bits {
            0 => address,
            bits => {
                let last = Geometry::mask(bits) as u8;
                let address = self.geometry.address(address);
                self.geometry.in_context(address, context.min(last))
            }
        }
    }
}

/// The context of a block: machine level 0, supervisor 1, and user code its own. A program has user code alone.
fn context(block: &Block, space: u8) -> u8 {
    match block.privilege {
        USER => space,
        privilege => u8::from(privilege == SUPERVISOR),
    }
}
