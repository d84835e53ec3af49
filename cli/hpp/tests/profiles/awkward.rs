//! Programs that compilers, linkers and people make otherwise than the fixture: numbers among the symbols, debug information that is
//! not there.

use std::fs;

use hpp_report::{ElfFile, Heat, Profile, Program};
use object::{Object, ObjectSection};

use crate::export::unpacked;
use crate::fixtures::replaced;
use crate::folder::{Done, Folder, dump_of, fixture};
use crate::riscv_program::{NOP, RET, beq, program};
use crate::said::Must;
use hpp_golden::branch::BranchKind;
use hpp_golden::config::Geometry;

/// A folder with the fixture's profile and its program, each `text` in which is another one of the same length.
pub fn folder(changes: &[(&[u8], &[u8])]) -> Folder {
    let unchanged = fixture("words.elf");
    let elf = changes
        .iter()
        .fold(unchanged, |elf, (text, other)| replaced(elf, text, other));
    let folder = Folder::words();
    folder.write("words.elf", elf);
    folder
}

pub fn export(folder: &Folder, format: &str) -> Done {
    let arguments = format!("export words.txt --elf words.elf --format {format}");
    folder.run(arguments)
}

/// A name of a file may hold what ends a line.
#[test]
fn formats_of_lines_have_a_line_for_each_thing() {
    let folder = folder(&[(b"main.c", b"ma\nn.c")]);
    for line in export(&folder, "folded").out.lines() {
        let count = line.rsplit_once(' ').map(|(_, count)| count.parse::<u64>());
        assert!(matches!(count, Some(Ok(_))), "{line}");
    }
    for line in export(&folder, "lcov").out.lines() {
        assert!(line == "end_of_record" || line.contains(':'), "{line}");
    }
}

/// Lines are known of code whose functions the debug information does not name.
#[test]
fn pprof_has_lines_without_functions() {
    let folder = folder(&[(b"\0.debug_str\0", b"\0.debug_xyz\0")]);
    let report = folder.run("report words.txt --elf words.elf");
    report.out.must_contain("main.c:36");
    folder.succeeds("export words.txt --elf words.elf --format pprof -o p");
    let packed = fs::read(folder.path().join("p")).expect("a file");
    let message = unpacked(&packed);
    let has = |text: &[u8]| message.windows(text.len()).any(|window| window == text);
    assert!(has(b"fixture/main.c"));
}

/// The section's header, and what stands before the data, say that it is compressed by zlib, which it is not.
#[test]
fn debug_information_that_cannot_be_decompressed_is_reported() {
    const SHF_COMPRESSED: u8 = 1 << 3;
    let folder = folder(&[]);
    let mut elf = fixture("words.elf");
    let (header, data) = {
        let file = object::read::elf::ElfFile32::<object::Endianness>::parse(&elf[..]);
        let file = file.expect("an ELF file");
        let section = file
            .section_by_name(".debug_info")
            .expect("debug information");
        let table = u32::from_le_bytes(elf[0x20..0x24].try_into().expect("four bytes"));
        let (start, _) = section.file_range().expect("in the file");
        (table as usize + 40 * section.index().0, start as usize)
    };
    elf[header + 8 + 1] |= SHF_COMPRESSED;
    elf[data..data + 12].copy_from_slice(&[1, 0, 0, 0, 0, 16, 0, 0, 1, 0, 0, 0]);
    folder.write("words.elf", &elf);
    let expected = "the section .debug_info cannot be decompressed";
    let report = folder.run("report words.txt --elf words.elf");
    report.out.must_contain(expected);
    for (format, status) in [("autofdo", 1), ("folded", 0)] {
        let done = export(&folder, format);
        assert_eq!(done.status, status, "{format}");
        done.error.must_contain(expected);
    }
}

/// A function whose loop leads back to its first instruction is entered less often than that runs.
#[test]
fn a_function_is_entered_when_it_is_called() {
    let round = |round| {
        let target = if round < 5 { 0x1_0000 } else { 0x1_0008 };
        (BranchKind::Backward, round < 5, target)
    };
    let call = [(BranchKind::Call, true, 0x1_0000)].into_iter();
    let call = call
        .chain((1..=5).map(round))
        .chain([(BranchKind::Return, true, 0x2_0000)]);
    let dump = dump_of(&Geometry::default(), (0..3).flat_map(|_| call.clone()));
    let elf = program(&[NOP, beq(-4), RET], &[("f", 0, 3)]);
    let file = ElfFile::new(elf);
    let program = Program::from_elf(&file).expect("a program");
    let profile = Profile::of(&dump).expect("a profiler's");
    let heat = Heat::of(&profile, &program);
    let function = program.find("f").expect("it is there");
    assert_eq!(heat.instructions[&0x1_0000], 3 * 5);
    assert_eq!(heat.entered(function), 3);
}
