use hpp_golden::config::Geometry;
use hpp_golden::ingress::Vendor;
use rust_hdl::prelude::*;

use crate::IngressOptions;
use crate::circuit::{circuit, kernel};

/// Target of a direct branch or jump; combinational.
///
/// ```text
///   insn ---> [ offset of its format ] ---> [ + ] ---> target
///   pc -------------------------------------^
/// ```
///
/// Sources: The RISC-V Instruction Set Manual, volume I, the formats B and J, CB and CJ; the specification of XAndesPerf.
#[circuit(
    combinational, geometry: &Geometry, options: &IngressOptions,
    const _andes: bool = options.vendor == Vendor::Andes,
    const _long: bool = options.has_long(),
    const pc_mask: Bits<64> = Geometry::mask(geometry.pc_bits),
    // The address bits above the magnitude of the longest offset.
    const sign: Bits<64> = Geometry::mask(geometry.pc_bits) & !0xf_ffff
)]
pub struct DirectTarget {
    /// Encoding of a control transfer; if compressed, in the low half.
    pub insn: Signal<In, Bits<32>>,
    /// Instruction is a conditional branch.
    pub conditional: Signal<In, Bit>,
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
            self.known.next = self.conditional | (self.insn.get_bits::<7>(0) == 0x6f);
        }

        // The bits below the sign. Bits that a format lacks are copies of the sign.
        let negative = if wide {
            self.insn.get_bit(31)
        } else {
            self.insn.get_bit(12)
        };
        let jump = wide & self.insn.get_bit(2) & !(self._long & self.insn.get_bit(4));
        let short_offset = self._andes & (self.insn.get_bits::<7>(0) == 0x5b);
        let low = if jump {
            (bit_cast::<20, 10>(self.insn.get_bits::<10>(21)) << 1)
                | (bit_cast::<20, 1>(self.insn.get_bits::<1>(20)) << 11)
                | (bit_cast::<20, 8>(self.insn.get_bits::<8>(12)) << 12)
        } else if short_offset {
            (bit_cast::<20, 4>(self.insn.get_bits::<4>(8)) << 1)
                | (bit_cast::<20, 5>(self.insn.get_bits::<5>(25)) << 5)
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
        let copies: Bits<20> = if jump {
            0.into()
        } else if short_offset {
            0xffc00.into()
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
