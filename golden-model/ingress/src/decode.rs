//! The classification of one RISC-V instruction.

use raki::{BaseIOpcode, COpcode, Decode, Isa, OpcodeKind};
use serde::{Deserialize, Serialize};

use crate::code::{Instruction, Transfer};
use hpp_golden::branch::BranchKind;
use hpp_golden::config::Geometry;

/// The width of the integer registers, and so of addresses.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Xlen {
    /// RV32.
    Rv32,
    /// RV64.
    Rv64,
}

impl Xlen {
    /// A geometry with addresses of this width.
    pub(crate) fn geometry(self) -> Geometry {
        Geometry {
            pc_bits: match self {
                Self::Rv32 => 32,
                Self::Rv64 => 64,
            },
            ..Geometry::default()
        }
    }

    /// `address` modulo 2^XLEN.
    #[must_use]
    pub const fn wrap(self, address: u64) -> u64 {
        match self {
            Self::Rv32 => address & 0xffff_ffff,
            Self::Rv64 => address,
        }
    }

    const fn isa(self) -> Isa {
        match self {
            Self::Rv32 => Isa::Rv32,
            Self::Rv64 => Isa::Rv64,
        }
    }
}

/// Bytes of the instruction whose low half word is in `insn`: 2 if compressed, else 4.
#[must_use]
pub const fn length(insn: u32) -> u64 {
    if insn & 3 == 3 { 4 } else { 2 }
}

/// Classifies the instruction `insn` at address `pc`.
///
/// A compressed instruction sits in bits 15 to 0; the other bits are then ignored. Instructions that are no control
/// transfers, unknown ones included, have no [transfer](Instruction::transfer).
///
/// ```
/// use hpp_golden::branch::BranchKind;
/// use hpp_ingress::{Xlen, decode};
///
/// let ret = decode(0x8082, 0x1000, Xlen::Rv32); // c.jr ra
/// assert_eq!(ret.next, 0x1002);
/// assert_eq!(ret.transfer.map(|t| t.kind), Some(BranchKind::Return));
/// ```
#[must_use]
pub fn decode(insn: u32, pc: u64, xlen: Xlen) -> Instruction {
    Instruction {
        next: xlen.wrap(pc.wrapping_add(length(insn))),
        transfer: transfer(insn, pc, xlen),
    }
}

fn transfer(insn: u32, pc: u64, xlen: Xlen) -> Option<Transfer> {
    if length(insn) == 4 && insn & TRAP_RETURN_MASK == TRAP_RETURN {
        return Some(computed(BranchKind::TrapReturn));
    }
    let decoded = match u16::try_from(insn & 0xffff) {
        Ok(half) if length(insn) == 2 => half.decode(xlen.isa()),
        _ => insn.decode(xlen.isa()),
    }
    .ok()?;
    let rd = decoded.rd.unwrap_or(0);
    let rs1 = decoded.rs1.unwrap_or(0);
    let direct = |conditional| {
        decoded
            .imm
            .map(|offset| direct(pc, offset.into(), conditional, xlen))
    };
    match decoded.opc {
        OpcodeKind::BaseI(opcode) => match opcode {
            BaseIOpcode::JAL if is_link(rd) => direct(false).map(call),
            BaseIOpcode::JAL => direct(false),
            BaseIOpcode::JALR => Some(computed(jalr_kind(rd, rs1))),
            BaseIOpcode::BEQ
            | BaseIOpcode::BNE
            | BaseIOpcode::BLT
            | BaseIOpcode::BGE
            | BaseIOpcode::BLTU
            | BaseIOpcode::BGEU => direct(true),
            _ => None,
        },
        OpcodeKind::C(opcode) => match opcode {
            COpcode::J => direct(false),
            COpcode::JAL => direct(false).map(call),
            COpcode::BEQZ | COpcode::BNEZ => direct(true),
            COpcode::JR if rs1 != 0 => Some(computed(jalr_kind(0, rs1))),
            COpcode::JALR if rs1 != 0 => Some(computed(jalr_kind(1, rs1))),
            _ => None,
        },
        _ => None,
    }
}

/// `uret`, `sret`, `hret` and `mret` differ in bits 29 and 28 only.
const TRAP_RETURN: u32 = 0x0020_0073;
const TRAP_RETURN_MASK: u32 = 0xcfff_ffff;

/// Whether register `x<register>` is a link register.
const fn is_link(register: usize) -> bool {
    register == 1 || register == 5
}

/// The kind of a computed jump, by the manual's hints.
const fn jalr_kind(rd: usize, rs1: usize) -> BranchKind {
    match (is_link(rd), is_link(rs1)) {
        (false, false) => BranchKind::Indirect,
        (false, true) => BranchKind::Return,
        (true, true) if rd != rs1 => BranchKind::Indirect,
        (true, _) => BranchKind::IndirectCall,
    }
}

/// A direct branch or jump by `offset`.
fn direct(pc: u64, offset: i64, conditional: bool, xlen: Xlen) -> Transfer {
    Transfer {
        kind: if offset > 0 {
            BranchKind::Forward
        } else {
            BranchKind::Backward
        },
        conditional,
        target: Some(xlen.wrap(pc.wrapping_add_signed(offset))),
    }
}

const fn call(jump: Transfer) -> Transfer {
    Transfer {
        kind: BranchKind::Call,
        ..jump
    }
}

const fn computed(kind: BranchKind) -> Transfer {
    Transfer {
        kind,
        conditional: false,
        target: None,
    }
}
