//! From retirements, in order, to branch records, where each retirement tells the address that follows.
//!
//! # Traps
//!
//! An instruction that retires with `trap` set did not complete, so it makes no record of its own. The first
//! instruction of a handler is the one that retires with `intr` set or right after an instruction with `trap` set:
//! cores differ in whether they set `intr` after a synchronous trap, and one trap must make one record. That
//! instruction makes the *trap* record, whose target is its own address, before the record it may make by itself (a
//! vector table is made of jumps). So a retirement makes at most two records.
//!
//! # Outcomes
//!
//! A conditional branch was taken if the next address is not that of the instruction after it. RVFI shows no
//! difference for a branch to the instruction after it; such a branch is recorded as not taken.
//!
//! # Events
//!
//! A record carries the events counted since the previous record, those of its own instruction included. A trap
//! record carries those counted before the handler's first instruction.

use serde::{Deserialize, Serialize};

use crate::branch::{BranchKind, BranchRecord};
use crate::config::Geometry;
use crate::ingress::code::Instruction;
use crate::ingress::decode::{Extensions, Xlen, decode_shown};
use crate::ingress::events::EventCounter;

/// One retired instruction, as RVFI shows it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Retirement {
    /// `rvfi_pc_rdata`: its address.
    pub pc: u64,
    /// `rvfi_insn`: the instruction, compressed ones in bits 15 to 0.
    pub insn: u32,
    /// `rvfi_pc_wdata`: the address of the next instruction of this thread of execution.
    pub next_pc: u64,
    /// `rvfi_trap`: it trapped instead of completing.
    pub trap: bool,
    /// `rvfi_intr`: it is the first instruction of a trap handler.
    pub intr: bool,
    /// It is the last instruction of a hardware loop's body.
    #[serde(default)]
    pub loop_end: bool,
    /// The context in which it executes.
    #[serde(default)]
    pub context: u8,
}

impl Retirement {
    /// An instruction without a trap.
    pub fn new(pc: u64, insn: u32, next_pc: u64) -> Self {
        Self {
            pc,
            insn,
            next_pc,
            ..Self::default()
        }
    }
}

/// The branch records that one retirement makes: none, one, or a trap record and one more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Records {
    /// The trap, if the retirement is the first instruction of its handler.
    pub trap: Option<BranchRecord>,
    /// The retired instruction is itself a control transfer.
    pub own: Option<BranchRecord>,
}

impl IntoIterator for Records {
    type Item = BranchRecord;
    type IntoIter = core::iter::Chain<
        core::option::IntoIter<BranchRecord>,
        core::option::IntoIter<BranchRecord>,
    >;

    fn into_iter(self) -> Self::IntoIter {
        self.trap.into_iter().chain(self.own)
    }
}

/// Turns retirements into branch records. One step takes constant time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ingress {
    xlen: Xlen,
    events: EventCounter,
    after_trap: bool,
    resume: u64,
    geometry: Geometry,
    extensions: Extensions,
}

impl Ingress {
    /// The state after reset, with an event counter of `event_bits` (1 to 32) bits.
    ///
    /// # Panics
    ///
    /// If `event_bits` is not 1 to 32.
    pub fn new(xlen: Xlen, event_bits: u32) -> Self {
        Self {
            xlen,
            events: EventCounter::new(event_bits),
            after_trap: false,
            resume: 0,
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

    /// What a retired instruction is.
    pub(crate) fn instruction(&self, retirement: &Retirement) -> Instruction {
        let pc = self.geometry.address(retirement.pc);
        let instruction = decode_shown(retirement.insn, pc, self.xlen, self.extensions);
        match retirement.loop_end {
            true => instruction.ending_loop(None),
            false => instruction,
        }
    }

    /// Addresses are those of a profiler with this geometry: modulo 2^`pc_bits`, those of targets with the context above.
    #[must_use]
    pub const fn with_geometry(mut self, geometry: &Geometry) -> Self {
        self.geometry = *geometry;
        self
    }

    /// An address in the context of a retirement.
    pub(crate) const fn place(&self, address: u64, retirement: &Retirement) -> u64 {
        self.geometry.in_context(address, retirement.context)
    }

    /// Counts `events` that happened while no instruction retired.
    pub fn idle(&mut self, events: u32) {
        self.events.add(events);
    }

    /// The records of one retirement, in order. `events` happened together with it.
    pub fn step(&mut self, retirement: &Retirement, events: u32) -> Records {
        let instruction = self.instruction(retirement);
        self.step_as(&instruction, retirement, events)
    }

    /// [`step`](Self::step) of an instruction that was decoded elsewhere, as one of a program's own extensions is.
    pub fn step_as(
        &mut self,
        instruction: &Instruction,
        retirement: &Retirement,
        events: u32,
    ) -> Records {
        let retirement = &Retirement {
            pc: self.geometry.address(retirement.pc),
            next_pc: self.geometry.address(retirement.next_pc),
            ..*retirement
        };
        let trap = (retirement.intr || self.after_trap).then(|| BranchRecord {
            kind: BranchKind::Trap,
            taken: true,
            target: self.place(retirement.pc, retirement),
            next: self.resume,
            events: self.events.take(),
        });
        self.events.add(events);
        let next = self.geometry.address(instruction.next);
        let transfer = instruction.transfer.filter(|_| !retirement.trap);
        self.after_trap = retirement.trap;
        // Where the handler may go back to. What trapped did not complete.
        self.resume = match transfer {
            Some(_) => retirement.next_pc,
            None if retirement.trap => retirement.pc,
            None => next,
        };
        let own = transfer.map(|transfer| BranchRecord {
            kind: transfer.kind_to(retirement.next_pc, next),
            taken: !transfer.conditional || retirement.next_pc != next,
            target: self.place(retirement.next_pc, retirement),
            next,
            events: self.events.take(),
        });
        Records { trap, own }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOP: u32 = 0x0000_0013;
    const BEQ_8: u32 = 0x0000_0463;
    const J_16: u32 = 0x0100_006f;
    const ECALL: u32 = 0x0000_0073;
    const MRET: u32 = 0x3020_0073;

    fn records(retirements: &[Retirement]) -> Vec<BranchRecord> {
        let mut ingress = Ingress::new(Xlen::Rv32, 8);
        retirements
            .iter()
            .flat_map(|retirement| ingress.step(retirement, 1))
            .collect()
    }

    fn record(kind: BranchKind, taken: bool, target: u64, next: u64, events: u32) -> BranchRecord {
        BranchRecord::new(kind, taken, target, next).with_events(events)
    }

    #[test]
    fn straight_code_makes_no_records_but_counts_events() {
        let run = [
            Retirement::new(0, NOP, 4),
            Retirement::new(4, NOP, 8),
            Retirement::new(8, BEQ_8, 16),
            Retirement::new(16, BEQ_8, 20),
        ];
        assert_eq!(
            records(&run),
            [
                record(BranchKind::Forward, true, 16, 12, 3),
                record(BranchKind::Forward, false, 20, 20, 1),
            ]
        );
    }

    #[test]
    fn an_interrupt_between_a_branch_and_its_target_keeps_the_branch_target() {
        let vector = Retirement {
            intr: true,
            ..Retirement::new(0x100, J_16, 0x110)
        };
        let run = [
            Retirement::new(8, BEQ_8, 16),
            vector,
            Retirement::new(0x110, MRET, 16),
        ];
        assert_eq!(
            records(&run),
            [
                record(BranchKind::Forward, true, 16, 12, 1),
                record(BranchKind::Trap, true, 0x100, 16, 0),
                record(BranchKind::Forward, true, 0x110, 0x104, 1),
                record(BranchKind::TrapReturn, true, 16, 0x114, 1),
            ]
        );
    }

    #[test]
    fn a_trapping_instruction_makes_one_trap_record_with_or_without_intr() {
        for intr in [false, true] {
            let ecall = Retirement {
                trap: true,
                ..Retirement::new(8, ECALL, 0x100)
            };
            let handler = Retirement {
                intr,
                ..Retirement::new(0x100, NOP, 0x104)
            };
            let run = [ecall, handler, Retirement::new(0x104, MRET, 12)];
            assert_eq!(
                records(&run),
                [
                    record(BranchKind::Trap, true, 0x100, 8, 1),
                    record(BranchKind::TrapReturn, true, 12, 0x108, 2),
                ]
            );
        }
    }

    #[test]
    fn a_branch_that_traps_makes_no_record_of_its_own() {
        let misaligned = Retirement {
            trap: true,
            ..Retirement::new(8, BEQ_8, 0x100)
        };
        assert!(records(&[misaligned]).is_empty());
    }

    #[test]
    fn a_branch_to_its_own_fall_through_is_not_taken() {
        const BEQ_4: u32 = 0x0000_0263;
        assert_eq!(
            records(&[Retirement::new(8, BEQ_4, 12)]),
            [record(BranchKind::Forward, false, 12, 12, 1)]
        );
    }

    #[test]
    fn events_saturate() {
        let mut ingress = Ingress::new(Xlen::Rv32, 4);
        ingress.idle(9);
        ingress.idle(u32::MAX);
        let records = ingress.step(&Retirement::new(8, BEQ_8, 12), 1);
        assert_eq!(records.own.map(|record| record.events), Some(15));
    }
}
