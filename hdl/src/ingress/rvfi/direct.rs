//! The target of a direct branch or jump.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::circuit::{circuit, kernel};

/// Target of a direct branch or jump; combinational.
///
/// ```text
///   insn ---> [ offset of its format ] ---> [ + ] ---> target
///   pc -------------------------------------^
/// ```
///
/// Source: The RISC-V Instruction Set Manual, volume I, the formats B and J, CB and CJ.
#[circuit(
    combinational, geometry: &Geometry, corev: bool,
    const _corev: bool = corev,
    const pc_mask: Bits<64> = Geometry::mask(geometry.pc_bits),
    // The address bits above the magnitude of the longest offset.
    const sign: Bits<64> = Geometry::mask(geometry.pc_bits) & !0xf_ffff
)]
pub struct DirectTarget {
    /// Encoding of a control transfer; if compressed, in the low half.
    pub insn: Signal<In, Bits<32>>,
    /// Address of the instruction.
    pub pc: Signal<In, Bits<64, { geometry.pc_bits }>>,
    /// Target is valid: the branch or jump is direct.
    pub known: Signal<Out, Bit>,
    /// Target address; valid if known is 1.
    pub target: Signal<Out, Bits<64, { geometry.pc_bits }>>,
}

#[kernel]
impl DirectTarget {
    /// The address of the instruction plus its offset.
    fn target(&mut self) {
        // Computed jumps and trap returns have no target in the instruction.
        let wide = self.insn.get_bits::<2>(0) == 3;
        self.known.next = self.insn.get_bits::<2>(0) == 1;
        if wide {
            self.known.next =
                (self.insn.get_bits::<7>(0) == 0x63) | (self.insn.get_bits::<7>(0) == 0x6f);
            // cv.beqimm and cv.bneimm, of a core that has them.
            if self._corev & (self.insn.get_bits::<7>(0) == 0x0b) {
                self.known.next = true;
            }
        }

        // The bits below the sign. Bits that a format lacks are copies of the sign.
        let negative = if wide {
            self.insn.get_bit(31)
        } else {
            self.insn.get_bit(12)
        };
        let low = if wide & self.insn.get_bit(2) {
            (bit_cast::<20, 10>(self.insn.get_bits::<10>(21)) << 1)
                | (bit_cast::<20, 1>(self.insn.get_bits::<1>(20)) << 11)
                | (bit_cast::<20, 8>(self.insn.get_bits::<8>(12)) << 12)
        } else if wide {
            (bit_cast::<20, 4>(self.insn.get_bits::<4>(8)) << 1)
                | (bit_cast::<20, 6>(self.insn.get_bits::<6>(25)) << 5)
                | (bit_cast::<20, 1>(self.insn.get_bits::<1>(7)) << 11)
        } else if self.insn.get_bit(14) {
            (bit_cast::<20, 2>(self.insn.get_bits::<2>(3)) << 1)
                | (bit_cast::<20, 2>(self.insn.get_bits::<2>(10)) << 3)
                | (bit_cast::<20, 1>(self.insn.get_bits::<1>(2)) << 5)
                | (bit_cast::<20, 2>(self.insn.get_bits::<2>(5)) << 6)
        } else {
            (bit_cast::<20, 3>(self.insn.get_bits::<3>(3)) << 1)
                | (bit_cast::<20, 1>(self.insn.get_bits::<1>(11)) << 4)
                | (bit_cast::<20, 1>(self.insn.get_bits::<1>(2)) << 5)
                | (bit_cast::<20, 1>(self.insn.get_bits::<1>(7)) << 6)
                | (bit_cast::<20, 1>(self.insn.get_bits::<1>(6)) << 7)
                | (bit_cast::<20, 2>(self.insn.get_bits::<2>(9)) << 8)
                | (bit_cast::<20, 1>(self.insn.get_bits::<1>(8)) << 10)
        };
        let copies: Bits<20> = if wide & self.insn.get_bit(2) {
            0.into()
        } else if wide {
            0xff000.into()
        } else if self.insn.get_bit(14) {
            0xfff00.into()
        } else {
            0xff800.into()
        };
        let offset = if negative {
            bit_cast::<64, 20>(low | copies) | self.sign
        } else {
            bit_cast::<64, 20>(low)
        };
        self.target.next = (self.pc + offset) & self.pc_mask;
    }
}
