//! The class of a RISC-V instruction: whether it is a control transfer, and of which kind.
//!
//! Calls and returns are recognised by the link registers x1 and x5, as the RISC-V manual recommends. This includes the
//! compressed forms. A `jalr` that pops and pushes (two different link registers) is *indirect*: its path ends and
//! another begins. A direct branch or jump is backward if its offset is negative or zero.
//!
//! Source: The RISC-V Instruction Set Manual, volume I, sections 2.5 (control transfer) and 16 (compressed).

use hpp_golden::branch::BranchKind;
use rust_hdl::prelude::*;

use crate::circuit::circuit;

/// Class of a RISC-V instruction: control transfer and branch kind; combinational.
///
/// ```text
///   insn --+--> major opcode, funct3 -----> branch, jump, computed jump, trap return
///          +--> offset -------------------> forward or backward          |
///          +--> rd, rs1 links ------------> indirect, call or return     +--> kind, transfer, conditional
/// ```
#[circuit(combinational, rv32: bool)]
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

    wide: Signal<Local, Bit>,
    quadrant1: Signal<Local, Bit>,
    quadrant2: Signal<Local, Bit>,
    funct3: Signal<Local, Bits<3>>,
    branch: Signal<Local, Bit>,
    jump: Signal<Local, Bit>,
    computed: Signal<Local, Bit>,
    trap_return: Signal<Local, Bit>,
    short_branch: Signal<Local, Bit>,
    short_jump: Signal<Local, Bit>,
    short_call: Signal<Local, Bit>,
    short_computed: Signal<Local, Bit>,
    backward: Signal<Local, Bit>,
    to_link: Signal<Local, Bit>,
    from_link: Signal<Local, Bit>,
    same_link: Signal<Local, Bit>,
    rd: Signal<Local, Bits<5>>,
    rs1: Signal<Local, Bits<5>>,

    /// RV32 rather than RV64: c.jal exists in RV32 only.
    #[number(rv32)]
    rv32: Constant<Bit>,
    #[number(BranchKind::Forward.code())]
    forward_kind: Constant<Bits<3>>,
    #[number(BranchKind::Backward.code())]
    backward_kind: Constant<Bits<3>>,
    #[number(BranchKind::Indirect.code())]
    indirect_kind: Constant<Bits<3>>,
    #[number(BranchKind::Call.code())]
    call_kind: Constant<Bits<3>>,
    #[number(BranchKind::Return.code())]
    return_kind: Constant<Bits<3>>,
    #[number(BranchKind::IndirectCall.code())]
    indirect_call_kind: Constant<Bits<3>>,
    #[number(BranchKind::TrapReturn.code())]
    trap_return_kind: Constant<Bits<3>>,
}

impl Logic for InstructionClass {
    #[hdl_gen]
    fn update(&mut self) {
        // 32-bit instructions.
        self.wide.next = self.insn.val().get_bits::<2>(0) == 3;
        // With Zibi's beqi and bnei.
        self.branch.next = self.insn.val().get_bits::<7>(0) == 0x63;
        self.jump.next = self.insn.val().get_bits::<7>(0) == 0x6f;
        self.computed.next = self.insn.val().get_bits::<7>(0) == 0x67;
        // uret, sret, hret and mret differ in bits 29 and 28.
        self.trap_return.next = (self.insn.val() & 0xcfff_ffff_u64) == 0x0020_0073;

        // Compressed instructions.
        self.funct3.next = self.insn.val().get_bits::<3>(13);
        self.quadrant1.next = self.insn.val().get_bits::<2>(0) == 1;
        self.quadrant2.next = self.insn.val().get_bits::<2>(0) == 2;
        self.short_jump.next = self.quadrant1.val() & (self.funct3.val() == 5);
        self.short_call.next = self.quadrant1.val() & (self.funct3.val() == 1) & self.rv32.val();
        self.short_branch.next = self.quadrant1.val() & (self.funct3.val().get_bits::<2>(1) == 3);
        self.short_computed.next = self.quadrant2.val()
            & (self.funct3.val() == 4)
            & !self.insn.val().get_bits::<5>(2).any()
            & self.insn.val().get_bits::<5>(7).any();

        // The sign of the offset. Offset 0 is backward.
        if self.branch.val() {
            self.backward.next = self.insn.val().get_bit(31)
                | !(self.insn.val().get_bits::<6>(25).any()
                    | self.insn.val().get_bits::<5>(7).any());
        } else if self.jump.val() {
            self.backward.next =
                self.insn.val().get_bit(31) | !self.insn.val().get_bits::<20>(12).any();
        } else if self.short_jump.val() {
            self.backward.next =
                self.insn.val().get_bit(12) | !self.insn.val().get_bits::<11>(2).any();
        } else {
            self.backward.next = self.insn.val().get_bit(12)
                | !(self.insn.val().get_bits::<2>(10).any()
                    | self.insn.val().get_bits::<5>(2).any());
        }

        // The link registers are x1 and x5. A compressed computed jump links to x1 or not at all.
        self.rd.next = self.insn.val().get_bits::<5>(7);
        self.rs1.next = self.insn.val().get_bits::<5>(15);
        if !self.wide.val() {
            self.rd.next = 0.into();
            if self.insn.val().get_bit(12) {
                self.rd.next = 1.into();
            }
            self.rs1.next = self.insn.val().get_bits::<5>(7);
        }
        self.to_link.next = (self.rd.val() & 0x1b) == 1;
        self.from_link.next = (self.rs1.val() & 0x1b) == 1;
        self.same_link.next = self.rd.val() == self.rs1.val();

        if self.trap_return.val() {
            self.kind.next = self.trap_return_kind.val();
        } else if self.computed.val() | self.short_computed.val() {
            if self.to_link.val() & (!self.from_link.val() | self.same_link.val()) {
                self.kind.next = self.indirect_call_kind.val();
            } else if !self.to_link.val() & self.from_link.val() {
                self.kind.next = self.return_kind.val();
            } else {
                self.kind.next = self.indirect_kind.val();
            }
        } else if (self.jump.val() & self.to_link.val()) | self.short_call.val() {
            self.kind.next = self.call_kind.val();
        } else if self.backward.val() {
            self.kind.next = self.backward_kind.val();
        } else {
            self.kind.next = self.forward_kind.val();
        }
        self.compressed.next = !self.wide.val();
        self.conditional.next = self.branch.val() | self.short_branch.val();
        self.transfer.next = self.branch.val()
            | self.jump.val()
            | self.computed.val()
            | self.trap_return.val()
            | self.short_branch.val()
            | self.short_jump.val()
            | self.short_call.val()
            | self.short_computed.val();
    }
}
