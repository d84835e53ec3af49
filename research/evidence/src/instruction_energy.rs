//! What an instruction costs in energy.

use raki::{BaseIOpcode, COpcode, Decode, Isa, MOpcode, OpcodeKind};

/// Classes of instructions, and the energy of one in units of an addition. An example of such a model, with the proportions of a small in-order
/// core with memories beside it; the figures of a process take its place.
pub const COSTS: [(&str, u32); 6] = [
    ("arithmetic and logic, and all others", 1),
    ("branch or jump", 2),
    ("store", 4),
    ("multiplication", 4),
    ("load", 5),
    ("division", 16),
];

/// The energy of an RV32 instruction, compressed ones in the low half; what is not understood costs an addition.
pub fn energy(insn: u32) -> u32 {
    let (_, cost) = COSTS[class(insn)];
    cost
}

/// The position of its class in [`COSTS`].
fn class(insn: u32) -> usize {
    let decoded = match insn & 3 {
        3 => insn.decode(Isa::Rv32),
        _ => (insn as u16).decode(Isa::Rv32),
    };
    use BaseIOpcode as I;
    use COpcode as C;
    use MOpcode as M;
    match decoded.map(|instruction| instruction.opc) {
        Ok(OpcodeKind::BaseI(
            I::JAL | I::JALR | I::BEQ | I::BNE | I::BLT | I::BGE | I::BLTU | I::BGEU,
        ))
        | Ok(OpcodeKind::C(C::J | C::JAL | C::JR | C::JALR | C::BEQZ | C::BNEZ)) => 1,
        Ok(OpcodeKind::BaseI(I::SB | I::SH | I::SW) | OpcodeKind::C(C::SW | C::SWSP)) => 2,
        Ok(OpcodeKind::M(M::MUL | M::MULH | M::MULHSU | M::MULHU)) => 3,
        Ok(
            OpcodeKind::BaseI(I::LB | I::LH | I::LW | I::LBU | I::LHU)
            | OpcodeKind::C(C::LW | C::LWSP),
        ) => 4,
        Ok(OpcodeKind::M(_)) => 5,
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_class_is_told_by_the_encoding() {
        for (insn, cost) in [
            (0x0010_0093, 1),  // addi ra, zero, 1
            (0xfe00_0ee3, 2),  // beq zero, zero, -4
            (0x8082, 2),       // c.jr ra
            (0x0011_2023, 4),  // sw ra, 0(sp)
            (0x02b5_0533, 4),  // mul a0, a0, a1
            (0x0001_2083, 5),  // lw ra, 0(sp)
            (0x4502, 5),       // c.lwsp a0, 0(sp)
            (0x02b5_4533, 16), // div a0, a0, a1
        ] {
            assert_eq!(energy(insn), cost, "{insn:#x}");
        }
    }
}
