//! Recovery of functions and blocks from ELF files.

mod extensions;
mod riscv_program;

use std::collections::BTreeSet;

use hpp_golden::branch::BranchKind::{Backward, Forward, Indirect, Return};
use hpp_riscv::{Blocks, Doubtful, Exit, Image, Observed, Starts};
use riscv_program::{BASE, Flaw, JR, NOP, RET, Symbol, beq, elf_file, jal, program};

fn image(words: &[u32], functions: &[Symbol<'_>]) -> Image {
    Image::from_elf(&program(words, functions), None).expect("a good program")
}

/// The blocks as (first word, words, exit).
fn blocks(image: &Image, starts: &Starts) -> Vec<(u64, u64, Exit)> {
    Blocks::recover(image, image.functions(), starts)
        .iter()
        .map(|b| ((b.start - BASE) / 4, (b.end - b.start) / 4, b.exit))
        .collect()
}

fn nothing_observed() -> Starts {
    Starts::Observed(Observed::default())
}

fn at(word: u64) -> u64 {
    BASE + 4 * word
}

#[test]
fn blocks_within_a_range_are_those_that_begin_there() {
    let code = [beq(8), NOP, beq(-4), RET, beq(8), NOP, RET];
    let image = image(&code, &[("f", 0, 4), ("g", 4, 3)]);
    let blocks = Blocks::recover(&image, image.functions(), &nothing_observed());
    for start in 0..8 {
        for end in 0..8 {
            let range = at(start)..at(end);
            let within = blocks.within(range.clone()).map(|block| block.start);
            let all = blocks.iter().map(|block| block.start);
            assert!(
                within.eq(all.filter(|start| range.contains(start))),
                "{range:x?}"
            );
        }
    }
}

#[test]
fn a_loop_with_a_call_and_an_early_exit() {
    let code = [
        NOP,         // 0 f:
        beq(16),     // 1   leave the loop, to 5
        jal(1, 20),  // 2   call g, at 7
        NOP,         // 3
        jal(0, -12), // 4   back to 1
        NOP,         // 5
        RET,         // 6
        RET,         // 7 g:
    ];
    let image = image(&code, &[("f", 0, 7), ("g", 7, 1)]);
    let (kind, target) = (Forward, at(5));
    let leave = Exit::Branch { kind, target };
    let (kind, target) = (Backward, at(1));
    let back = Exit::Jump { kind, target };
    assert_eq!(
        blocks(&image, &nothing_observed()),
        [
            (0, 1, Exit::Fall),
            (1, 1, leave),
            (2, 3, back),
            (5, 2, Exit::Computed(Return)),
            (7, 1, Exit::Computed(Return)),
        ]
    );
}

/// An instruction of a hardware loop, by its function, its two immediates and the loop.
fn hardware(function: u32, long: u32, short: u32, number: u32) -> u32 {
    long << 20 | short << 15 | 0x402b | function << 8 | number << 7
}

/// The example of the CV32E40P manual, "CORE-V Hardware Loop feature": a loop in a loop.
#[test]
fn hardware_loops_are_branches_back_from_the_ends_of_their_bodies() {
    let code = [
        hardware(0, 5, 0, 1), // 0   cv.starti 1, to 5
        hardware(2, 9, 0, 1), // 1   cv.endi   1, before 10
        hardware(5, 0, 7, 1), // 2   cv.count  1
        hardware(2, 6, 0, 0), // 3   cv.endi   0, before 9
        hardware(0, 2, 0, 0), // 4   cv.starti 0, to 6
        hardware(5, 0, 7, 0), // 5   cv.count  0
        NOP,                  // 6
        NOP,                  // 7
        NOP,                  // 8   back to 6
        NOP,                  // 9   back to 5
        RET,                  // 10
    ];
    let back = |target| Exit::Branch {
        kind: Backward,
        target: at(target),
    };
    assert_eq!(
        blocks(&image(&code, &[("f", 0, 11)]), &nothing_observed()),
        [
            (0, 5, Exit::Fall),
            (5, 1, Exit::Fall),
            (6, 3, back(6)),
            (9, 1, back(5)),
            (10, 1, Exit::Computed(Return)),
        ]
    );
}

#[test]
fn a_hardware_loop_from_a_register_is_not_followed_and_said() {
    let code = [hardware(3, 0, 5, 0), hardware(6, 2, 2, 0), NOP, RET];
    let image = image(&code, &[("f", 0, 4)]);
    let doubts: Vec<_> = image
        .doubts()
        .iter()
        .map(|doubt| (doubt.at, doubt.what))
        .collect();
    let expected = [(at(0), Doubtful::LoopByRegister), (at(1), Doubtful::Loop)];
    assert_eq!(doubts, expected);
    let named = elf_file(
        &code,
        &[("f", 0, 4)],
        true,
        Flaw::Architecture("rv32i2p1_xcvhwlp1p0"),
    );
    let named = Image::from_elf(&named, None).expect("a good program");
    let doubts: Vec<_> = named.doubts().iter().map(|doubt| doubt.at).collect();
    assert_eq!(doubts, [at(0)]);
}

#[test]
fn a_jump_table_stays_indirect_and_its_targets_are_observed_or_assumed() {
    let code = [
        NOP, // 0 f:
        JR,  // 1   through the table
        NOP, // 2   case 0, falls into
        NOP, // 3   case 1
        RET, // 4
    ];
    let image = image(&code, &[("f", 0, 5)]);
    let head = (0, 2, Exit::Computed(Indirect));
    assert_eq!(blocks(&image, &nothing_observed()), [head]);
    assert_eq!(
        blocks(&image, &Starts::Assumed),
        [head, (2, 3, Exit::Computed(Return))]
    );
    let observed = Starts::Observed(Observed {
        starts: BTreeSet::from([at(2), at(3)]),
        ..Observed::default()
    });
    assert_eq!(
        blocks(&image, &observed),
        [head, (2, 1, Exit::Fall), (3, 2, Exit::Computed(Return))]
    );
}

#[test]
fn functions_without_indirect_jumps_have_no_assumed_starts() {
    let image = image(&[RET, NOP, RET], &[("f", 0, 3)]);
    assert_eq!(
        blocks(&image, &Starts::Assumed),
        [(0, 1, Exit::Computed(Return))]
    );
}

#[test]
fn a_call_at_the_end_of_its_function_does_not_return() {
    let code = [jal(1, 4), RET];
    let image = image(&code, &[("f", 0, 1), ("g", 1, 1)]);
    assert_eq!(
        blocks(&image, &nothing_observed()),
        [(0, 1, Exit::Dead), (1, 1, Exit::Computed(Return))]
    );
}

#[test]
fn code_that_runs_out_is_dead() {
    let image = image(&[NOP, 0], &[("f", 0, 2)]);
    assert_eq!(blocks(&image, &nothing_observed()), [(0, 1, Exit::Dead)]);
}

#[test]
fn functions_are_found_by_name_and_by_address() {
    let image = image(
        &[NOP, NOP, RET, RET],
        &[("start", 0, 0), ("f", 2, 1), ("alias", 2, 1)],
    );
    let names: Vec<&str> = image.functions().iter().map(|f| f.name.as_str()).collect();
    assert_eq!(names, ["start", "f"]);
    let alias = image.functions().find("alias");
    assert_eq!(alias.map(|f| f.name.as_str()), Ok("f"));
    let start = image.functions().find("start");
    let start = start.expect("a label counts where no function is");
    assert_eq!((start.size, start.sized), (8, false));
    let there = [at(1), at(2), at(3), 0].map(|address| image.functions().at(address));
    let there = there.map(|function| function.map(|f| f.name.as_str()));
    assert_eq!(there, [Some("start"), Some("f"), None, None]);
}

/// Of two static functions of one name neither is taken silently.
#[test]
fn functions_of_one_name_are_distinguished_by_address() {
    let image = image(&[RET, RET, RET], &[("f", 0, 1), ("g", 1, 1), ("f", 2, 1)]);
    let functions = image.functions();
    let error = functions.find("f").expect_err("two of them");
    assert_eq!(
        error.to_string(),
        "2 functions are called `f`, at 0x10000 and 0x10008; give one by its address"
    );
    let last = functions.find("0x10008").expect("the second f");
    assert_eq!((last.name.as_str(), last.address), ("f", at(2)));
    let error = functions.find("0x20000").expect_err("beyond all");
    assert_eq!(error.to_string(), "no function is at 0x20000");
    let error = functions.find("h").expect_err("no h");
    assert_eq!(error.to_string(), "there is no function `h`");
}

#[test]
fn rv64_programs_are_read_too() {
    let bytes = elf_file(&[RET], &[("f", 0, 1)], false, Flaw::None);
    let image = Image::from_elf(&bytes, None).expect("a good program");
    assert_eq!(image.xlen(), hpp_riscv::Xlen::Rv64);
}

#[test]
fn errors_say_what_is_wrong_with_the_file() {
    let error = |bytes: &[u8]| {
        Image::from_elf(bytes, None)
            .expect_err("refused")
            .to_string()
    };
    let flawed = |flaw| error(&elf_file(&[RET], &[("f", 0, 1)], true, flaw));
    assert_eq!(error(b"not an ELF file"), "not a readable ELF file");
    assert!(flawed(Flaw::Machine).contains("is for Arm; only 32-bit and 64-bit RISC-V"));
    assert!(flawed(Flaw::Relocatable).contains("not linked"));
    assert!(flawed(Flaw::NoCode).contains("has no code"));
    assert!(flawed(Flaw::NoSymbols).contains("do not strip it"));
    assert_eq!(
        flawed(Flaw::Architecture("rv32i2p1_c2p0_xesploop1p0")),
        "the program uses the extension xesploop, whose control transfers are not understood: \
         hardware loops jump back without an instruction; build it without (-march)"
    );
}

#[test]
fn damaged_files_are_errors_not_panics() {
    let well_formed = |bytes: &[u8]| {
        if let Ok(image) = Image::from_elf(bytes, None) {
            let blocks = Blocks::recover(&image, image.functions(), &Starts::Assumed);
            assert!(blocks.iter().all(|b| b.start < b.end));
        }
    };
    let good = program(&[NOP, beq(-4), JR, NOP, RET], &[("f", 0, 5)]);
    for i in 0..good.len() {
        well_formed(&good[..i]);
        for flip in [1, 0x80, 0xff] {
            let mut damaged = good.clone();
            damaged[i] ^= flip;
            well_formed(&damaged);
        }
    }
}

/// A program at address 0, where symbols that name no code lie too: `--defsym` of what is not linked, weak references.
#[test]
fn symbols_of_no_section_name_no_function() {
    let functions = [("option", 0, 1), ("weak", 0, 0), ("start", 0, 1)];
    let mut bytes = program(&[RET], &functions);
    let base = (BASE as u32).to_le_bytes();
    for word in bytes.chunks_exact_mut(4).filter(|word| **word == base) {
        word.copy_from_slice(&[0; 4]);
    }
    let symbol = |bytes: &[u8], info: u8, size: u32| {
        let entry = [&[0; 4], &size.to_le_bytes()[..], &[info, 0, 1, 0]].concat();
        let found = bytes.windows(entry.len()).position(|part| part == entry);
        found.expect("it was written") + 10
    };
    let [option, weak] = [(0x12, 4), (0x10, 0)].map(|(info, size)| symbol(&bytes, info, size));
    bytes[option..option + 2].copy_from_slice(&0xfff1_u16.to_le_bytes());
    bytes[weak..weak + 2].copy_from_slice(&[0; 2]);
    let image = Image::from_elf(&bytes, None).expect("a good program");
    let found: Vec<_> = image.functions().iter().collect();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].name.as_str(), found[0].address), ("start", 0));
    assert!(found[0].aliases.is_empty());
}

/// Assembly may have a function with a size in the middle of another.
#[test]
fn what_lies_after_an_inner_function_is_the_outer_ones() {
    let functions = [
        ("outer", 0, 9),
        ("inner", 1, 3),
        ("core", 2, 1),
        ("label", 5, 0),
        ("second", 6, 2),
        ("its end", 7, 1),
        ("last", 9, 1),
    ];
    let image = image(&[RET; 10], &functions);
    let name = |word| image.functions().at(at(word)).map(|f| f.name.as_str());
    let names: Vec<_> = (0..11).map(|word| name(word).unwrap_or("-")).collect();
    let expected = "outer inner core inner outer outer second its end outer last -";
    assert_eq!(names.join(" "), expected);
}
