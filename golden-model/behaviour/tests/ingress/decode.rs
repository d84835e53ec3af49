//! What decoding says beside the classification, which `llvm` compares: addresses wrap, and half words are whole whatever lies above them.

use hpp_golden::branch::BranchKind::{self, Indirect, TrapReturn};
use hpp_golden::ingress::{Xlen, Zcm, decode};
use proptest::prelude::*;

/// Words whose opcode is that of a transfer more often than chance would have it, and half words below anything.
fn word() -> impl Strategy<Value = u32> {
    let opcode = prop::sample::select(vec![0b110_0011_u32, 0b110_1111, 0b110_0111, 0b111_0011]);
    prop_oneof![
        any::<u32>(),
        (any::<u32>(), opcode).prop_map(|(word, opcode)| word & !0x7f | opcode),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    /// At any address an instruction does what it does in the midst of all, with addresses as wide as the registers.
    #[test]
    fn addresses_wrap(insn in word(), pc in 0..u64::from(u32::MAX), wide: bool) {
        let xlen = if wide { Xlen::Rv64 } else { Xlen::Rv32 };
        let middle = 1 << 31;
        let moved = |address: u64| xlen.wrap(address.wrapping_sub(middle).wrapping_add(pc & !1));
        let half = if insn & 3 == 3 { insn } else { insn & 0xffff };
        let mut expected = decode(half, middle, xlen);
        expected.next = moved(expected.next);
        if let Some(transfer) = &mut expected.transfer {
            transfer.target = transfer.target.map(moved);
        }
        prop_assert_eq!(decode(insn, pc & !1, xlen), expected, "{:#010x}", insn);
    }
}

/// Trap returns of a level without a name, and `jalr` with another `funct3`.
#[test]
fn what_no_disassembler_knows_is_classified_too() {
    let kind = |insn| {
        decode(insn, 0x100, Xlen::Rv32)
            .transfer
            .map(|found| found.kind)
    };
    let expected: [Option<BranchKind>; 3] = [Some(TrapReturn), Some(TrapReturn), Some(Indirect)];
    assert_eq!([0x0020_0073, 0x2020_0073, 0x0007_b067].map(kind), expected);
}

/// Of the 8,192 half words that D with C takes for `c.fsdsp`.
#[test]
fn zcmp_and_zcmt_are_half_words_of_their_own() {
    for insn in 0..=0xffff_u32 {
        let is_zcm = match (insn >> 8, insn >> 4 & 0xf) {
            _ if insn & 3 != 2 => false,
            (0xb8 | 0xba | 0xbc | 0xbe, 4..) | (0xb9, 5..) | (0xa0..=0xa3, _) => true,
            (0xac..=0xaf, low) => low & 2 != 0,
            _ => false,
        };
        assert_eq!(Zcm::of(insn).is_some(), is_zcm, "{insn:#x}");
    }
}
