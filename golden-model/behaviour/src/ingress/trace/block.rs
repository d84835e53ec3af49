//! What a hart shows on the interface.

use crate::branch::BranchKind;
use crate::ingress::decode::{Xlen, decode, length};
use crate::ingress::retirement::Retirement;

/// A block, by the names of the specification. `cause`, `tval` and `priv` tell nothing about paths.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Block {
    /// Type of the last instruction, or 1 and 2 for a trap after it.
    pub itype: u8,
    /// Address of the first instruction; with an exception and `iretire` 0, of the one that caused it.
    pub iaddr: u64,
    /// Half words that retire; on a single-retirement interface, instructions (0 or 1).
    pub iretire: u8,
    /// The last instruction has 2 to that power of half words.
    pub ilastsize: u8,
    /// The context of the block.
    pub context: u8,
}

impl Block {
    /// What a hart shows of an instruction that retires by itself and completes.
    pub fn of(retirement: &Retirement, xlen: Xlen, form: TraceForm) -> Self {
        let size = length(retirement.insn) / 2;
        Self {
            itype: itype(retirement, xlen, form.short_itype),
            iaddr: retirement.pc,
            iretire: if form.single || size == 1 { 1 } else { 2 },
            ilastsize: u8::from(size == 2),
            context: retirement.context,
        }
    }

    /// What it shows of an instruction at `pc` that causes an exception and does not retire.
    pub const fn exception(pc: u64) -> Self {
        Self {
            itype: 1,
            iaddr: pc,
            iretire: 0,
            ilastsize: 0,
            context: 0,
        }
    }
}

/// The type of an instruction by section "Jump classification and target inference" and the table of encodings.
fn itype(retirement: &Retirement, xlen: Xlen, short: bool) -> u8 {
    let instruction = decode(retirement.insn, retirement.pc, xlen);
    let Some(transfer) = instruction.transfer else {
        return 0;
    };
    let links = |shift: u32| matches!(retirement.insn >> shift & 31, 1 | 5);
    let wide = length(retirement.insn) == 4;
    let no_link = !wide || retirement.insn >> 7 & 31 == 0;
    let long = match transfer.kind {
        _ if transfer.conditional && retirement.next_pc == instruction.next => 4,
        _ if transfer.conditional => 5,
        BranchKind::TrapReturn => 3,
        BranchKind::IndirectCall => 8,
        BranchKind::Call => 9,
        BranchKind::Return => 13,
        BranchKind::Indirect if wide && links(7) && links(15) => 12,
        BranchKind::Indirect if !wide && retirement.insn >> 12 & 1 == 1 => 12,
        BranchKind::Indirect if no_link => 10,
        BranchKind::Indirect => 14,
        _ if no_link => 11,
        _ => 15,
    };
    match long {
        9 | 11 | 15 if short => 0,
        8 | 10 | 12..=14 if short => 6,
        long => long,
    }
}

/// Which of its forms the interface has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TraceForm {
    /// `itype_width_p` is 3, not 4.
    pub short_itype: bool,
    /// `iretire` counts instructions, one at most: a single-retirement interface.
    pub single: bool,
}
