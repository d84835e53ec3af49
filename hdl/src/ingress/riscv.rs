//! The class of a RISC-V instruction: whether it is a control transfer, and of which kind.
//!
//! Calls and returns are recognised by the link registers x1 and x5, as the RISC-V manual recommends. This includes the
//! compressed forms. A `jalr` that pops and pushes (two different link registers) is *indirect*: its path ends and
//! another begins. A direct branch or jump is backward if its offset is negative or zero.
//!
//! Zcmp and Zcmt share their encodings with `c.fsdsp`, so only the core's description tells which of them it has. The
//! target of `cm.jt` is in memory; whether it is backward is known when its target is.
//!
//! Source: The RISC-V Instruction Set Manual, volume I, sections 2.5 (control transfer), 16 (compressed), and Zcmp and
//! Zcmt.

use rust_hdl::prelude::*;

use crate::circuit::{circuit, kernel};
use crate::kinds;

/// Class of a RISC-V instruction: control transfer and branch kind; combinational.
///
/// ```text
///   insn --+--> major opcode, funct3 -----> branch, jump, computed jump, trap return
///          +--> offset -------------------> forward or backward          |
///          +--> rd, rs1 links ------------> indirect, call or return     +--> kind, transfer, conditional
/// ```
#[circuit(
    combinational, rv32: bool, zcmp: bool, corev: bool,
    const _zcmp: bool = zcmp,
    const _corev: bool = corev & rv32
)]
pub struct InstructionClass {
    /// Encoding of the instruction; if compressed, in the low half.
    pub insn: Signal<In, Bits<32>>,
    /// Instruction has 16 bits.
    pub compressed: Signal<Out, Bit>,
    /// Instruction is a control transfer.
    pub transfer: Signal<Out, Bit>,
    /// Instruction is a conditional branch.
    pub conditional: Signal<Out, Bit>,
    /// Branch kind of the instruction (0 forward to 7 trap return).
    pub kind: Signal<Out, Bits<3>>,

    /// Instruction is cm.jt: its kind is backward if it leads back.
    #[present(zcmp)]
    pub table_jump: Signal<Out, Bit>,

    /// RV32 rather than RV64: c.jal exists in RV32 only.
    #[value(rv32)]
    _rv32: bool,
}

#[kernel]
impl InstructionClass {
    /// The kind, from the opcode, the offset and the link registers.
    fn class(&mut self) {
        // 32-bit instructions.
        let wide = self.insn.get_bits::<2>(0) == 3;
        // With Zibi's beqi and bnei; cv.beqimm and cv.bneimm have the offset of a branch.
        let immediate =
            self._corev & (self.insn.get_bits::<7>(0) == 0x0b) & (self.insn.get_bits::<2>(13) == 3);
        let branch = (self.insn.get_bits::<7>(0) == 0x63) | immediate;
        let jump = self.insn.get_bits::<7>(0) == 0x6f;
        let computed = self.insn.get_bits::<7>(0) == 0x67;
        // uret, sret, hret and mret differ in bits 29 and 28.
        let trap_return = (self.insn & 0xcfff_ffff_u64) == 0x0020_0073;

        // Compressed instructions.
        let funct3 = self.insn.get_bits::<3>(13);
        let quadrant1 = self.insn.get_bits::<2>(0) == 1;
        let quadrant2 = self.insn.get_bits::<2>(0) == 2;
        let short_jump = quadrant1 & (funct3 == 5);
        let short_call = quadrant1 & (funct3 == 1) & self._rv32;
        let short_branch = quadrant1 & (funct3.get_bits::<2>(1) == 3);
        let short_computed = quadrant2
            & (funct3 == 4)
            & !self.insn.get_bits::<5>(2).any()
            & self.insn.get_bits::<5>(7).any();

        // cm.popret and cm.popretz, with a list of registers of at least 4; cm.jt, and cm.jalt from entry 32 on.
        let shared = quadrant2 & (funct3 == 5) & self._zcmp;
        let pops = shared
            & (self.insn.get_bits::<3>(10) == 7)
            & !self.insn.get_bit(8)
            & self.insn.get_bits::<2>(6).any();
        let table = shared & !self.insn.get_bits::<3>(10).any();
        let table_call = table & self.insn.get_bits::<3>(7).any();
        self.table_jump.next = table & !table_call;

        // The sign of the offset. Offset 0 is backward.
        let backward = if branch {
            self.insn.get_bit(31)
                | !(self.insn.get_bits::<6>(25).any() | self.insn.get_bits::<5>(7).any())
        } else if jump {
            self.insn.get_bit(31) | !self.insn.get_bits::<20>(12).any()
        } else if short_jump {
            self.insn.get_bit(12) | !self.insn.get_bits::<11>(2).any()
        } else {
            self.insn.get_bit(12)
                | !(self.insn.get_bits::<2>(10).any() | self.insn.get_bits::<5>(2).any())
        };

        // The link registers are x1 and x5. A compressed computed jump links to x1 or not at all.
        let rd = if wide {
            self.insn.get_bits::<5>(7)
        } else {
            bit_cast::<5, 1>(self.insn.get_bits::<1>(12))
        };
        let rs1 = if wide {
            self.insn.get_bits::<5>(15)
        } else {
            self.insn.get_bits::<5>(7)
        };
        let to_link = (rd & 0x1b) == 1;
        let from_link = (rs1 & 0x1b) == 1;

        self.kind.next = if trap_return {
            kinds::TRAP_RETURN.into()
        } else if computed | short_computed {
            if to_link & (!from_link | (rd == rs1)) {
                kinds::INDIRECT_CALL.into()
            } else if !to_link & from_link {
                kinds::RETURN.into()
            } else {
                kinds::INDIRECT.into()
            }
        } else if pops {
            kinds::RETURN.into()
        } else if (jump & to_link) | short_call | table_call {
            kinds::CALL.into()
        } else if backward & !table {
            kinds::BACKWARD.into()
        } else {
            kinds::FORWARD.into()
        };
        self.compressed.next = !wide;
        self.conditional.next = branch | short_branch;
        self.transfer.next = branch
            | jump
            | computed
            | trap_return
            | short_branch
            | short_jump
            | short_call
            | short_computed
            | pops
            | table;
    }
}
