//! A block as QEMU translates it, and the control transfer that ends it.

use hpp_explore::trace::Isa;
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::ingress::{Extensions, Instruction, Transfer, Vendor, Xlen, Zcm, decode_as, x86};

use crate::calls::Calls;

/// A block: instructions that run one after another.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Block {
    /// Address of the first instruction.
    pub start: u64,
    pub last: u64,
    pub next: u64,
    pub instructions: u32,
    /// How far behind the first each other one begins, if that is known.
    pub offsets: Box<[u16]>,
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
pub const SUPERVISOR: u8 = 1;
pub const MACHINE: u8 = 3;

/// How the next block was reached.
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
    pub fn new(isa: Isa, start: u64, instructions: u32, last: u64, bytes: &[u8]) -> Self {
        let word = |isa| {
            let mut word = [0; 4];
            let length = bytes.len().min(4);
            word[..length].copy_from_slice(&bytes[..length]);
            let word = u32::from_le_bytes(word);
            (hpp_golden::ingress::decode(word, last, isa), word == ECALL)
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
            offsets: Box::default(),
            transfer,
            is_system_call,
            leaves_handler: false,
            privilege: USER,
        }
    }

    /// The same block with the offsets of its instructions behind the first.
    #[must_use]
    pub fn with_offsets(self, offsets: Box<[u16]>) -> Self {
        Self { offsets, ..self }
    }

    /// Whether its end may lead to one of its own instructions behind the first. A machine of QEMU leaves a block at an access to a device and
    /// goes on behind it in a new block, which is no branch.
    pub fn may_end_inside(&self) -> bool {
        let inside = |target: Option<u64>| target.is_none_or(|to| self.went_on_inside(to));
        self.instructions > 1 && self.transfer.is_some_and(|end| inside(end.target))
    }

    /// The block without its last instruction, and that instruction as a block of its own. The offsets must be known.
    pub fn split(self) -> (Self, Self) {
        let before = self.offsets.len() - 1;
        let front = Self {
            last: self.start
                + before
                    .checked_sub(1)
                    .map_or(0, |place| self.offsets[place].into()),
            next: self.last,
            instructions: self.instructions - 1,
            offsets: self.offsets[..before].into(),
            transfer: None,
            is_system_call: false,
            ..self
        };
        let end = Self {
            start: self.last,
            instructions: 1,
            offsets: Box::default(),
            ..self
        };
        (front, end)
    }

    /// Whether the last instruction, whose bytes these are, transfers control on a processor with Zcmp or Zcmt and stores where there is D.
    pub fn is_shared(isa: Isa, bytes: &[u8]) -> bool {
        let half = match bytes {
            [low, high] if isa != Isa::X86_64 => u32::from(*low) | u32::from(*high) << 8,
            _ => return false,
        };
        matches!(Zcm::of(half), Some(Zcm::PopReturn(_) | Zcm::Table(_)))
    }

    /// The same block on a processor with Zcmp or Zcmt, of whose instructions the last is one.
    #[must_use]
    pub fn with_zcm(mut self, bytes: &[u8]) -> Self {
        let half = bytes
            .iter()
            .rev()
            .fold(0, |all, &byte| all << 8 | u64::from(byte));
        let extensions = Extensions {
            zcm: true,
            vendor: Vendor::None,
        };
        self.transfer = decode_as(half, self.last, Xlen::Rv64, extensions).transfer;
        self
    }

    /// The same block at a privilege level.
    #[must_use]
    pub const fn at(mut self, privilege: u8) -> Self {
        self.privilege = privilege;
        self
    }

    /// Whether it ends with the return from a trap, of a whole machine.
    pub const fn returns_from_trap(&self) -> bool {
        matches!(
            self.transfer,
            Some(Transfer {
                kind: BranchKind::TrapReturn,
                ..
            })
        )
    }

    /// Whether the block, interrupted, may continue there.
    pub fn may_go_on(&self, to: &Self) -> bool {
        let target = self.transfer.map(|transfer| transfer.target);
        self.privilege == to.privilege
            && (self.goes_on_inside(to.start)
                || self.next == to.start
                || target.is_some_and(|target| target.is_none_or(|target| target == to.start)))
    }

    /// The same block, if the instruction before the last has these bytes: perhaps it says which system call it is.
    #[must_use]
    pub fn preceded_by(mut self, isa: Isa, bytes: &[u8]) -> Self {
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
    pub fn repeats(&self, isa: Isa, bytes: &[u8]) -> bool {
        isa == Isa::X86_64 && self.instructions == 1 && x86::repeats(bytes)
    }

    /// What happened if `to` is the block after this one.
    ///
    /// A signal's handler begins by a trap. It returns to the block that leaves it, which is no branch: the trap return that this
    /// block makes is the end of both.
    pub fn step(&self, to: &Self, way: Way) -> Step {
        let returns = self.returns_from_trap();
        if to.privilege > self.privilege || returns && way.to_handler {
            return Step::Record(self.record(BranchKind::Trap, true, to.start));
        }
        if self.leaves_handler || returns {
            return Step::Record(self.record(BranchKind::TrapReturn, true, to.start));
        }
        if self.began_again(to) || way.resumed && self.goes_on_inside(to.start) {
            return Step::Instructions(self.retired_before(to.start));
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

    /// Whether QEMU stopped at the first instruction and runs it as a block of its own, as it does for atomic accesses and for code that changes itself.
    const fn began_again(&self, to: &Self) -> bool {
        to.start == self.start && to.instructions < self.instructions
    }

    /// Whether an interrupted block continues at one of its own instructions. If that is also the target of its branch, the block had ended.
    fn goes_on_inside(&self, to: u64) -> bool {
        let target = self.transfer.and_then(|transfer| transfer.target);
        (self.start == to || self.went_on_inside(to)) && target != Some(to)
    }

    const fn went_on_inside(&self, to: u64) -> bool {
        self.start < to && to <= self.last
    }

    /// QEMU drops the last of several instructions where it crosses into the next page, but still shows it. It then begins
    /// the next block.
    fn dropped(&self, to: u64) -> bool {
        to == self.last && self.instructions > 1 && self.crosses_page()
    }

    /// How many of its instructions come before this one.
    fn retired_before(&self, to: u64) -> u32 {
        let place = (self.offsets.iter()).position(|&offset| self.start + u64::from(offset) == to);
        place.map_or(0, |place| place as u32 + 1)
    }

    const fn crosses_page(&self) -> bool {
        self.last / PAGE != (self.next - 1) / PAGE
    }

    fn transferred(&self, transfer: Transfer, to: u64, way: Way) -> Step {
        let taken = match transfer {
            Transfer {
                target: None, kind, ..
            } if way.to_handler && self.calls_no_handler(kind) => return self.elsewhere(to),
            Transfer { target: None, .. } => true,
            _ if transfer.target == Some(to) => true,
            _ if transfer.conditional && to == self.next => false,
            _ => return self.elsewhere(to),
        };
        let kind = transfer.to(self.last, to).kind;
        Step::Record(self.record(kind, taken, to))
    }

    /// A program may call a handler like any procedure, through a register. No kernel calls its handlers, nor does firmware.
    const fn calls_no_handler(&self, kind: BranchKind) -> bool {
        !matches!(kind, BranchKind::IndirectCall) || self.privilege > USER
    }

    /// Control went where the block cannot lead: a signal was handled.
    fn elsewhere(&self, to: u64) -> Step {
        if self.start == to || self.went_on_inside(to) {
            // QEMU left the block before its end and continues inside, or a handler repaired a fault of its first instruction.
            return Step::Instructions(self.retired_before(to));
        }
        Step::Record(self.record(BranchKind::Trap, true, to))
    }

    const fn record(&self, kind: BranchKind, taken: bool, target: u64) -> BranchRecord {
        BranchRecord {
            kind,
            taken,
            target,
            next: match kind {
                BranchKind::Trap => self.last,
                _ => self.next,
            },
            events: 0,
        }
    }
}

const ECALL: u32 = 0x73;

/// RISC-V's `li a7, NUMBER`, and the bits that are not the number.
const LI_A7: u32 = 0x893;
const LI_A7_MASK: u32 = 0xf_ffff;

#[cfg(test)]
mod tests;
