//! The code itself decides which extensions it uses, not the attributes of its file. The programs were made as `files/attributes.c` and
//! `files/tables.s` say, by LLVM 23.1.4.

use crate::riscv_program::{BASE, Flaw, NOP, RET, elf_file};
use hpp_golden::branch::BranchKind::{self, Backward, Call, Forward, Return};
use hpp_riscv::code::ProgramCode as _;
use hpp_riscv::{Blocks, Doubtful, Image, Observed, Starts};

fn image(bytes: &[u8]) -> Image {
    Image::from_elf(bytes, None).expect("a program")
}

/// The control transfers of a function: where, kind, whether conditional, target.
fn transfers(image: &Image, function: &str) -> Vec<(u64, BranchKind, bool, Option<u64>)> {
    let function = image.functions().find(function).expect("a function");
    let mut all = Vec::new();
    let mut at = function.address;
    while at < function.end() {
        let instruction = image.instruction(at).expect("an instruction");
        let transfer = instruction.transfer;
        all.extend(transfer.map(|t| (at, t.kind, t.conditional, t.target)));
        at = instruction.next;
    }
    all
}

fn doubts(image: &Image) -> Vec<(u64, Doubtful)> {
    image
        .doubts()
        .iter()
        .map(|doubt| (doubt.at, doubt.what))
        .collect()
}

/// A function with these half words, and another with these, of these extensions.
fn program(halves: &[u16], others: &[u16], flaw: Flaw) -> Image {
    let words = |halves: &[u16]| {
        let low = |half: &u16| *half;
        let pairs = halves.chunks(2);
        pairs
            .map(|pair| u32::from(pair[0]) | u32::from(pair.get(1).map_or(1, low)) << 16)
            .collect()
    };
    let (mut code, other): (Vec<u32>, Vec<u32>) = (words(halves), words(others));
    let lengths = (code.len() as u64, other.len() as u64);
    code.extend(other);
    let functions = [("f", 0, lengths.0), ("other", lengths.0, lengths.1)];
    image(&elf_file(&code, &functions, true, flaw))
}

#[test]
fn code_of_a_functions_attribute_is_followed_though_nothing_names_it() {
    let image = image(include_bytes!("../files/attributes.elf"));
    let g = Some(0x100f4);
    let zcmp = [
        (0x1010a, Call, false, g),
        (0x10110, Forward, true, Some(0x1011a)),
        (0x10116, Call, false, g),
        (0x1011e, Call, false, g),
        (0x10122, Return, false, None),
    ];
    assert_eq!(transfers(&image, "zcmp"), zcmp);
    let ret = |at| (at, Return, false, None);
    let zibi = [(0x1012c, Forward, true, Some(0x10136)), ret(0x10138)];
    assert_eq!(transfers(&image, "zibi"), zibi);
    let xcvbi = [(0x10142, Forward, true, Some(0x1014c)), ret(0x1014e)];
    assert_eq!(transfers(&image, "xcvbi"), xcvbi);
    // Another vendor may have the opcode.
    assert_eq!(doubts(&image), [(0x10142, Doubtful::Branch)]);
}

#[test]
fn targets_are_those_of_the_table_and_48_bits_are_an_instruction() {
    let image = image(include_bytes!("../files/tables.elf"));
    let table = |at| image.instruction(at).and_then(|found| found.transfer);
    let found = [0x10186, 0x10188].map(|at| table(at).map(|to| (to.kind, to.target)));
    let (callee, start) = (Some(0x1018e), Some(0x10184));
    assert_eq!(found, [Some((Call, callee)), Some((Backward, start))]);
    let far = [
        (0x10196, Forward, true, Some(0x101a2)),
        (0x1019c, Forward, true, Some(0x101a2)),
        (0x101a2, Call, false, callee),
        (0x101a8, Return, false, None),
    ];
    assert_eq!(transfers(&image, "far"), far);
    assert_eq!(doubts(&image), []);
}

/// Data between a jump and its targets; and data that control reaches is code, as what `.word` wrote into a function may be.
#[test]
fn what_is_marked_as_data_is_no_target_of_a_jump() {
    let image = image(include_bytes!("../files/tables.elf"));
    let blocks = Blocks::recover(&image, image.functions(), &Starts::Assumed);
    let switch = image.functions().find("switch").expect("a function");
    let within: Vec<u64> = blocks
        .within(switch.address..switch.end())
        .map(|b| b.start)
        .collect();
    assert_eq!(within, [0x101aa, 0x101b6]);
    assert_eq!(blocks.assumed().iter().collect::<Vec<_>>(), [&0x101b6]);
    assert!(image.is_data(0x101ae) && image.is_data(0x101b2) && !image.is_data(0x101b6));
    let run = Observed {
        starts: [0x1018a].into(),
        ..Observed::default()
    };
    let blocks = Blocks::recover(&image, image.functions(), &Starts::Observed(run));
    assert!(image.is_data(0x1018a) && blocks.at(0x1018a).is_some());
}

/// `c.fsdsp` has the encodings of `cm.push` (0xb8..) and `cm.popret` (0xbe..).
#[test]
fn a_store_of_d_and_a_return_of_zcmp_are_told_apart() {
    const PUSH: u16 = 0xb862;
    const POPRET: u16 = 0xbe62;
    /// `c.fldsp fa0, 0(sp)`.
    const LOAD: u16 = 0x2502;
    const RETURNS: Option<bool> = Some(true);
    const STORES: Option<bool> = Some(false);
    let gcd = Flaw::Architecture("rv32i2p1_f2p2_d2p2_c2p0");
    let zcmp = Flaw::Architecture("rv32i2p1_c2p0_zcmp1p0");
    let neither = Flaw::Architecture("rv32i2p1_c2p0");
    let both = Flaw::Architecture("rv32i2p1_f2p2_d2p2_c2p0_zcmp1p0");
    let cases = [
        // What the names exclude is not there.
        ("Zcmp alone", zcmp, &[1, POPRET], RETURNS),
        ("neither", neither, &[1, POPRET], RETURNS),
        ("Zcmp, beside loads", zcmp, &[LOAD, POPRET], RETURNS),
        // Where they do not, as those of two object files together, what the function does.
        ("both, pushed", both, &[PUSH, POPRET], RETURNS),
        ("both, loaded", both, &[LOAD, POPRET], STORES),
        ("both", both, &[1, POPRET], None),
        (
            "both, pushed and loaded",
            both,
            &[PUSH, LOAD, POPRET, 1],
            None,
        ),
        ("both, others pushed", both, &[0xb872, POPRET], None),
        ("D alone", gcd, &[1, POPRET], STORES),
        ("D alone, loaded", gcd, &[PUSH, LOAD, POPRET, 1], STORES),
        ("D alone, pushed", gcd, &[PUSH, POPRET], RETURNS),
        ("no names, pushed", Flaw::None, &[PUSH, POPRET], RETURNS),
        ("no names, loaded", Flaw::None, &[LOAD, POPRET], STORES),
        ("no names", Flaw::None, &[1, POPRET], None),
    ] as [(&str, Flaw, &[u16], Option<bool>); _];
    for (case, flaw, halves, expected) in cases {
        // Another function does not matter.
        let image = program(halves, &[LOAD, 0x8082], flaw);
        let halves = halves
            .iter()
            .position(|&half| half == POPRET)
            .expect("it is there");
        let at = BASE + 2 * halves as u64;
        let found = image.instruction(at);
        let returns = found.map(|found| found.transfer.is_some());
        assert_eq!(returns, expected, "{case}");
        let said = image
            .doubts()
            .iter()
            .any(|d| (d.at, d.what) == (at, Doubtful::Zcm));
        assert_eq!(said, expected.is_none(), "{case}");
    }
}

/// An instruction of an unknown extension may transfer control, so it is not decoded; the others are.
#[test]
fn instructions_of_unknown_extensions_are_no_code() {
    const CUSTOM_0: u32 = 0x0000_000b;
    let words = [CUSTOM_0, RET];
    let flaw = Flaw::Architecture("rv32i2p1_c2p0_xnobody1p0");
    let unknown = image(&elf_file(&words, &[("f", 0, 2)], true, flaw));
    assert_eq!(unknown.unknown_extensions(), ["xnobody"]);
    assert_eq!(unknown.instruction(BASE), None);
    assert!(unknown.instruction(BASE + 4).is_some());
    for shift_or_long in [0x1912, 0x001f] {
        let image = program(&[shift_or_long, 0, 0, 0x8082], &[0x8082], flaw);
        assert_eq!(image.instruction(BASE), None);
    }
    let known = image(&elf_file(&words, &[("f", 0, 2)], true, Flaw::None));
    assert!(known.instruction(BASE).is_some());
}

/// Custom opcodes are those of the vendor that is named, and of any that branches where none is.
#[test]
fn a_custom_opcode_is_the_named_vendors() {
    const CV_BEQIMM: u32 = 0x0055_640b;
    const NDS_BEQC: u32 = 0x0055_545b;
    const QC_BEQI: u32 = 0x0055_047b;
    const CV_SETUPI: u32 = 0x0031_462b;
    let branches = |arch: Option<&'static str>| {
        let flaw = arch.map_or(Flaw::None, Flaw::Architecture);
        let words = [CV_BEQIMM, NDS_BEQC, QC_BEQI, CV_SETUPI, NOP, RET];
        let image = image(&elf_file(&words, &[("f", 0, 6)], true, flaw));
        let found = (0..4).map(|word| image.instruction(BASE + 4 * word));
        let found: String = found
            .map(|found| match found.map(|found| found.transfer) {
                Some(Some(_)) => 'B',
                Some(None) => '-',
                None => '?',
            })
            .collect();
        (found, image.doubts().len())
    };
    assert_eq!(branches(None), ("BBB-".into(), 4));
    assert_eq!(branches(Some("rv32i2p1")), ("BBB-".into(), 4));
    assert_eq!(branches(Some("rv32i2p1_xcvbi1p0")), ("B---".into(), 0));
    assert_eq!(branches(Some("rv32i2p1_xandesperf1p0")), ("-B--".into(), 0));
    assert_eq!(branches(Some("rv32i2p1_xqcibi0p2")), ("--B-".into(), 0));
    assert_eq!(branches(Some("rv32i2p1_xtheadba1p0")), ("----".into(), 0));
}

/// Go's compiler denies the compressed instructions that it writes: no flag of these files says that there are any.
#[test]
fn compressed_code_is_found_whatever_the_flags_say() {
    let compressed = program(&[1, 0x0001, 0x8082, 0], &[0x8082, 0], Flaw::None);
    assert_eq!(compressed.half_aligned(), Some(BASE + 2));
    let wide = image(&elf_file(
        &[NOP, RET, 0x8082_0001],
        &[("f", 0, 3)],
        true,
        Flaw::None,
    ));
    assert_eq!(wide.half_aligned(), None, "behind a return is no code");
}
