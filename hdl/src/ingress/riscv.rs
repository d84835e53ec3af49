//! The class of a RISC-V instruction: whether it is a control transfer, and of which kind.
//!
//! Calls and returns are recognised by the link registers x1 and x5, as the RISC-V manual recommends. This includes the
//! compressed forms. A `jalr` that pops and pushes (two different link registers) is *indirect*: its path ends and
//! another begins. A direct branch or jump is backward if its offset is negative or zero.
//!
//! Zcmp and Zcmt share their encodings with `c.fsdsp`, and vendors those of custom opcodes, so only the core's
//! description tells which of them it has. The target of `cm.jt` is in memory, and that of `qc.e.j` in bits that the core
//! does not show; whether they are backward is known when their target is.
//!
//! Sources: The RISC-V Instruction Set Manual, volume I, sections 2.5 (control transfer), 16 (compressed), and Zcmp and
//! Zcmt; the vendors' specifications of XCVbi, XAndesPerf, Xqcibi, Xqcilb and Xqciint.

use hpp_golden::ingress::Vendor;
use rust_hdl::prelude::*;

use crate::IngressOptions;
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
    combinational, rv32: bool, options: &IngressOptions,
    const _rv32: bool = rv32,
    const _zcmp: bool = options.zcmp,
    const _corev: bool = options.vendor == Vendor::CoreV && rv32,
    const _andes: bool = options.vendor == Vendor::Andes,
    const _qualcomm: bool = options.vendor == Vendor::Qualcomm && rv32,
    const _long: bool = options.has_long()
)]
pub struct InstructionClass {
    /// Encoding of the instruction, its low 32 bits; if compressed, in the low half.
    pub insn: Signal<In, Bits<32>>,
    /// Instruction has 16 bits.
    pub compressed: Signal<Out, Bit>,
    /// Instruction has 48 bits.
    pub long: Signal<Out, Bit, { options.has_long() }>,
    /// Instruction is a control transfer.
    pub transfer: Signal<Out, Bit>,
    /// Instruction is a conditional branch.
    pub conditional: Signal<Out, Bit>,
    /// Branch kind of the instruction (0 forward to 7 trap return).
    pub kind: Signal<Out, Bits<3>>,

    /// Instruction is cm.jt or qc.e.j: its kind is backward if it leads back.
    pub undirected: Signal<Out, Bit, { options.has_undirected() }>,
}

#[kernel]
impl InstructionClass {
    /// The kind, from the opcode, the offset and the link registers.
    fn class(&mut self) {
        // 32-bit instructions.
        let wide = self.insn.get_bits::<2>(0) == 3;
        // cv.beqimm and cv.bneimm.
        let immediate =
            self._corev & (self.insn.get_bits::<7>(0) == 0x0b) & (self.insn.get_bits::<2>(13) == 3);
        // nds.beqc, nds.bnec, nds.bbc and nds.bbs, whose bit is below 32 on RV32.
        let short_offset = self._andes
            & (self.insn.get_bits::<7>(0) == 0x5b)
            & self.insn.get_bit(14)
            & self.insn.get_bits::<2>(12).any()
            & !(self._rv32 & (self.insn.get_bits::<2>(12) == 3) & self.insn.get_bit(7));
        // qc.beqi to qc.bgeui: register 0 and the immediate 0 are reserved.
        let own = self._qualcomm
            & (self.insn.get_bits::<7>(0) == 0x7b)
            & (self.insn.get_bits::<2>(13) != 1)
            & self.insn.get_bits::<5>(15).any()
            & self.insn.get_bits::<5>(20).any();
        // Of 48 bits: qc.e.beqi to qc.e.bgeui, qc.e.j and qc.e.jal.
        self.long.next = self._long & (self.insn.get_bits::<6>(0) == 0x1f);
        let long_group =
            self._long & (self.insn.get_bits::<7>(0) == 0x1f) & (self.insn.get_bits::<3>(12) == 4);
        let long_branch = long_group
            & (self.insn.get_bits::<2>(23) == 3)
            & (self.insn.get_bits::<2>(21) != 1)
            & self.insn.get_bits::<5>(15).any();
        let long_direct = long_group & !self.insn.get_bits::<5>(20).any() & !self.insn.get_bit(16);
        let long_call = long_direct & self.insn.get_bit(15);
        let long_jump = long_direct & !self.insn.get_bit(15);
        // With Zibi's beqi and bnei.
        let branch = (self.insn.get_bits::<7>(0) == 0x63) | immediate | own | long_branch;
        let jump = self.insn.get_bits::<7>(0) == 0x6f;
        let computed = self.insn.get_bits::<7>(0) == 0x67;
        // uret, sret, hret and mret differ in bits 29 and 28.
        let trap_return = (self.insn & 0xcfff_ffff_u64) == 0x0020_0073;
        // qc.c.mret, qc.c.mnret and qc.c.mileaveret.
        let half = self.insn.get_bits::<16>(0);
        let short_trap_return =
            self._qualcomm & ((half == 0x1912) | (half == 0x1992) | (half == 0x1a12));

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
        let undirected = (table & !table_call) | long_jump;
        self.undirected.next = undirected;

        // The sign of the offset. Offset 0 is backward.
        let backward = if short_offset {
            self.insn.get_bit(31)
                | !(self.insn.get_bits::<5>(25).any() | self.insn.get_bits::<4>(8).any())
        } else if branch {
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

        self.kind.next = if trap_return | short_trap_return {
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
        } else if (jump & to_link) | short_call | table_call | long_call {
            kinds::CALL.into()
        } else if backward & !undirected {
            kinds::BACKWARD.into()
        } else {
            kinds::FORWARD.into()
        };
        self.compressed.next = !wide;
        self.conditional.next = branch | short_offset | short_branch;
        self.transfer.next = branch
            | short_offset
            | jump
            | long_direct
            | computed
            | trap_return
            | short_trap_return
            | short_branch
            | short_jump
            | short_call
            | short_computed
            | pops
            | table;
    }
}
