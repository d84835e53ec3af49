//! The program that an encoder traced, as the decoder wants it.

use std::rc::Rc;

use hpp_golden::branch::BranchKind;
use hpp_golden::ingress::{Instruction, ProgramCode, Transfer};
use hpp_riscv::{Image, Xlen};
use riscv_etrace::binary::Binary;
use riscv_etrace::instruction::info::Info;
use riscv_etrace::instruction::{self, Size, base, decode::Decode};

/// An instruction as the decoder sees it. Those that the decoder's library does not know, such as `cm.popret`, are decoded here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The word of the program.
    pub word: u32,
    /// The instruction as the golden model decodes it.
    pub instruction: Instruction,
    at: u64,
    kind: Option<instruction::Kind>,
}

impl Known {
    /// The transfer, if the decoder's library does not know the instruction.
    fn own(&self) -> Option<Transfer> {
        self.instruction
            .transfer
            .filter(|_| self.kind.is_none() && !self.is_return_from_trap())
    }

    /// How far such a transfer leads, if its target is known.
    fn offset(&self, conditional: bool) -> Option<i64> {
        let own = self.own().filter(|own| own.conditional == conditional)?;
        Some(own.target?.wrapping_sub(self.at).cast_signed())
    }
}

impl Info for Known {
    type Register = <instruction::Kind as Info>::Register;

    fn branch_target(&self) -> Option<i16> {
        match self.offset(true) {
            Some(offset) => i16::try_from(offset).ok(),
            None => self.kind.branch_target(),
        }
    }

    fn inferable_jump_target(&self) -> Option<i32> {
        match self.offset(false) {
            Some(offset) => i32::try_from(offset).ok(),
            None => self.kind.inferable_jump_target(),
        }
    }

    fn uninferable_jump_target(&self) -> Option<(Self::Register, i16)> {
        match self.own() {
            // A `lui` before it does not tell its target.
            Some(Transfer { target: None, .. }) => Some((Default::default(), 0)),
            _ => self.kind.uninferable_jump_target(),
        }
    }

    fn upper_immediate(&self, pc: u64) -> Option<(Self::Register, u64)> {
        self.kind.upper_immediate(pc)
    }

    fn is_return_from_trap(&self) -> bool {
        // The decoder's table lacks `mnret`.
        let transfer = self.instruction.transfer;
        transfer.is_some_and(|transfer| transfer.kind == BranchKind::TrapReturn)
    }

    fn is_ecall_or_ebreak(&self) -> bool {
        self.kind.is_ecall_or_ebreak()
    }

    fn is_call(&self) -> bool {
        match self.own() {
            Some(own) => matches!(own.kind, BranchKind::Call | BranchKind::IndirectCall),
            None => self.kind.is_call(),
        }
    }

    fn is_return(&self) -> bool {
        match self.own() {
            Some(own) => own.kind == BranchKind::Return,
            None => self.kind.is_return(),
        }
    }

    fn ignored() -> Self {
        Self {
            word: 0x13,
            instruction: Instruction {
                next: 4,
                transfer: None,
            },
            at: 0,
            kind: None,
        }
    }
}

/// There is no code at an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the program has no code there")]
pub struct Outside;

/// Places for instructions that are remembered; a power of two.
const PLACES: usize = 1 << 12;

/// The instructions of a program by their addresses.
pub struct Code {
    image: Rc<Image>,
    remembered: Vec<(u64, instruction::Instruction<Known>)>,
}

impl Code {
    pub fn new(image: &Rc<Image>) -> Self {
        let nothing = (u64::MAX, instruction::Instruction::default());
        Self {
            image: Rc::clone(image),
            remembered: vec![nothing; PLACES],
        }
    }

    /// Takes the remembered instructions out, and leaves none.
    pub fn take(&mut self) -> Self {
        Self {
            image: Rc::clone(&self.image),
            remembered: std::mem::take(&mut self.remembered),
        }
    }
}

/// The instruction at an address; none if there is no code. Logarithmic in the number of sections.
pub fn known(image: &Image, at: u64) -> Option<instruction::Instruction<Known>> {
    let instruction = image.instruction(at)?;
    let half = |at| Some(u16::from_le_bytes(image.bytes(at, 2)?.try_into().ok()?));
    let low = half(at)?;
    let set = match image.xlen() {
        Xlen::Rv32 => base::Set::Rv32I,
        Xlen::Rv64 => base::Set::Rv64I,
    };
    let size = match instruction.next.wrapping_sub(at) & 0xf {
        2 => Size::Compressed,
        6 => Size::Wide,
        8 => Size::ExtraWide,
        _ => Size::Normal,
    };
    let (word, kind) = match size {
        Size::Compressed => (low.into(), set.decode_16(low)),
        _ => {
            let word = u32::from(half(at.wrapping_add(2))?) << 16 | u32::from(low);
            let kind: Option<instruction::Kind> = match size {
                Size::Normal => set.decode_32(word),
                _ => None,
            };
            (word, kind)
        }
    };
    let info = Known {
        word,
        instruction,
        at,
        kind,
    };
    Some(instruction::Instruction { size, info })
}

impl Binary<Known> for Code {
    type Error = Outside;

    fn get_insn(&mut self, at: u64) -> Result<instruction::Instruction<Known>, Outside> {
        let place = &mut self.remembered[(at >> 1) as usize & (PLACES - 1)];
        if place.0 != at {
            *place = (at, known(&self.image, at).ok_or(Outside)?);
        }
        Ok(place.1)
    }
}
