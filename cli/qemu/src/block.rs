//! A block as QEMU translates it, and what leaves it.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_ingress::{Instruction, Transfer, Xlen};
use hpp_trace::Isa;

use crate::x86;

/// A block: instructions that run one after another.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// Address of the first instruction.
    pub start: u64,
    /// Address of the last.
    pub last: u64,
    /// Address behind the last.
    pub next: u64,
    /// How many there are.
    pub instructions: u32,
    /// The transfer that the last makes.
    pub transfer: Option<Transfer>,
    /// The last is a system call.
    pub is_system_call: bool,
}

/// What happened between the beginning of a block and that of the next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A branch retired; `events` is yet to be filled in.
    Record(BranchRecord),
    /// No branch; so many instructions retired.
    Instructions(u32),
}

/// Guest pages, for x86 guests.
const PAGE: u64 = 4096;

impl Block {
    /// A block of `instructions`, the last of which has these bytes and this address.
    #[must_use]
    pub fn new(isa: Isa, start: u64, instructions: u32, last: u64, bytes: &[u8]) -> Self {
        let word = |isa| {
            let mut word = [0; 4];
            let length = bytes.len().min(4);
            word[..length].copy_from_slice(&bytes[..length]);
            let word = u32::from_le_bytes(word);
            (hpp_ingress::decode(word, last, isa), word == ECALL)
        };
        let (Instruction { next, transfer }, is_system_call) = match isa {
            Isa::X86_64 => (x86::decode(bytes, last), x86::is_system_call(bytes)),
            Isa::Riscv64 => word(Xlen::Rv64),
            Isa::Riscv32 => word(Xlen::Rv32),
        };
        Self {
            start,
            last,
            next,
            instructions,
            transfer,
            is_system_call,
        }
    }

    /// What happened if `to` is the beginning of the block after this one.
    #[must_use]
    pub fn step(&self, to: u64) -> Step {
        match self.transfer {
            Some(_) if self.dropped(to) => Step::Instructions(self.instructions - 1),
            Some(transfer) => self.transferred(transfer, to),
            None if to == self.next => Step::Instructions(self.instructions),
            // A string instruction that repeats itself is a block of its own each time.
            None if to == self.last => Step::Instructions(self.instructions - 1),
            None => self.elsewhere(to),
        }
    }

    /// QEMU drops the last of several instructions where it crosses into the next page, but still shows it. It then begins
    /// the next block.
    fn dropped(&self, to: u64) -> bool {
        to == self.last && self.instructions > 1 && self.crosses_page()
    }

    const fn crosses_page(&self) -> bool {
        self.last / PAGE != (self.next - 1) / PAGE
    }

    fn transferred(&self, transfer: Transfer, to: u64) -> Step {
        let taken = match transfer {
            Transfer { target: None, .. } => true,
            _ if transfer.target == Some(to) => true,
            _ if transfer.conditional && to == self.next => false,
            _ => return self.elsewhere(to),
        };
        Step::Record(self.record(transfer.kind, taken, to))
    }

    /// Control went where the block does not lead to: a signal, or the return from its handler.
    fn elsewhere(&self, to: u64) -> Step {
        if self.start < to && to <= self.last {
            // QEMU did not get to the end and goes on inside, as it does to make an access atomic.
            return Step::Instructions(0);
        }
        let kind = if self.is_system_call {
            BranchKind::TrapReturn
        } else {
            BranchKind::Trap
        };
        Step::Record(self.record(kind, true, to))
    }

    const fn record(&self, kind: BranchKind, taken: bool, target: u64) -> BranchRecord {
        BranchRecord {
            kind,
            taken,
            target,
            next: self.next,
            events: 0,
        }
    }
}

/// RISC-V's system call.
const ECALL: u32 = 0x73;

#[cfg(test)]
mod tests {
    use super::*;

    /// Four instructions at 0x1ff0 that end with these bytes at 0x1ffe.
    fn block(bytes: &[u8]) -> Block {
        Block::new(Isa::X86_64, 0x1ff0, 4, 0x1ffe, bytes)
    }

    fn record(kind: BranchKind, taken: bool, target: u64, next: u64) -> Step {
        let events = 0;
        Step::Record(BranchRecord {
            kind,
            taken,
            target,
            next,
            events,
        })
    }

    #[test]
    fn a_branch_is_taken_or_not() {
        let block = block(&[0x75, 0x10]);
        let forward = |taken, target| record(BranchKind::Forward, taken, target, 0x2000);
        assert_eq!(block.step(0x2010), forward(true, 0x2010));
        assert_eq!(block.step(0x2000), forward(false, 0x2000));
    }

    #[test]
    fn a_signal_is_a_trap_and_leaving_its_handler_a_trap_return() {
        assert_eq!(
            block(&[0x75, 0x10]).step(0x4000),
            record(BranchKind::Trap, true, 0x4000, 0x2000)
        );
        assert_eq!(
            block(&[0x90, 0x90]).step(0x4000),
            record(BranchKind::Trap, true, 0x4000, 0x2000)
        );
        assert_eq!(
            block(&[0x0f, 0x05]).step(0x4000),
            record(BranchKind::TrapReturn, true, 0x4000, 0x2000)
        );
    }

    #[test]
    fn without_a_branch_instructions_retire() {
        assert_eq!(block(&[0x90, 0x90]).step(0x2000), Step::Instructions(4));
        assert_eq!(block(&[0xf3, 0xa4]).step(0x1ffe), Step::Instructions(3));
    }

    #[test]
    fn a_branch_that_was_dropped_at_a_page_edge_did_not_retire() {
        let crossing = block(&[0x0f, 0x84, 0, 0, 0, 0]);
        assert_eq!(crossing.step(0x1ffe), Step::Instructions(3));
        assert_eq!(
            crossing.step(0x2004),
            record(BranchKind::Forward, true, 0x2004, 0x2004)
        );
        // Alone in its block it is not dropped, and one that ends with the page is not either.
        let alone = Block::new(Isa::X86_64, 0x1ffe, 1, 0x1ffe, &[0x0f, 0x84, 0, 0, 0, 0]);
        assert!(matches!(alone.step(0x2004), Step::Record(_)));
        let spins = block(&[0xe2, 0xfe]);
        assert_eq!(
            spins.step(0x1ffe),
            record(BranchKind::Backward, true, 0x1ffe, 0x2000)
        );
    }

    #[test]
    fn a_block_that_was_left_inside_is_no_branch() {
        assert_eq!(block(&[0x75, 0x10]).step(0x1ff8), Step::Instructions(0));
    }

    #[test]
    fn risc_v_blocks_are_told_by_the_ingress() {
        let block = Block::new(Isa::Riscv64, 0x1000, 2, 0x1004, &[0x82, 0x80]);
        assert_eq!(
            block.step(0x2000),
            record(BranchKind::Return, true, 0x2000, 0x1006)
        );
        let block = Block::new(Isa::Riscv64, 0x1000, 2, 0x1004, &[0x73, 0, 0, 0]);
        assert_eq!(block.step(0x1008), Step::Instructions(2));
        assert_eq!(
            block.step(0x2000),
            record(BranchKind::TrapReturn, true, 0x2000, 0x1008)
        );
    }
}
