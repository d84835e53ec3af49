//! A block as QEMU translates it, and the control transfer that ends it.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_ingress::{Instruction, Transfer, Xlen, x86};
use hpp_trace::Isa;

use crate::calls::Calls;

/// A block: instructions that run one after another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
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
    /// The system call is the one that leaves a signal's handler.
    pub leaves_handler: bool,
    /// The privilege level at which it runs in a whole machine. Programs run at [`USER`].
    pub privilege: u8,
}

/// Privilege levels, by RISC-V's numbers.
pub const USER: u8 = 0;
/// The kernel's.
pub const SUPERVISOR: u8 = 1;
/// The firmware's.
pub const MACHINE: u8 = 3;

/// What is known of the way to the next block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Way {
    /// The block was interrupted, perhaps before its end, and now goes on.
    pub resumed: bool,
    /// Signals were handled where the next block begins.
    pub to_handler: bool,
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
            leaves_handler: false,
            privilege: USER,
        }
    }

    /// The same block at a privilege level.
    #[must_use]
    pub const fn at(mut self, privilege: u8) -> Self {
        self.privilege = privilege;
        self
    }

    /// Whether it ends with the return from a trap, of a whole machine.
    #[must_use]
    pub const fn returns_from_trap(&self) -> bool {
        matches!(
            self.transfer,
            Some(Transfer {
                kind: BranchKind::TrapReturn,
                ..
            })
        )
    }

    /// Whether, interrupted, it may go on there.
    #[must_use]
    pub fn may_go_on(&self, to: &Self) -> bool {
        let target = self.transfer.map(|transfer| transfer.target);
        self.privilege == to.privilege
            && (self.goes_on_inside(to.start)
                || self.next == to.start
                || target.is_some_and(|target| target.is_none_or(|target| target == to.start)))
    }

    /// The same block, if the instruction before the last has these bytes: perhaps it says which system call it is.
    #[must_use]
    pub fn behind(mut self, isa: Isa, bytes: &[u8]) -> Self {
        let number = match isa {
            Isa::X86_64 => x86::number_loaded(bytes),
            Isa::Riscv32 | Isa::Riscv64 => match bytes.try_into().map(u32::from_le_bytes) {
                Ok(word) if word & LI_A7_MASK == LI_A7 => Some(word >> 20),
                _ => None,
            },
        };
        let leaves = number.is_some_and(|number| Calls(isa).leaves_handler(number.into()));
        self.leaves_handler = self.is_system_call && leaves;
        self
    }

    /// Whether it is one instruction that begins again at its own address: a string instruction, for all but the last time.
    #[must_use]
    pub fn repeats(&self, isa: Isa, bytes: &[u8]) -> bool {
        isa == Isa::X86_64 && self.instructions == 1 && x86::repeats(bytes)
    }

    /// What happened if `to` is the block after this one.
    ///
    /// A signal's handler begins by a trap. It returns to the block that leaves it, which is no branch: the trap return that this
    /// block makes is the end of both.
    #[must_use]
    pub fn step(&self, to: &Self, way: Way) -> Step {
        let returns = self.returns_from_trap();
        if to.privilege > self.privilege || returns && way.to_handler {
            return Step::Record(self.record(BranchKind::Trap, true, to.start));
        }
        if self.leaves_handler || returns {
            return Step::Record(self.record(BranchKind::TrapReturn, true, to.start));
        }
        if self.began_again(to) || way.resumed && self.goes_on_inside(to.start) {
            return Step::Instructions(0);
        }
        let to_start = to.start;
        match self.transfer {
            Some(Transfer { target: None, .. }) if to.leaves_handler => {
                Step::Instructions(self.instructions)
            }
            Some(_) if self.dropped(to_start) => Step::Instructions(self.instructions - 1),
            Some(transfer) => self.transferred(transfer, to_start, way),
            None if to_start == self.next => Step::Instructions(self.instructions),
            // A string instruction that repeats itself is a block of its own each time.
            None if to_start == self.last => Step::Instructions(self.instructions - 1),
            None => self.elsewhere(to_start),
        }
    }

    /// QEMU did not get beyond the first instruction and runs it by itself, as it does to make an access atomic and where code changes itself.
    const fn began_again(&self, to: &Self) -> bool {
        to.start == self.start && to.instructions < self.instructions
    }

    /// Whether a handler has let it go on at an instruction that it had come to, the first one too if it does not branch there.
    fn goes_on_inside(&self, to: u64) -> bool {
        let target = self.transfer.and_then(|transfer| transfer.target);
        self.went_on_inside(to) || self.start == to && target != Some(to)
    }

    const fn went_on_inside(&self, to: u64) -> bool {
        self.start < to && to <= self.last
    }

    /// QEMU drops the last of several instructions where it crosses into the next page, but still shows it. It then begins
    /// the next block.
    fn dropped(&self, to: u64) -> bool {
        to == self.last && self.instructions > 1 && self.crosses_page()
    }

    const fn crosses_page(&self) -> bool {
        self.last / PAGE != (self.next - 1) / PAGE
    }

    fn transferred(&self, transfer: Transfer, to: u64, way: Way) -> Step {
        let taken = match transfer {
            // Handlers are called through registers, too.
            Transfer {
                target: None,
                kind: BranchKind::Return | BranchKind::Indirect,
                ..
            } if way.to_handler => return self.elsewhere(to),
            Transfer { target: None, .. } => true,
            _ if transfer.target == Some(to) => true,
            _ if transfer.conditional && to == self.next => false,
            _ => return self.elsewhere(to),
        };
        Step::Record(self.record(transfer.kind, taken, to))
    }

    /// Control went where the block does not lead to: a signal.
    fn elsewhere(&self, to: u64) -> Step {
        if self.start == to || self.went_on_inside(to) {
            // QEMU did not get to the end and goes on inside, or a handler mended what its first instruction met.
            return Step::Instructions(0);
        }
        Step::Record(self.record(BranchKind::Trap, true, to))
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

/// RISC-V's `li a7, NUMBER`, and the bits that are not the number.
const LI_A7: u32 = 0x893;
const LI_A7_MASK: u32 = 0xf_ffff;

#[cfg(test)]
mod tests {
    use super::*;

    /// Four instructions at 0x1ff0 that end with these bytes at 0x1ffe.
    fn block(bytes: &[u8]) -> Block {
        Block::new(Isa::X86_64, 0x1ff0, 4, 0x1ffe, bytes)
    }

    /// A block of four instructions that begins here.
    fn at(start: u64) -> Block {
        Block::new(Isa::X86_64, start, 4, start + 6, &[0x90])
    }

    fn step(block: &Block, to: u64) -> Step {
        block.step(&at(to), Way::default())
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

    fn trap(block: &Block, target: u64) -> Step {
        record(BranchKind::Trap, true, target, block.next)
    }

    const RESUMED: Way = Way {
        resumed: true,
        to_handler: false,
    };
    const TO_HANDLER: Way = Way {
        resumed: false,
        to_handler: true,
    };

    #[test]
    fn a_branch_is_taken_or_not() {
        let block = block(&[0x75, 0x10]);
        let forward = |taken, target| record(BranchKind::Forward, taken, target, 0x2000);
        assert_eq!(step(&block, 0x2010), forward(true, 0x2010));
        assert_eq!(step(&block, 0x2000), forward(false, 0x2000));
    }

    #[test]
    fn a_signal_is_a_trap_out_of_a_system_call_too() {
        for end in [&[0x75, 0x10], &[0x90, 0x90], &[0x0f, 0x05]] {
            let block = block(end);
            assert_eq!(step(&block, 0x4000), trap(&block, 0x4000), "{end:x?}");
        }
    }

    #[test]
    fn behind_a_return_or_a_jump_it_is_one_if_signals_were_handled_there() {
        let [ret, jump, call] = [[0x48, 0xc3], [0xff, 0xe0], [0xff, 0xd0]].map(|end| block(&end));
        for block in [&ret, &jump] {
            assert_eq!(block.step(&at(0x4000), TO_HANDLER), trap(block, 0x4000));
        }
        // A handler may be called like any procedure.
        let called = record(BranchKind::IndirectCall, true, 0x4000, 0x2000);
        assert_eq!(call.step(&at(0x4000), TO_HANDLER), called);
    }

    #[test]
    fn a_handler_ends_with_the_block_that_leaves_it() {
        let [mov, li] = [&[0x48, 0xc7, 0xc0, 15, 0, 0, 0][..], &[0xb8, 15, 0, 0, 0]];
        for number in [mov, li] {
            let leaves = block(&[0x0f, 0x05]).behind(Isa::X86_64, number);
            assert!(leaves.leaves_handler);
            let ret = block(&[0x48, 0xc3]);
            assert_eq!(ret.step(&leaves, Way::default()), Step::Instructions(4));
            let left = record(BranchKind::TrapReturn, true, 0x4000, 0x2000);
            assert_eq!(step(&leaves, 0x4000), left);
            assert_eq!(
                step(&leaves, 0x2000),
                record(BranchKind::TrapReturn, true, 0x2000, 0x2000)
            );
        }
        let other = block(&[0x0f, 0x05]).behind(Isa::X86_64, &[0xb8, 60, 0, 0, 0]);
        assert!(!other.leaves_handler);
        let ecall = Block::new(Isa::Riscv64, 0x1000, 2, 0x1004, &[0x73, 0, 0, 0]);
        let li = |number: u32| (number << 20 | 0x893).to_le_bytes();
        assert!(ecall.clone().behind(Isa::Riscv64, &li(139)).leaves_handler);
        assert!(!ecall.behind(Isa::Riscv64, &li(93)).leaves_handler);
    }

    #[test]
    fn what_was_interrupted_goes_on_where_it_was() {
        for end in [&[0x75, 0x10], &[0x48, 0xc3], &[0x90, 0x90], &[0xff, 0xe0]] {
            let block = block(end);
            assert_eq!(
                block.step(&at(0x1ff8), RESUMED),
                Step::Instructions(0),
                "{end:x?}"
            );
        }
        // At its first instruction, where that is not where it leads; or behind its end.
        let branch = block(&[0x75, 0x10]);
        for block in [&branch, &block(&[0x48, 0xc3]), &block(&[0xff, 0xe0])] {
            assert_eq!(block.step(&at(0x1ff0), RESUMED), Step::Instructions(0));
        }
        let round = block(&[0x75, 0xf0]);
        assert!(matches!(round.step(&at(0x1ff0), RESUMED), Step::Record(_)));
        assert!(matches!(branch.step(&at(0x2010), RESUMED), Step::Record(_)));
        assert_eq!(branch.step(&at(0x4000), RESUMED), trap(&branch, 0x4000));
    }

    #[test]
    fn without_a_branch_instructions_retire() {
        assert_eq!(step(&block(&[0x90, 0x90]), 0x2000), Step::Instructions(4));
        assert_eq!(step(&block(&[0xf3, 0xa4]), 0x1ffe), Step::Instructions(3));
        let alone = Block::new(Isa::X86_64, 0x1ffe, 1, 0x1ffe, &[0xf3, 0xa4]);
        assert!(alone.repeats(Isa::X86_64, &[0xf3, 0xa4]));
        assert!(!alone.repeats(Isa::X86_64, &[0xa4]) && !alone.repeats(Isa::X86_64, &[0xf3, 0x90]));
    }

    #[test]
    fn a_branch_that_was_dropped_at_a_page_edge_did_not_retire() {
        let crossing = block(&[0x0f, 0x84, 0, 0, 0, 0]);
        assert_eq!(step(&crossing, 0x1ffe), Step::Instructions(3));
        assert_eq!(
            step(&crossing, 0x2004),
            record(BranchKind::Forward, true, 0x2004, 0x2004)
        );
        // Alone in its block it is not dropped, and one that ends with the page is not either.
        let alone = Block::new(Isa::X86_64, 0x1ffe, 1, 0x1ffe, &[0x0f, 0x84, 0, 0, 0, 0]);
        assert!(matches!(step(&alone, 0x2004), Step::Record(_)));
        let spins = block(&[0xe2, 0xfe]);
        assert_eq!(
            step(&spins, 0x1ffe),
            record(BranchKind::Backward, true, 0x1ffe, 0x2000)
        );
    }

    #[test]
    fn a_block_that_was_left_inside_or_began_again_is_no_branch() {
        let inside = block(&[0x75, 0x10]);
        assert_eq!(step(&inside, 0x1ff8), Step::Instructions(0));
        // A loop of one block whose first instruction QEMU runs by itself, and one that went round.
        let round = block(&[0x75, 0xf0]);
        let first = Block::new(Isa::X86_64, 0x1ff0, 1, 0x1ff0, &[0xf0, 0xff, 0x00]);
        assert_eq!(round.step(&first, Way::default()), Step::Instructions(0));
        let back = record(BranchKind::Backward, true, 0x1ff0, 0x2000);
        assert_eq!(round.step(&round, Way::default()), back);
    }

    #[test]
    fn risc_v_blocks_are_told_by_the_ingress() {
        let block = Block::new(Isa::Riscv64, 0x1000, 2, 0x1004, &[0x82, 0x80]);
        assert_eq!(
            step(&block, 0x2000),
            record(BranchKind::Return, true, 0x2000, 0x1006)
        );
        let block = Block::new(Isa::Riscv64, 0x1000, 2, 0x1004, &[0x73, 0, 0, 0]);
        assert_eq!(step(&block, 0x1008), Step::Instructions(2));
        assert_eq!(step(&block, 0x2000), trap(&block, 0x2000));
    }

    /// Two instructions of a machine that end with this word.
    fn of_machine(start: u64, word: u32, privilege: u8) -> Block {
        let bytes = word.to_le_bytes();
        Block::new(Isa::Riscv64, start, 2, start + 4, &bytes).at(privilege)
    }

    #[test]
    fn more_privilege_comes_by_a_trap_and_goes_by_its_return() {
        const SRET: u32 = 0x1020_0073;
        const RET: u32 = 0x0000_8067;
        let (user, handler) = (of_machine(0x100, RET, 0), of_machine(0x800, SRET, 1));
        let way = Way::default();
        assert_eq!(
            user.step(&handler, way),
            record(BranchKind::Trap, true, 0x800, 0x108)
        );
        let back = record(BranchKind::TrapReturn, true, 0x100, 0x808);
        assert_eq!(handler.step(&user, way), back);
        // The next trap came before anything ran.
        let known = Way {
            to_handler: true,
            ..way
        };
        let trap = record(BranchKind::Trap, true, 0x800, 0x808);
        assert_eq!(handler.step(&handler, known), trap);
        // Interrupted, it goes on where its return leads, or inside; in another task, which has its own.
        let elsewhere = of_machine(0x400, RET, 0);
        assert!(user.may_go_on(&elsewhere) && !user.may_go_on(&handler));
        let straight = of_machine(0x100, ECALL, 0);
        let behind = of_machine(0x108, RET, 0);
        assert!(straight.may_go_on(&behind) && !straight.may_go_on(&elsewhere));
    }
}
