//! The classification of one RISC-V instruction.
//!
//! [`decode()`] knows what the ingress circuits know of any core. [`decode_as`] also knows the control transfers that extensions put where others
//! have something else ([`Extensions`]): Zcmp and Zcmt in the place of `c.fsdsp`, and those of vendors in the space of custom opcodes. An ingress
//! circuit knows those that its core has, as far as 32 bits tell ([`decode_shown`]).
//!
//! Sources: The RISC-V Instruction Set Manual, volume I, for I, C, Zcmp, Zcmt and Zibi; the vendors' specifications of XCVbi, XAndesPerf, Xqcibi,
//! Xqcilb and Xqciint.

use serde::{Deserialize, Serialize};

use crate::branch::BranchKind;
use crate::config::Geometry;
use crate::ingress::code::{Instruction, Transfer};

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
    pub const fn wrap(self, address: u64) -> u64 {
        match self {
            Self::Rv32 => address & 0xffff_ffff,
            Self::Rv64 => address,
        }
    }
}

/// Bytes of the instruction whose low half word is in `insn`: 2 if compressed, else 4.
pub const fn length(insn: u32) -> u64 {
    if insn & 3 == 3 { 4 } else { 2 }
}

/// Whose custom opcodes a program or a core has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Vendor {
    /// No vendor's, or only opcodes that do not branch.
    #[default]
    None,
    /// Unknown: an instruction is a branch if it is one for any vendor below.
    #[serde(skip)]
    Any,
    /// CORE-V: XCVbi, and hardware loops.
    CoreV,
    /// Andes: XAndesPerf.
    Andes,
    /// Qualcomm: Xqcibi, Xqcilb, Xqciint; instructions of 48 bits.
    Qualcomm,
}

impl Vendor {
    /// Those whose branches are known, with the names that options give them.
    pub const NAMED: [(Self, &'static str); 3] = [
        (Self::CoreV, "core-v"),
        (Self::Andes, "andes"),
        (Self::Qualcomm, "qualcomm"),
    ];
}

/// Which extension has an encoding that several share. The default is the reading of the ingress circuits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extensions {
    /// Zcmp and Zcmt (Xqccmp, too) have the encodings of `c.fsdsp`.
    pub zcm: bool,
    /// Whose the custom opcodes are.
    pub vendor: Vendor,
}

impl Extensions {
    fn has(self, vendor: Vendor) -> bool {
        self.vendor == vendor || self.vendor == Vendor::Any
    }
}

/// What an instruction is that Zcmp or Zcmt (Xqccmp, Xqccmt) have in the place of `c.fsdsp`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Zcm {
    /// `cm.push`, with its list of registers.
    Push(u8),
    /// `cm.popret` or `cm.popretz`, with its list of registers.
    PopReturn(u8),
    /// `cm.pop` and moves.
    Straight,
    /// `cm.jt` below 32, else `cm.jalt`: the entry of the table.
    Table(u8),
}

impl Zcm {
    /// The instruction of Zcmp or Zcmt that a half word is; `None` if it is another.
    pub const fn of(half: u32) -> Option<Self> {
        let list = (half >> 4 & 0xf) as u8;
        match half & 0xff03 {
            0xb802 if list >= 4 => Some(Self::Push(list)),
            // Xqccmp's, which sets the frame pointer.
            0xb902 if list >= 5 => Some(Self::Push(list)),
            0xba02 if list >= 4 => Some(Self::Straight),
            0xbc02 | 0xbe02 if list >= 4 => Some(Self::PopReturn(list)),
            _ if half & 0xfc23 == 0xac22 => Some(Self::Straight),
            _ if half & 0xfc03 == 0xa002 => Some(Self::Table((half >> 2) as u8)),
            _ => None,
        }
    }
}

/// Classifies the instruction `insn` at address `pc` as the ingress circuits do.
///
/// A compressed instruction sits in bits 15 to 0; the other bits are then ignored. Instructions that are no control
/// transfers, unknown ones included, have no [transfer](Instruction::transfer).
///
/// ```
/// use hpp_golden::branch::BranchKind;
/// use hpp_golden::ingress::{Xlen, decode};
///
/// let ret = decode(0x8082, 0x1000, Xlen::Rv32); // c.jr ra
/// assert_eq!(ret.next, 0x1002);
/// assert_eq!(ret.transfer.map(|t| t.kind), Some(BranchKind::Return));
/// ```
pub fn decode(insn: u32, pc: u64, xlen: Xlen) -> Instruction {
    decode_as(insn.into(), pc, xlen, Extensions::default())
}

/// Classifies an instruction of 16, 32 or, for Qualcomm, 48 bits, in the low bits of `insn`. The target of `cm.jt` and `cm.jalt` is in memory: they
/// have none here, and `cm.jt` is *forward*.
pub fn decode_as(insn: u64, pc: u64, xlen: Xlen, extensions: Extensions) -> Instruction {
    let word = insn as u32;
    let long = insn & 0x3f == 0x1f && extensions.has(Vendor::Qualcomm);
    let (length, transfer) = match length(word) {
        _ if long => (6, long_transfer(insn)),
        4 => (4, transfer(word, xlen, extensions)),
        _ => (2, short_transfer(word & 0xffff, xlen, extensions)),
    };
    Instruction {
        next: xlen.wrap(pc.wrapping_add(length)),
        transfer: transfer.map(|(kind, offset)| Transfer {
            kind: kind.unwrap_or(match offset {
                Some(Offset { by: ..=0, .. }) => BranchKind::Backward,
                _ => BranchKind::Forward,
            }),
            conditional: offset.is_some_and(|offset| offset.conditional),
            target: offset.map(|offset| xlen.wrap(pc.wrapping_add_signed(offset.by))),
        }),
    }
}

/// Classifies an instruction of which a port shows 32 bits. Of Qualcomm's instructions of 48 bits, `qc.e.j` and `qc.e.jal` then have no target, and
/// `qc.e.j` is *forward*. Of a branch only an immediate is missing; it is taken for other than 0, which is reserved and traps.
pub fn decode_shown(insn: u32, pc: u64, xlen: Xlen, extensions: Extensions) -> Instruction {
    let mut shown = decode_as(u64::from(insn) | 1 << 32, pc, xlen, extensions);
    if insn & 0x3f == 0x1f
        && let Some(transfer) = &mut shown.transfer
        && !transfer.conditional
    {
        transfer.target = None;
        if transfer.kind == BranchKind::Backward {
            transfer.kind = BranchKind::Forward;
        }
    }
    shown
}

/// How far a direct transfer goes.
#[derive(Clone, Copy)]
struct Offset {
    by: i64,
    conditional: bool,
}

/// The kind, `None` if the direction decides it, and the offset of a direct transfer.
type Class = Option<(Option<BranchKind>, Option<Offset>)>;

/// Bits of an offset: from HIGH to LOW of the instruction to bit TO. The first has the sign at its top.
type Field = (u32, u32, u32);

const B: &[Field] = &[(31, 31, 12), (7, 7, 11), (30, 25, 5), (11, 8, 1)];
const J: &[Field] = &[(31, 31, 20), (19, 12, 12), (20, 20, 11), (30, 21, 1)];
const CB: &[Field] = &[(12, 12, 8), (6, 5, 6), (2, 2, 5), (11, 10, 3), (4, 3, 1)];
#[rustfmt::skip]
const CJ: &[Field] = &[
    (12, 12, 11), (8, 8, 10), (10, 9, 8), (6, 6, 7), (7, 7, 6), (2, 2, 5), (11, 11, 4), (5, 3, 1),
];
/// Of Andes' branches.
const NDS: &[Field] = &[(31, 31, 10), (29, 25, 5), (11, 8, 1)];
/// Of `qc.e.j` and `qc.e.jal`.
#[rustfmt::skip]
const QC_J: &[Field] = &[(47, 32, 16), (19, 17, 13), (31, 31, 12), (7, 7, 11), (30, 25, 5), (11, 8, 1)];

fn offset(insn: u64, fields: &[Field]) -> i64 {
    let field = |&(high, low, to): &Field| (insn << (63 - high) >> (63 - high + low)) << to;
    let (top, _, to) = fields[0];
    let width = to + top - fields[0].1;
    let sign = (insn >> top & 1).wrapping_neg() << width;
    fields.iter().map(field).fold(sign, |all, part| all | part) as i64
}

fn jump(insn: u64, fields: &[Field]) -> Class {
    let by = offset(insn, fields);
    let conditional = false;
    Some((None, Some(Offset { by, conditional })))
}

fn call(insn: u64, fields: &[Field]) -> Class {
    jump(insn, fields).map(|(_, to)| (Some(BranchKind::Call), to))
}

fn branch(insn: u64, fields: &[Field]) -> Class {
    let by = offset(insn, fields);
    let conditional = true;
    Some((None, Some(Offset { by, conditional })))
}

const fn computed(kind: BranchKind) -> Class {
    Some((Some(kind), None))
}

/// `uret`, `sret`, `hret` and `mret` differ in bits 29 and 28 only.
const TRAP_RETURN: u32 = 0x0020_0073;
const TRAP_RETURN_MASK: u32 = 0xcfff_ffff;

fn transfer(insn: u32, xlen: Xlen, extensions: Extensions) -> Class {
    let (rd, funct3, rs1) = (insn >> 7 & 0x1f, insn >> 12 & 7, insn >> 15 & 0x1f);
    let is_rv32 = xlen == Xlen::Rv32;
    let wide = insn.into();
    match (insn & 0x7f, funct3) {
        // With Zibi's beqi and bnei, 2 and 3.
        (0x63, _) => branch(wide, B),
        (0x6f, _) if is_link(rd) => call(wide, J),
        (0x6f, _) => jump(wide, J),
        (0x67, _) => computed(jalr_kind(rd, rs1)),
        (0x73, _) if insn & TRAP_RETURN_MASK == TRAP_RETURN => computed(BranchKind::TrapReturn),
        (0x0b, 6 | 7) if is_rv32 && extensions.has(Vendor::CoreV) => branch(wide, B),
        // Bits above 31 are there on RV64 alone.
        (0x5b, 7) if is_rv32 && insn & 0x80 != 0 => None,
        (0x5b, 5..) if extensions.has(Vendor::Andes) => branch(wide, NDS),
        // Register 0 and the immediate 0 are reserved.
        (0x7b, 0 | 1 | 4..)
            if is_rv32
                && extensions.has(Vendor::Qualcomm)
                && rs1 != 0
                && insn & 0x01f0_0000 != 0 =>
        {
            branch(wide, B)
        }
        _ => None,
    }
}

fn short_transfer(insn: u32, xlen: Xlen, extensions: Extensions) -> Class {
    let (funct3, rs1) = (insn >> 13, insn >> 7 & 0x1f);
    let wide = insn.into();
    match (insn & 3, funct3) {
        (1, 5) => jump(wide, CJ),
        (1, 1) if xlen == Xlen::Rv32 => call(wide, CJ),
        (1, 6 | 7) => branch(wide, CB),
        (2, 4) if insn >> 2 & 0x1f == 0 && rs1 != 0 => computed(jalr_kind(insn >> 12 & 1, rs1)),
        (2, 5) if extensions.zcm => match Zcm::of(insn)? {
            Zcm::PopReturn(_) => computed(BranchKind::Return),
            Zcm::Table(..32) => Some((None, None)),
            Zcm::Table(_) => computed(BranchKind::Call),
            Zcm::Push(_) | Zcm::Straight => None,
        },
        // qc.c.mret, qc.c.mnret and qc.c.mileaveret, where RV32 has no shift.
        (2, 0) if xlen == Xlen::Rv32 && extensions.has(Vendor::Qualcomm) => {
            matches!(insn, 0x1912 | 0x1992 | 0x1a12).then_some((Some(BranchKind::TrapReturn), None))
        }
        _ => None,
    }
}

/// Of Qualcomm's 48 bits.
fn long_transfer(insn: u64) -> Class {
    match (
        insn & 0x7f,
        insn >> 12 & 7,
        insn >> 20 & 0x1f,
        insn >> 15 & 3,
    ) {
        (0x1f, 4, 0, 0) => jump(insn, QC_J),
        (0x1f, 4, 0, 1) => call(insn, QC_J),
        (0x1f, 4, 0x18 | 0x19 | 0x1c..=0x1f, _)
            if insn & 0xf_8000 != 0 && insn >> 32 & 0xffff != 0 =>
        {
            branch(insn, B)
        }
        _ => None,
    }
}

/// Whether register `x<register>` is a link register.
const fn is_link(register: u32) -> bool {
    register == 1 || register == 5
}

/// The kind of a computed jump, by the manual's hints.
const fn jalr_kind(rd: u32, rs1: u32) -> BranchKind {
    match (is_link(rd), is_link(rs1)) {
        (false, false) => BranchKind::Indirect,
        (false, true) => BranchKind::Return,
        (true, true) if rd != rs1 => BranchKind::Indirect,
        (true, _) => BranchKind::IndirectCall,
    }
}
