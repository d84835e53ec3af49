//! The branch record: what a core tells the profiler about each retiring control transfer.

use core::fmt;

use serde::{Deserialize, Serialize};

/// The kind of a control transfer, as encoded on the `br_kind` port (3 bits).
///
/// The Path Profiler Control Register holds one row of operations for each kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum BranchKind {
    /// A direct branch or jump, conditional or not, whose encoded target lies after the branch.
    Forward = 0,
    /// A direct branch or jump whose encoded target is the branch itself or lies before it, taken or not.
    Backward = 1,
    /// A computed jump that is neither a call nor a return.
    Indirect = 2,
    /// A direct call.
    Call = 3,
    /// A return from a procedure.
    Return = 4,
    /// A computed call.
    IndirectCall = 5,
    /// An exception or interrupt being taken.
    Trap = 6,
    /// The return from a trap handler.
    TrapReturn = 7,
}

impl BranchKind {
    /// How many kinds there are.
    pub const COUNT: usize = 8;

    /// Every kind, in the order of its code.
    pub const ALL: [Self; Self::COUNT] = [
        Self::Forward,
        Self::Backward,
        Self::Indirect,
        Self::Call,
        Self::Return,
        Self::IndirectCall,
        Self::Trap,
        Self::TrapReturn,
    ];

    /// The three-bit code on the `br_kind` port.
    pub const fn code(self) -> u8 {
        self as u8
    }

    /// The kind with this three-bit code; bits above the third are ignored.
    pub const fn from_code(code: u8) -> Self {
        Self::ALL[(code & 7) as usize]
    }

    /// The field's name of the kind, in words.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Forward => "forward",
            Self::Backward => "backward",
            Self::Indirect => "indirect",
            Self::Call => "call",
            Self::Return => "return",
            Self::IndirectCall => "indirect call",
            Self::Trap => "trap",
            Self::TrapReturn => "trap return",
        }
    }
}

impl fmt::Display for BranchKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// One retiring control transfer, taken or not.
///
/// Addresses are byte addresses; in hardware they are [`pc_bits`](crate::config::Geometry::pc_bits) wide. Where the geometry has
/// contexts, that of the next instruction stands above the target's address ([`in_context`](crate::config::Geometry::in_context)).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct BranchRecord {
    /// What kind of transfer it is.
    pub kind: BranchKind,
    /// The outcome of a conditional branch; `true` for every other kind.
    pub taken: bool,
    /// Address of the next instruction that retires (the fall-through address if not taken).
    pub target: u64,
    /// Address of the instruction after the branch in program order (the return address of a call); of a trap, the address of the
    /// instruction that trapped or was interrupted.
    pub next: u64,
    /// Events of the selected type since the previous record (the block event counter).
    pub events: u32,
}

impl BranchRecord {
    /// A transfer without events, in the order of the fields.
    pub const fn new(kind: BranchKind, taken: bool, target: u64, next: u64) -> Self {
        Self {
            kind,
            taken,
            target,
            next,
            events: 0,
        }
    }

    /// The same with so many events.
    #[must_use]
    pub const fn with_events(self, events: u32) -> Self {
        Self { events, ..self }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_code_names_its_kind() {
        for kind in BranchKind::ALL {
            assert_eq!(BranchKind::from_code(kind.code()), kind);
            assert_eq!(BranchKind::ALL[usize::from(kind.code())], kind);
        }
    }

    #[test]
    fn a_kind_is_named_as_its_row_of_the_control_register() {
        for (kind, row) in BranchKind::ALL
            .iter()
            .zip(crate::registers::PPCR_ROWS.fields)
        {
            assert_eq!(kind.to_string().replace(' ', "_").to_uppercase(), row.name);
        }
    }
}
