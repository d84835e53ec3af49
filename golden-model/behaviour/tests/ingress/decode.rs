//! The RISC-V classification: against a table written from the ISA manual's encodings, over random instruction words,
//! and on encodings that an assembler made.

use hpp_golden::branch::BranchKind::{
    self, Backward, Call, Forward, Indirect, IndirectCall, Return, TrapReturn,
};
use hpp_golden::ingress::{Extensions, Vendor, Xlen, Zcm, decode, decode_as};
use proptest::prelude::*;

/// Bits `high` to `low` of `insn`.
fn bits(insn: u32, high: u32, low: u32) -> u32 {
    insn << (31 - high) >> (31 - high + low)
}

fn link(register: u32) -> bool {
    matches!(register, 1 | 5)
}

fn jump(offset: i64) -> BranchKind {
    if offset > 0 { Forward } else { Backward }
}

fn jalr(rd: u32, rs1: u32) -> BranchKind {
    if link(rd) && (!link(rs1) || rd == rs1) {
        IndirectCall
    } else if !link(rd) && link(rs1) {
        Return
    } else {
        Indirect
    }
}

/// Sign-extends the offset whose bits are listed as (bit of the instruction, bit of the offset); `sign` is the top.
fn offset(insn: u32, sign: (u32, u32), rest: &[(u32, u32, u32)]) -> i64 {
    let mut value = if bits(insn, sign.0, sign.0) == 1 {
        -1_i64 << sign.1
    } else {
        0
    };
    for &(high, low, to) in rest {
        value |= i64::from(bits(insn, high, low)) << to;
    }
    value
}

/// Kind, conditional, offset.
type Class = Option<(BranchKind, bool, Option<i64>)>;

fn class_of_word(insn: u32) -> Class {
    let (rd, rs1) = (bits(insn, 11, 7), bits(insn, 19, 15));
    match bits(insn, 6, 0) {
        0b110_0011 => {
            let by = offset(insn, (31, 12), &[(7, 7, 11), (30, 25, 5), (11, 8, 1)]);
            Some((jump(by), true, Some(by)))
        }
        0b110_1111 => {
            let by = offset(insn, (31, 20), &[(19, 12, 12), (20, 20, 11), (30, 21, 1)]);
            Some((if link(rd) { Call } else { jump(by) }, false, Some(by)))
        }
        0b110_0111 => Some((jalr(rd, rs1), false, None)),
        _ if insn & 0xcfff_ffff == 0x0020_0073 => Some((TrapReturn, false, None)),
        _ => None,
    }
}

fn class_of_half(insn: u32, xlen: Xlen) -> Class {
    let cj = offset(
        insn,
        (12, 11),
        &[
            (11, 11, 4),
            (10, 9, 8),
            (8, 8, 10),
            (7, 7, 6),
            (6, 6, 7),
            (5, 3, 1),
            (2, 2, 5),
        ],
    );
    let cb = offset(
        insn,
        (12, 8),
        &[(11, 10, 3), (6, 5, 6), (4, 3, 1), (2, 2, 5)],
    );
    let register = bits(insn, 11, 7);
    match (bits(insn, 1, 0), bits(insn, 15, 13)) {
        (0b01, 0b101) => Some((jump(cj), false, Some(cj))),
        (0b01, 0b001) if xlen == Xlen::Rv32 => Some((Call, false, Some(cj))),
        (0b01, 0b110 | 0b111) => Some((jump(cb), true, Some(cb))),
        (0b10, 0b100) if bits(insn, 6, 2) == 0 && register != 0 => {
            Some((jalr(bits(insn, 12, 12), register), false, None))
        }
        _ => None,
    }
}

fn check(insn: u32, pc: u64, xlen: Xlen) -> Result<(), TestCaseError> {
    let compressed = insn & 3 != 3;
    let class = if compressed {
        class_of_half(insn, xlen)
    } else {
        class_of_word(insn)
    };
    let decoded = decode(insn, pc, xlen);
    prop_assert_eq!(decoded.next, xlen.wrap(pc + if compressed { 2 } else { 4 }));
    let got = decoded.transfer.map(|t| (t.kind, t.conditional, t.target));
    let expected = class.map(|(kind, conditional, by)| {
        (
            kind,
            conditional,
            by.map(|by| xlen.wrap(pc.wrapping_add_signed(by))),
        )
    });
    prop_assert_eq!(got, expected, "{:#010x}", insn);
    Ok(())
}

fn xlen() -> impl Strategy<Value = Xlen> {
    prop_oneof![Just(Xlen::Rv32), Just(Xlen::Rv64)]
}

/// Words whose opcode is that of a transfer more often than chance would have it.
fn word() -> impl Strategy<Value = u32> {
    let opcode = prop::sample::select(vec![0b110_0011_u32, 0b110_1111, 0b110_0111, 0b111_0011]);
    let narrowed = prop::sample::select(vec![0xffff_ffff_u32, 0x000f_8fff, 0x3fff_ffff]);
    prop_oneof![
        any::<u32>(),
        (any::<u32>(), opcode, narrowed).prop_map(|(w, o, mask)| (w & !0x7f & mask) | o),
        any::<u32>().prop_map(|w| (w & 0x3000_0000) | 0x0020_0073),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(20_000))]

    #[test]
    fn words_are_classified_by_the_manual(insn in word(), pc in 0..u64::from(u32::MAX), xlen in xlen()) {
        check(insn, pc & !1, xlen)?;
    }
}

#[test]
fn every_half_word_is_classified_by_the_manual() {
    for insn in (0..=0xffff_u32).filter(|insn| insn & 3 != 3) {
        for xlen in [Xlen::Rv32, Xlen::Rv64] {
            check(insn, 0x8000_0000, xlen).expect("classified as the table says");
            check(insn | 0xdead_0000, 0x8000_0000, xlen).expect("the upper half is ignored");
        }
    }
}

/// Encodings with the text that a disassembler shows for them.
#[test]
fn assembled_instructions() {
    let cases: &[(&str, u32, BranchKind, bool)] = &[
        ("beq a0, a1, .+8", 0x00b5_0463, Forward, true),
        ("bne a0, a1, .-8", 0xfeb5_1ce3, Backward, true),
        ("bgeu x0, x0, .", 0x0000_7063, Backward, true),
        ("beqi a0, -1, .+8", 0x0005_2463, Forward, true),
        ("bnei a0, 31, .-8", 0xfff5_3ce3, Backward, true),
        ("j .", 0x0000_006f, Backward, false),
        ("j .+16", 0x0100_006f, Forward, false),
        ("jal ra, .-16", 0xff1f_f0ef, Call, false),
        ("jal t0, .+16", 0x0100_02ef, Call, false),
        ("jal a0, .+16", 0x0100_056f, Forward, false),
        ("ret", 0x0000_8067, Return, false),
        ("jr t0", 0x0002_8067, Return, false),
        ("jr a5", 0x0007_8067, Indirect, false),
        ("jalr a5", 0x0007_80e7, IndirectCall, false),
        ("jalr ra, ra", 0x0000_80e7, IndirectCall, false),
        ("jalr ra, t0", 0x0002_80e7, Indirect, false),
        ("jalr t0, ra", 0x0000_82e7, Indirect, false),
        ("mret", 0x3020_0073, TrapReturn, false),
        ("sret", 0x1020_0073, TrapReturn, false),
        ("uret", 0x0020_0073, TrapReturn, false),
        ("c.j .-2", 0xbffd, Backward, false),
        ("c.beqz a0, .+4", 0xc111, Forward, true),
        ("c.jr ra", 0x8082, Return, false),
        ("c.jr a5", 0x8782, Indirect, false),
        ("c.jalr a5", 0x9782, IndirectCall, false),
        ("c.jalr t0", 0x9282, Indirect, false),
    ];
    for &(text, insn, kind, conditional) in cases {
        let transfer = decode(insn, 0x100, Xlen::Rv32).transfer.expect(text);
        assert_eq!(
            (transfer.kind, transfer.conditional),
            (kind, conditional),
            "{text}"
        );
    }
    for (text, insn) in [
        ("ecall", 0x73),
        ("ebreak", 0x0010_0073),
        ("wfi", 0x1050_0073),
        ("c.ebreak", 0x9002),
        ("czero.nez a0, a1, a2", 0x0ec5_f533),
    ] {
        assert_eq!(decode(insn, 0x100, Xlen::Rv32).transfer, None, "{text}");
    }
}

/// Every kind of instruction that a disassembler knows in the encodings that extensions share.
#[test]
fn extensions_are_classified_as_a_disassembler_names_them() {
    let mut instructions = 0;
    let lines = include_str!("files/llvm-mc.txt").lines();
    for line in lines.filter(|line| !line.starts_with('#')) {
        let mut words = line.split(' ');
        let mut next = || words.next().expect("a column");
        let xlen = match next() {
            "rv32" => Xlen::Rv32,
            _ => Xlen::Rv64,
        };
        let vendor = match next() {
            "corev" => Vendor::CoreV,
            "andes" => Vendor::Andes,
            "qualcomm" => Vendor::Qualcomm,
            _ => Vendor::None,
        };
        let extensions = Extensions {
            zcm: next() == "zcm",
            vendor,
        };
        let (mnemonic, branch) = (next(), next() == "branch");
        for word in words {
            let mut parts = word.split(':');
            let mut part = || parts.next().unwrap_or("-");
            let (insn, kind, by) = (part(), part(), part());
            let insn = u64::from_str_radix(insn, 16).expect("an instruction");
            let length = match insn & 0x3f {
                0x1f => 6,
                low if low & 3 == 3 => 4,
                _ => 2,
            };
            let pc = 0x1000_0000;
            let decoded = decode_as(insn, pc, xlen, extensions);
            assert_eq!(decoded.next, pc + length, "{mnemonic} {insn:#x}");
            let found = match decoded.transfer {
                Some(transfer) => {
                    assert_eq!(transfer.conditional, branch, "{mnemonic} {insn:#x}");
                    let by = |target: u64| xlen.wrap(target.wrapping_sub(pc)) as i64;
                    let by = |target| (by(target) << 32 >> 32).to_string();
                    let by = transfer.target.map_or("?".to_owned(), by);
                    (format!("{:?}", transfer.kind), by)
                }
                None => ("-".to_owned(), "-".to_owned()),
            };
            assert_eq!(
                found,
                (kind.to_owned(), by.to_owned()),
                "{mnemonic} {insn:#x}"
            );
            instructions += 1;
        }
    }
    assert!(instructions > 800, "{instructions}");
}

/// Of the 8,192 half words that D with C takes for `c.fsdsp`.
#[test]
fn zcmp_and_zcmt_are_half_words_of_their_own() {
    let (mut returns, mut tables) = (0, 0);
    for insn in (0..=0xffff_u32).filter(|insn| insn & 3 != 3) {
        let zcm = Extensions {
            zcm: true,
            ..Extensions::default()
        };
        let [plain, shared] = [Extensions::default(), zcm]
            .map(|extensions| decode_as(insn.into(), 0x100, Xlen::Rv32, extensions));
        let (kind, is_zcm) = match (insn >> 8, insn & 3, bits(insn, 7, 4)) {
            (0xbc | 0xbe, 2, 4..) => (Some(Return), true),
            (0xb8 | 0xba, 2, 4..) | (0xb9, 2, 5..) => (None, true),
            (0xa0, 2, 0..8) => (Some(Forward), true),
            (0xa0..=0xa3, 2, _) => (Some(Call), true),
            (0xac..=0xaf, 2, _) => (None, bits(insn, 5, 5) == 1),
            _ => (plain.transfer.map(|transfer| transfer.kind), false),
        };
        assert_eq!(
            shared.transfer.map(|transfer| transfer.kind),
            kind,
            "{insn:#x}"
        );
        assert_eq!(Zcm::of(insn).is_some(), is_zcm, "{insn:#x}");
        returns += usize::from(is_zcm && kind == Some(Return));
        tables += usize::from(matches!(Zcm::of(insn), Some(Zcm::Table(_))));
    }
    assert_eq!((returns, tables), (96, 256));
}
