//! Retirements on a RISC-V Formal Interface, as the ingress circuit takes them: the record of an instruction is made when the
//! next one retires.
//!
//! # Where an instruction leads
//!
//! [`RvfiNext`] says which ports tell it.
//!
//! - `rvfi_pc_wdata` is the target of every transfer but a trap return. The target of that is the address of the next retirement,
//!   because some cores show another in `rvfi_pc_wdata` (Ibex that of the instruction after it).
//! - Or the address of the next retirement is the target of every transfer, and neither `rvfi_pc_wdata` nor `rvfi_intr` is read. If
//!   the last instruction cannot have led there, an interrupt was taken. A computed jump or trap return may lead anywhere, but
//!   not to the first instruction of the last interrupt's handler.
//!
//! # What an interrupt hides
//!
//! After an interrupt the first instruction of a handler retires, so only `rvfi_pc_wdata` tells where a transfer before it led. It does
//! not if it is the handler's own address, or, of a trap return, the address after it. Without `rvfi_pc_wdata` the target of a
//! direct jump is known from the instruction, and that of any other transfer is unknown. If it is unknown where a transfer led, the record of the interrupt is marked as one
//! after a loss, so that no path goes on from there, and a loss is counted. The record of a conditional branch of unknown outcome is
//! left out.

use serde::{Deserialize, Serialize};

use crate::branch::{BranchKind, BranchRecord};
use crate::config::Geometry;
use crate::ingress::buffer::{CycleRecords, Offer};
use crate::ingress::code::{Instruction, Transfer};
use crate::ingress::decode::{Extensions, Xlen};
use crate::ingress::retirement::{Ingress, Retirement};

/// What tells where an instruction leads.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum RvfiNext {
    /// `rvfi_pc_wdata`, and `rvfi_intr` where a handler begins.
    #[default]
    PcWdata,
    /// `rvfi_pc_rdata` of the next retirement; a handler begins where the instruction does not lead.
    Retirement,
}

/// The RVFI ingress. One step takes constant time.
///
/// ```
/// use hpp_golden::branch::BranchKind;
/// use hpp_golden::ingress::{Retirement, Rvfi, Xlen};
///
/// let mut ingress = Rvfi::new(Xlen::Rv32, 8);
/// // mret at 0x104, of a core that shows the address after it; then 0x20 retires.
/// let mret = Retirement { pc: 0x104, insn: 0x3020_0073, next_pc: 0x108, ..Retirement::default() };
/// let next = Retirement { pc: 0x20, insn: 0x13, next_pc: 0x24, ..Retirement::default() };
/// assert_eq!(ingress.step(&mret, 1).into_iter().count(), 0);
/// let records: Vec<_> = ingress.step(&next, 1).into_iter().collect();
/// assert_eq!((records[0].kind, records[0].target), (BranchKind::TrapReturn, 0x20));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rvfi {
    ingress: Ingress,
    geometry: Geometry,
    next: RvfiNext,
    /// The record of the last instruction.
    held: Option<BranchRecord>,
    /// The last instruction, if it completed.
    last: Option<Instruction>,
    /// First instruction of the last interrupt's handler, if no port tells where handlers begin.
    handler: Option<u64>,
}

impl Rvfi {
    /// The state after reset, with an event counter of `event_bits` (1 to 32) bits.
    ///
    /// # Panics
    ///
    /// If `event_bits` is not 1 to 32.
    pub fn new(xlen: Xlen, event_bits: u32) -> Self {
        Self {
            ingress: Ingress::new(xlen, event_bits),
            geometry: xlen.geometry(),
            next: RvfiNext::default(),
            held: None,
            last: None,
            handler: None,
        }
    }

    /// Gives targets the context above their address, as a geometry has it.
    #[must_use]
    pub fn with_geometry(self, geometry: &Geometry) -> Self {
        Self {
            ingress: self.ingress.with_geometry(geometry),
            geometry: *geometry,
            ..self
        }
    }

    /// Chooses which ports tell where an instruction leads.
    #[must_use]
    pub fn with_next(self, next: RvfiNext) -> Self {
        Self { next, ..self }
    }

    /// Instructions are those of a core with these extensions.
    #[must_use]
    pub fn with_extensions(self, extensions: Extensions) -> Self {
        let ingress = self.ingress.with_extensions(extensions);
        Self { ingress, ..self }
    }

    /// Counts `events` that happened while no instruction retired.
    pub fn idle(&mut self, events: u32) {
        self.ingress.idle(events);
    }

    /// The rows of a cycle's retirements on several channels, in program order, as one. `events` are those of each channel; where
    /// nothing retires they are counted all the same.
    #[must_use = "the row holds records"]
    pub fn cycle(&mut self, channels: &[Option<Retirement>], events: &[u32]) -> CycleRecords {
        let mut whole = CycleRecords::default();
        for (retirement, &events) in channels.iter().zip(events) {
            match retirement {
                Some(retirement) => self.retire(retirement, events, &mut whole),
                None => self.idle(events),
            }
        }
        whole
    }

    /// The records that a retirement makes known: that of the instruction before it, then that of a trap if it is the first
    /// instruction of the handler. `events` happened together with it.
    #[must_use = "the row holds records"]
    pub fn step(&mut self, retirement: &Retirement, events: u32) -> CycleRecords {
        let mut row = CycleRecords::default();
        self.retire(retirement, events, &mut row);
        row
    }

    /// [`step`](Self::step), after what is in the row already.
    fn retire(&mut self, retirement: &Retirement, events: u32, row: &mut CycleRecords) {
        let pc = self.geometry.address(retirement.pc);
        let instruction = self.ingress.instruction(retirement);
        let retirement = match self.next {
            RvfiNext::PcWdata => *retirement,
            RvfiNext::Retirement => Retirement {
                intr: self.interrupts(pc),
                next_pc: direct_target(&instruction).unwrap_or(instruction.next),
                ..*retirement
            },
        };
        let records = self.ingress.step(&retirement, events);
        let entered = records.trap.is_some();
        let last = std::mem::replace(&mut self.last, (!retirement.trap).then_some(instruction));
        let transfer = last.and_then(|last| last.transfer);
        let mut hidden = false;
        if let Some((mut record, transfer)) =
            std::mem::replace(&mut self.held, records.own).zip(transfer)
        {
            hidden = entered && self.is_hidden(&record, &transfer, pc);
            let follows =
                self.next == RvfiNext::Retirement || record.kind == BranchKind::TrapReturn;
            if !entered && follows {
                record.target = self.ingress.place(pc, &retirement);
                record.kind = transfer.kind_to(pc, record.next);
                record.taken = !transfer.conditional || pc != record.next;
            }
            if !(hidden && transfer.conditional) {
                row.offers.push(Offer::new(record));
            }
        }
        row.offers.extend(records.trap.map(|record| Offer {
            record,
            after_loss: hidden,
        }));
        row.lost |= hidden;
    }

    /// Whether the last instruction cannot have led to `pc`.
    fn interrupts(&mut self, pc: u64) -> bool {
        let Some(last) = self.last else {
            return false;
        };
        let follows = pc == self.geometry.address(last.next);
        let interrupts = match (last.transfer, direct_target(&last)) {
            (None, _) => !follows,
            (Some(transfer), Some(target)) => {
                pc != self.geometry.address(target) && !(transfer.conditional && follows)
            }
            (Some(_), None) => self.handler == Some(pc),
        };
        if interrupts {
            self.handler = Some(pc);
        }
        interrupts
    }

    /// Whether it is unknown where a transfer led, after which the handler at `pc` was entered.
    fn is_hidden(&self, record: &BranchRecord, transfer: &Transfer, pc: u64) -> bool {
        match self.next {
            RvfiNext::PcWdata => {
                let (target, _) = self.geometry.address_and_context(record.target);
                let passes = record.kind == BranchKind::TrapReturn && target == record.next;
                target == pc || passes
            }
            RvfiNext::Retirement => transfer.conditional || transfer.target.is_none(),
        }
    }
}

fn direct_target(instruction: &Instruction) -> Option<u64> {
    instruction.transfer?.target
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOP: u32 = 0x0000_0013;
    const J_16: u32 = 0x0100_006f;
    const MRET: u32 = 0x3020_0073;
    const BEQ_8: u32 = 0x0000_0463;

    fn entry(pc: u64, insn: u32, next_pc: u64) -> Retirement {
        Retirement {
            intr: true,
            ..Retirement::new(pc, insn, next_pc)
        }
    }

    /// Kind, target and mark of each record, and the losses.
    fn offers(retirements: &[Retirement]) -> (Vec<(BranchKind, u64, bool)>, usize) {
        let mut ingress = Rvfi::new(Xlen::Rv32, 8);
        let rows: Vec<CycleRecords> = retirements
            .iter()
            .map(|retirement| ingress.step(retirement, 1))
            .collect();
        let lost = rows.iter().filter(|row| row.lost).count();
        let all = rows.into_iter().flat_map(|row| row.offers);
        let shown = |offer: Offer| (offer.record.kind, offer.record.target, offer.after_loss);
        (all.map(shown).collect(), lost)
    }

    /// Ibex shows pc + 4 as `rvfi_pc_wdata` of `mret`; a path began there that was never executed.
    #[test]
    fn the_target_of_a_trap_return_is_the_next_instruction() {
        let run = [
            entry(0x100, J_16, 0x110),
            Retirement::new(0x110, MRET, 0x114),
            Retirement::new(0x20, NOP, 0x24),
        ];
        let expected = vec![
            (BranchKind::Trap, 0x100, false),
            (BranchKind::Forward, 0x110, false),
            (BranchKind::TrapReturn, 0x20, false),
        ];
        assert_eq!(offers(&run), (expected, 0));
    }

    #[test]
    fn an_interrupt_after_a_trap_return_leaves_what_the_core_shows_as_its_target() {
        let run = |shown| {
            [
                Retirement::new(0x110, MRET, shown),
                entry(0x100, NOP, 0x104),
                Retirement::new(0x104, NOP, 0x108),
            ]
        };
        let known = vec![
            (BranchKind::TrapReturn, 0x20, false),
            (BranchKind::Trap, 0x100, false),
        ];
        assert_eq!(offers(&run(0x20)), (known, 0));
        let unknown = vec![
            (BranchKind::TrapReturn, 0x114, false),
            (BranchKind::Trap, 0x100, true),
        ];
        assert_eq!(offers(&run(0x114)), (unknown, 1));
    }

    /// Hazard3 shows the trap vector as `rvfi_pc_wdata` of what an interrupt follows: a branch had it as its target.
    #[test]
    fn the_handler_s_own_address_is_no_target() {
        let run =
            |insn, shown| offers(&[Retirement::new(0x10, insn, shown), entry(0x100, NOP, 0x104)]);
        let hidden = (BranchKind::Trap, 0x100, true);
        assert_eq!(run(BEQ_8, 0x100), (vec![hidden], 1));
        let jump = (BranchKind::Forward, 0x100, false);
        assert_eq!(run(J_16, 0x100), (vec![jump, hidden], 1));
        let known = vec![
            (BranchKind::Forward, 0x18, false),
            (BranchKind::Trap, 0x100, false),
        ];
        assert_eq!(run(BEQ_8, 0x18), (known, 0));
    }

    /// Where the handler returns to is after an instruction without a record, whatever is shown.
    #[test]
    fn an_instruction_without_a_record_leads_to_what_is_after_it() {
        let mut ingress = Rvfi::new(Xlen::Rv32, 8);
        assert_eq!(
            ingress.step(&Retirement::new(0x10, NOP, 0x100), 1),
            CycleRecords::default()
        );
        let row = ingress.step(&entry(0x100, NOP, 0x104), 1);
        assert_eq!((row.offers[0].record.next, row.lost), (0x14, false));
    }
}
