//! The last stage of a core that shows no address of the next instruction: a record is made when the next one comes.
//!
//! The address of the next retirement is the target of the record before it. Of a taken trap the last stage shows the address
//! it returns to, which is where the instruction before it led; so an interrupt between a branch and its target changes
//! nothing about the branch's record.

use crate::branch::{BranchKind, BranchRecord};
use crate::config::Geometry;
use crate::ingress::code::Transfer;
use crate::ingress::decode::{Extensions, Xlen, decode_shown};
use crate::ingress::events::EventCounter;

/// What the last stage retires.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct LastStage {
    /// Address of the instruction; of a trap, the address it returns to.
    pub pc: u64,
    /// The instruction, compressed ones in bits 15 to 0.
    pub insn: u32,
    /// It takes 2 bytes, though it is shown expanded to 4.
    pub expanded: bool,
    /// A trap is taken, and nothing retires.
    pub trap: bool,
    /// It is the last instruction of a hardware loop's body.
    pub loop_end: bool,
    /// The context in which the instruction executes; of a trap, in which the program would have gone on.
    pub context: u8,
}

/// The ingress of a core's last stage. One step takes constant time.
///
/// ```
/// use hpp_golden::ingress::{LastStage, Retire, Xlen};
///
/// let mut ingress = Retire::new(Xlen::Rv32, 8);
/// let branch = LastStage { pc: 8, insn: 0x0000_0463, ..LastStage::default() }; // beq zero, zero, 8
/// assert_eq!(ingress.step(&branch, 1), None);
/// let record = ingress.step(&LastStage { pc: 16, ..branch }, 1).expect("the branch's");
/// assert_eq!((record.taken, record.target, record.next), (true, 16, 12));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Retire {
    xlen: Xlen,
    events: EventCounter,
    /// A record that waits for its target, and the transfer that makes it unless it is a trap's.
    held: Option<(BranchRecord, Option<Transfer>)>,
    geometry: Geometry,
    extensions: Extensions,
}

impl Retire {
    /// The state after reset, with an event counter of `event_bits` (1 to 32) bits.
    ///
    /// # Panics
    ///
    /// If `event_bits` is not 1 to 32.
    pub fn new(xlen: Xlen, event_bits: u32) -> Self {
        Self {
            xlen,
            events: EventCounter::new(event_bits),
            held: None,
            geometry: xlen.geometry(),
            extensions: Extensions::default(),
        }
    }

    /// Instructions are those of a core with these extensions.
    #[must_use]
    pub const fn with_extensions(mut self, extensions: Extensions) -> Self {
        self.extensions = extensions;
        self
    }

    /// Addresses are those of a profiler with this geometry: modulo 2^`pc_bits`, those of targets with the context above.
    #[must_use]
    pub const fn with_geometry(mut self, geometry: &Geometry) -> Self {
        self.geometry = *geometry;
        self
    }

    /// Counts `events` that happened while nothing left the last stage.
    pub fn idle(&mut self, events: u32) {
        self.events.add(events);
    }

    /// The record that becomes known: that of the retirement before. `events` happened together with this one; a trap's record
    /// has those before it.
    pub fn step(&mut self, stage: &LastStage, events: u32) -> Option<BranchRecord> {
        let pc = self.geometry.address(stage.pc);
        let held = if stage.trap {
            let record = self.record(BranchKind::Trap, pc);
            self.events.add(events);
            Some((record, None))
        } else {
            self.events.add(events);
            let mut instruction = decode_shown(stage.insn, pc, self.xlen, self.extensions);
            if stage.loop_end {
                instruction = instruction.ending_loop(None);
            }
            let next = match stage.expanded {
                true => pc.wrapping_add(2),
                false => instruction.next,
            };
            let next = self.geometry.address(next);
            instruction.transfer.map(|transfer| {
                let record = self.record(transfer.kind, next);
                (record, Some(transfer))
            })
        };
        let (record, transfer) = std::mem::replace(&mut self.held, held)?;
        Some(BranchRecord {
            kind: transfer.map_or(record.kind, |transfer| transfer.kind_to(pc, record.next)),
            taken: !transfer.is_some_and(|transfer| transfer.conditional) || pc != record.next,
            target: self.geometry.in_context(pc, stage.context),
            ..record
        })
    }

    fn record(&mut self, kind: BranchKind, next: u64) -> BranchRecord {
        BranchRecord {
            kind,
            taken: true,
            target: next,
            next,
            events: self.events.take(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOP: u32 = 0x0000_0013;
    const BEQ_8: u32 = 0x0000_0463;
    const C_BEQZ: u32 = 0x0000_c001;
    const MRET: u32 = 0x3020_0073;

    fn run(stages: &[(u64, u32, bool)]) -> Vec<BranchRecord> {
        let mut ingress = Retire::new(Xlen::Rv32, 8);
        let stage = |&(pc, insn, trap)| LastStage {
            pc,
            insn,
            trap,
            ..LastStage::default()
        };
        stages
            .iter()
            .filter_map(|shown| ingress.step(&stage(shown), 1))
            .collect()
    }

    fn record(kind: BranchKind, taken: bool, target: u64, next: u64, events: u32) -> BranchRecord {
        BranchRecord::new(kind, taken, target, next).with_events(events)
    }

    #[test]
    fn an_interrupt_between_a_branch_and_its_target_keeps_the_branch_target() {
        let seen = run(&[
            (8, BEQ_8, false),
            (16, 0, true),
            (0x100, NOP, false),
            (0x104, MRET, false),
            (16, NOP, false),
        ]);
        let expected = [
            record(BranchKind::Forward, true, 16, 12, 1),
            record(BranchKind::Trap, true, 0x100, 16, 0),
            record(BranchKind::TrapReturn, true, 16, 0x108, 3),
        ];
        assert_eq!(seen, expected);
    }

    #[test]
    fn a_compressed_branch_falls_through_two_bytes_on() {
        let seen = run(&[(8, C_BEQZ, false), (10, NOP, false)]);
        assert_eq!(seen, [record(BranchKind::Backward, false, 10, 10, 1)]);
        let seen = run(&[(8, C_BEQZ, false), (12, NOP, false)]);
        assert!(seen[0].taken);
    }

    #[test]
    fn a_branch_shown_expanded_falls_through_two_bytes_on() {
        let mut ingress = Retire::new(Xlen::Rv32, 8);
        let branch = LastStage {
            pc: 8,
            insn: BEQ_8,
            expanded: true,
            ..LastStage::default()
        };
        assert_eq!(ingress.step(&branch, 1), None);
        let next = LastStage { pc: 10, ..branch };
        assert_eq!(
            ingress.step(&next, 1),
            Some(record(BranchKind::Forward, false, 10, 10, 1))
        );
    }

    #[test]
    fn a_trap_right_after_a_trap_leads_to_it() {
        let seen = run(&[(8, 0, true), (0x100, 0, true), (0x200, NOP, false)]);
        let expected = [
            record(BranchKind::Trap, true, 0x100, 8, 0),
            record(BranchKind::Trap, true, 0x200, 0x100, 1),
        ];
        assert_eq!(seen, expected);
    }
}
