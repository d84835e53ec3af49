//! A program's code as path profiling sees it: where each instruction ends and where control may go from there.
//!
//! Nothing here knows an instruction set. [`decode`](mod@crate::ingress::decode) decodes RISC-V into these types; descriptor walks and the recovery of
//! graphs from machine code read them.

use crate::branch::BranchKind;

/// A control transfer that an instruction makes when it retires.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Transfer {
    /// The kind its branch record will have.
    pub kind: BranchKind,
    /// Whether it may also fall through.
    pub conditional: bool,
    /// The address it goes to when taken; `None` if that is computed.
    pub target: Option<u64>,
}

impl Transfer {
    /// The kind of its record when it leads to `target`; `next` is the address after it. Of a jump whose target is in memory, this tells the
    /// direction.
    #[must_use]
    pub const fn kind_to(self, target: u64, next: u64) -> BranchKind {
        match (self.kind, self.target) {
            (BranchKind::Forward, None) if target < next => BranchKind::Backward,
            (kind, _) => kind,
        }
    }

    /// The transfer of an instruction at `at` with its target known, which gives a jump the direction that its encoding does not show.
    #[must_use]
    pub const fn to(self, at: u64, target: u64) -> Self {
        let kind = match self.kind {
            BranchKind::Forward if target <= at => BranchKind::Backward,
            kind => kind,
        };
        let target = Some(target);
        Self {
            kind,
            target,
            ..self
        }
    }
}

/// One instruction.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instruction {
    /// Address of the instruction after it in program order.
    pub next: u64,
    /// The transfer it makes; `None` if control always goes on to `next`.
    pub transfer: Option<Transfer>,
}

impl Instruction {
    /// The instruction as the last one of a hardware loop's body, which begins at `start`: a conditional branch back, though its encoding is none. An
    /// instruction that transfers control by itself stays what it is.
    #[must_use]
    pub const fn ending_loop(self, start: Option<u64>) -> Self {
        let back = Transfer {
            kind: BranchKind::Backward,
            conditional: true,
            target: start,
        };
        match self.transfer {
            Some(_) => self,
            None => Self {
                transfer: Some(back),
                ..self
            },
        }
    }
}

/// Code that can be looked up by address.
pub trait ProgramCode {
    /// The instruction at `address`; `None` if there is no code, or code that is not decoded.
    fn instruction(&self, address: u64) -> Option<Instruction>;

    /// Whether the address is marked as data. If control reaches it nevertheless, it is code.
    fn is_data(&self, _address: u64) -> bool {
        false
    }
}

impl<P: ProgramCode + ?Sized> ProgramCode for &P {
    fn instruction(&self, address: u64) -> Option<Instruction> {
        (**self).instruction(address)
    }

    fn is_data(&self, address: u64) -> bool {
        (**self).is_data(address)
    }
}
