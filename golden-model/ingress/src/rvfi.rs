//! Retirements on a RISC-V Formal Interface, as the ingress circuit takes them: the record of an instruction is made when the
//! next one retires.
//!
//! The next retirement tells where a trap return went, which `rvfi_pc_wdata` of some cores does not (Ibex shows the address
//! behind the instruction). Of every other transfer `rvfi_pc_wdata` is believed.
//!
//! If an interrupt comes between a trap return and its target, the next retirement is a handler's first. The trap
//! return's `rvfi_pc_wdata` is all there is then, and is believed unless it is the address behind the instruction. If it is,
//! nobody knows where a path would begin that the trap return leads to: the record of the interrupt is marked as one
//! after a loss, so that the path is never reported, and a loss is counted.

use crate::buffer::{Offer, Row};
use crate::decode::Xlen;
use crate::ingress::{Ingress, Retirement};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;

/// The RVFI ingress. One step takes constant time.
///
/// ```
/// use hpp_golden::branch::BranchKind;
/// use hpp_ingress::{Retirement, Rvfi, Xlen};
///
/// let mut ingress = Rvfi::new(Xlen::Rv32, 8);
/// // mret at 0x104, of a core that shows the address behind it; then 0x20 retires.
/// let mret = Retirement { pc: 0x104, insn: 0x3020_0073, next_pc: 0x108, ..Retirement::default() };
/// let next = Retirement { pc: 0x20, insn: 0x13, next_pc: 0x24, ..Retirement::default() };
/// assert_eq!(ingress.step(&mret, 1).into_iter().count(), 0);
/// let records: Vec<_> = ingress.step(&next, 1).into_iter().collect();
/// assert_eq!((records[0].kind, records[0].target), (BranchKind::TrapReturn, 0x20));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rvfi {
    ingress: Ingress,
    /// The record of the last instruction.
    held: Option<BranchRecord>,
}

impl Rvfi {
    /// The state after reset, with an event counter of `event_bits` (1 to 32) bits.
    ///
    /// # Panics
    ///
    /// If `event_bits` is not 1 to 32.
    #[must_use]
    pub fn new(xlen: Xlen, event_bits: u32) -> Self {
        Self {
            ingress: Ingress::new(xlen, event_bits),
            held: None,
        }
    }

    /// Gives targets the context above their address, as a geometry has it.
    #[must_use]
    pub fn with_geometry(self, geometry: &Geometry) -> Self {
        Self {
            ingress: self.ingress.with_geometry(geometry),
            ..self
        }
    }

    /// Counts `events` that happened while no instruction retired.
    pub fn idle(&mut self, events: u32) {
        self.ingress.idle(events);
    }

    /// The rows of a cycle's retirements on several channels, in program order, as one. `events` are those of each channel; where
    /// nothing retires they are counted all the same.
    #[must_use = "the row holds records"]
    pub fn cycle(&mut self, channels: &[Option<Retirement>], events: &[u32]) -> Row {
        let mut whole = Row::default();
        for (retirement, &events) in channels.iter().zip(events) {
            match retirement {
                Some(retirement) => self.retire(retirement, events, &mut whole),
                None => self.idle(events),
            }
        }
        whole
    }

    /// The records that are known with a retirement: that of the instruction before it, then that of the trap whose handler it is the
    /// first of. `events` happened together with it.
    #[must_use = "the row holds records"]
    pub fn step(&mut self, retirement: &Retirement, events: u32) -> Row {
        let mut row = Row::default();
        self.retire(retirement, events, &mut row);
        row
    }

    /// [`step`](Self::step), behind what is in the row already.
    fn retire(&mut self, retirement: &Retirement, events: u32, row: &mut Row) {
        let records = self.ingress.step(retirement, events);
        let mut lost = false;
        if let Some(mut record) = std::mem::replace(&mut self.held, records.own) {
            if record.kind == BranchKind::TrapReturn {
                let interrupted = records.trap.is_some();
                lost = interrupted && self.ingress.falls_through(&record);
                if !interrupted {
                    record.target = self.ingress.place(retirement.pc, retirement);
                }
            }
            row.offers.push(Offer::new(record));
        }
        row.offers.extend(records.trap.map(|record| Offer {
            record,
            after_loss: lost,
        }));
        row.lost |= lost;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOP: u32 = 0x0000_0013;
    const J_16: u32 = 0x0100_006f;
    const MRET: u32 = 0x3020_0073;

    fn retire(pc: u64, insn: u32, next_pc: u64) -> Retirement {
        Retirement {
            pc,
            insn,
            next_pc,
            ..Retirement::default()
        }
    }

    fn entry(pc: u64, insn: u32, next_pc: u64) -> Retirement {
        Retirement {
            intr: true,
            ..retire(pc, insn, next_pc)
        }
    }

    /// Kind, target and mark of each record, and the losses.
    fn offers(retirements: &[Retirement]) -> (Vec<(BranchKind, u64, bool)>, usize) {
        let mut ingress = Rvfi::new(Xlen::Rv32, 8);
        let rows: Vec<Row> = retirements
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
            retire(0x110, MRET, 0x114),
            retire(0x20, NOP, 0x24),
        ];
        let expected = vec![
            (BranchKind::Trap, 0x100, false),
            (BranchKind::Forward, 0x110, false),
            (BranchKind::TrapReturn, 0x20, false),
        ];
        assert_eq!(offers(&run), (expected, 0));
    }

    #[test]
    fn an_interrupt_behind_a_trap_return_leaves_what_the_core_shows_as_its_target() {
        let run = |shown| {
            [
                retire(0x110, MRET, shown),
                entry(0x100, NOP, 0x104),
                retire(0x104, NOP, 0x108),
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
}
