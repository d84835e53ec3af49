//! The instruction trace interface between a RISC-V hart and a trace encoder, as an ingress.
//!
//! The instructions that retire in a cycle form a *block*: contiguous instructions with their length and the type
//! of the last one. The interface shows no target, so a record waits for the next block, whose address is the
//! target. The direction of a branch follows from its target, so a branch that is not taken is recorded as
//! *forward*.
//!
//! An interrupt without an instruction (`iretire` 0, `itype` 2) has no address. If it follows a taken transfer, the
//! target is unknown: that record is lost, and the next one is marked as after a loss.
//!
//! With `itype` of 3 bits, calls, returns and computed jumps are one type, *uninferable jump*. Direct jumps and
//! calls have none: they are recognised by the address of the next block.
//!
//! Source: Efficient Trace for RISC-V Specification, chapter "Hart to encoder interface", section "Instruction Trace
//! Interface".

use crate::branch::{BranchKind, BranchRecord};
use crate::config::Geometry;
use crate::ingress::buffer::{CycleRecords, Offer};
use crate::ingress::decode::Xlen;
use crate::ingress::events::EventCounter;

mod block;

pub use block::{Block, TraceForm};

/// What a block's end may turn out to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ending {
    /// Nothing: control goes on after it.
    None,
    /// A branch that was not taken.
    NotTaken,
    /// A branch or a jump to a target in the instruction.
    Directed,
    /// Perhaps a direct jump or call, which has no type of its own: it was one if control does not go on after the block.
    Perhaps,
    /// Anything else.
    Kind(BranchKind),
}

/// The trace ingress. One step takes constant time.
///
/// The example is the specification's, "Example retirement sequences".
///
/// ```
/// use hpp_golden::branch::BranchKind;
/// use hpp_golden::ingress::{Block, Trace, TraceForm, Xlen};
///
/// let form = TraceForm::default();
/// let mut ingress = Trace::new(form, Xlen::Rv32, 8);
/// let block = |iretire, iaddr, itype, ilastsize| Block { itype, iaddr, iretire, ilastsize, context: 0 };
/// let blocks = [block(7, 0x1000, 8, 0), block(3, 0x0940, 4, 0), block(1, 0x0946, 5, 0), block(4, 0x0988, 0, 1)];
/// let records: Vec<_> = blocks.iter().flat_map(|block| ingress.step(block, 0)).collect();
/// let shown: Vec<_> = records.iter().map(|r| (r.kind, r.taken, r.target, r.next)).collect();
/// assert_eq!(shown, [
///     (BranchKind::IndirectCall, true, 0x0940, 0x100e),
///     (BranchKind::Forward, false, 0x0946, 0x0946),
///     (BranchKind::Forward, true, 0x0988, 0x0948),
/// ]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trace {
    form: TraceForm,
    events: EventCounter,
    ending: Ending,
    /// Address after the last block.
    next: u64,
    held_events: u32,
    /// A record is missing before the next.
    gap: bool,
    geometry: Geometry,
}

impl Trace {
    /// The state after reset, with an event counter of `event_bits` (1 to 32) bits.
    ///
    /// # Panics
    ///
    /// If `event_bits` is not 1 to 32.
    pub fn new(form: TraceForm, xlen: Xlen, event_bits: u32) -> Self {
        Self {
            form,
            events: EventCounter::new(event_bits),
            ending: Ending::None,
            next: 0,
            held_events: 0,
            gap: false,
            geometry: xlen.geometry(),
        }
    }

    /// Addresses are those of a profiler with this geometry: modulo 2^`pc_bits`, those of targets with the context above.
    #[must_use]
    pub const fn with_geometry(mut self, geometry: &Geometry) -> Self {
        self.geometry = *geometry;
        self
    }

    /// Whether the values show anything.
    pub const fn is_valid(block: &Block) -> bool {
        block.iretire != 0 || is_trap(block)
    }

    /// The record that becomes known with what the interface shows: that of the last block's end. `events` happened together with
    /// it.
    #[must_use = "the row holds the record"]
    pub fn step(&mut self, block: &Block, events: u32) -> CycleRecords {
        if !Self::is_valid(block) {
            self.events.add(events);
            return CycleRecords::default();
        }
        let known = block.iretire != 0 || block.itype == 1;
        let record = known
            .then(|| self.record(self.geometry.address(block.iaddr)))
            .flatten();
        let record = record.or_else(|| (self.ending == Ending::NotTaken).then(|| self.not_taken()));
        let record = record.map(|record| BranchRecord {
            target: self.geometry.in_context(record.target, block.context),
            ..record
        });
        let hidden = !known && !matches!(self.ending, Ending::None | Ending::NotTaken);
        let row = CycleRecords {
            lost: record.is_some() && self.gap,
            offers: Vec::from_iter(record.map(|record| Offer {
                record,
                after_loss: self.gap,
            })),
        };
        self.gap = hidden || (self.gap && record.is_none());
        self.events.add(events);
        self.hold(block, known);
        row
    }

    /// The record of the last block's end, which led to `target`.
    fn record(&mut self, target: u64) -> Option<BranchRecord> {
        let direction = match target < self.next {
            true => BranchKind::Backward,
            false => BranchKind::Forward,
        };
        let (kind, events) = match self.ending {
            Ending::None | Ending::NotTaken => return None,
            Ending::Perhaps if target == self.next => return None,
            Ending::Perhaps => (direction, self.events.take()),
            Ending::Directed => (direction, self.held_events),
            Ending::Kind(kind) => (kind, self.held_events),
        };
        Some(BranchRecord {
            kind,
            taken: true,
            target,
            next: self.next,
            events,
        })
    }

    fn not_taken(&self) -> BranchRecord {
        BranchRecord {
            kind: BranchKind::Forward,
            taken: false,
            target: self.next,
            next: self.next,
            events: self.held_events,
        }
    }

    /// What the block's end may turn out to be. One whose address is not known begins where the last one ended.
    fn hold(&mut self, block: &Block, known: bool) {
        let half_words = match self.form.single {
            true => u64::from(block.iretire) << block.ilastsize,
            false => u64::from(block.iretire),
        };
        if known {
            self.next = self
                .geometry
                .address(block.iaddr.wrapping_add(2 * half_words));
        }
        self.ending = ending(block.itype, self.form.short_itype);
        if !matches!(self.ending, Ending::None | Ending::Perhaps) {
            self.held_events = self.events.take();
        }
    }
}

const fn is_trap(block: &Block) -> bool {
    matches!(block.itype, 1 | 2)
}

/// Section "Instruction Trace Interface", table "Instruction Type (itype) encoding".
const fn ending(itype: u8, short: bool) -> Ending {
    match (itype, short) {
        (0, true) => Ending::Perhaps,
        (1 | 2, _) => Ending::Kind(BranchKind::Trap),
        (3, _) => Ending::Kind(BranchKind::TrapReturn),
        (4, _) => Ending::NotTaken,
        (5, _) | (11 | 15, false) => Ending::Directed,
        (6, true) | (10 | 12 | 14, false) => Ending::Kind(BranchKind::Indirect),
        (8, false) => Ending::Kind(BranchKind::IndirectCall),
        (9, false) => Ending::Kind(BranchKind::Call),
        (13, false) => Ending::Kind(BranchKind::Return),
        _ => Ending::None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(short_itype: bool, blocks: &[Block]) -> (Vec<(BranchKind, bool, u64, bool)>, usize) {
        let form = TraceForm {
            short_itype,
            single: false,
        };
        let mut ingress = Trace::new(form, Xlen::Rv32, 8);
        let rows: Vec<CycleRecords> = blocks.iter().map(|block| ingress.step(block, 1)).collect();
        let lost = rows.iter().filter(|row| row.lost).count();
        let offers = rows.into_iter().flat_map(|row| row.offers);
        let values =
            |Offer { record, after_loss }| (record.kind, record.taken, record.target, after_loss);
        (offers.map(values).collect(), lost)
    }

    fn block(itype: u8, iaddr: u64, iretire: u8) -> Block {
        Block {
            itype,
            iaddr,
            iretire,
            ilastsize: 1,
            context: 0,
        }
    }

    #[test]
    fn directions_are_those_of_the_targets() {
        let blocks = [
            block(5, 0x100, 4),
            block(5, 0x200, 2),
            block(15, 0x200, 2),
            block(0, 0x204, 2),
        ];
        let expected = vec![
            (BranchKind::Forward, true, 0x200, false),
            (BranchKind::Backward, true, 0x200, false),
            (BranchKind::Forward, true, 0x204, false),
        ];
        assert_eq!(shown(false, &blocks), (expected, 0));
    }

    #[test]
    fn an_exception_shows_where_the_branch_before_it_led() {
        let blocks = [block(5, 0x100, 2), block(1, 0x200, 0), block(0, 0x8, 2)];
        let expected = vec![
            (BranchKind::Forward, true, 0x200, false),
            (BranchKind::Trap, true, 0x8, false),
        ];
        assert_eq!(shown(false, &blocks), (expected, 0));
    }

    #[test]
    fn an_interrupt_without_an_instruction_hides_where_a_transfer_led() {
        let interrupt = block(2, 0xdead, 0);
        let handler = block(0, 0x8, 2);
        let trap = |after_loss| (BranchKind::Trap, true, 0x8, after_loss);
        let after = |itype| shown(false, &[block(itype, 0x100, 2), interrupt, handler]);
        assert_eq!(after(5), (vec![trap(true)], 1));
        assert_eq!(after(0), (vec![trap(false)], 0));
        let not_taken = (BranchKind::Forward, false, 0x104, false);
        assert_eq!(after(4), (vec![not_taken, trap(false)], 0));
    }

    #[test]
    fn a_short_itype_distinguishes_inferable_jumps_by_discontinuity() {
        let blocks = [
            block(0, 0x100, 4),
            block(0, 0x108, 4),
            block(0, 0x100, 4),
            block(6, 0x108, 2),
            block(0, 0x40, 2),
        ];
        let expected = vec![
            (BranchKind::Backward, true, 0x100, false),
            (BranchKind::Indirect, true, 0x40, false),
        ];
        assert_eq!(shown(true, &blocks), (expected, 0));
        assert_eq!(shown(false, &blocks).0, []);
    }
}
