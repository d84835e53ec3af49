//! Programs that compilers, linkers and people make otherwise than the fixture: numbers among the symbols, debug information that is
//! not there.

use std::fs;

use flate2::read::GzDecoder;
use hpp_report::{ElfFile, Heat, Profile, Program};
use object::{Object, ObjectSection};
use std::io::Read;

use crate::folder::{Done, Folder, fixture, profiled, profiler};
use crate::riscv_program::{Flaw, NOP, RET, beq, elf_file, program};
use crate::said::Must;
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::dump::Dump;

/// A folder with the fixture's profile and its program, each `text` in which is another one of the same length.
pub fn folder(changes: &[(&[u8], &[u8])]) -> Folder {
    let mut elf = fixture("words.elf");
    for (text, other) in changes {
        assert_eq!(text.len(), other.len());
        let places: Vec<usize> = elf
            .windows(text.len())
            .enumerate()
            .filter_map(|(at, window)| (window == *text).then_some(at))
            .collect();
        assert!(!places.is_empty(), "{}", String::from_utf8_lossy(text));
        for at in places {
            elf[at..at + other.len()].copy_from_slice(other);
        }
    }
    let folder = Folder::new("");
    folder.write("words.elf", &elf);
    folder.write("words.txt", fixture("words.txt"));
    folder
}

pub fn export(folder: &Folder, format: &str) -> Done {
    let arguments = format!("export words.txt --elf words.elf --format {format}");
    folder.run(arguments)
}

/// `vfprintf` is a weak function that is nowhere: its symbol has the value 0, where `_start` is.
#[test]
fn a_symbol_without_a_section_is_no_function() {
    let done = folder(&[]).run("annotate words.txt --elf words.elf --function vfprintf");
    assert_eq!((done.status, &*done.out), (1, ""));
    done.error.must_contain("there is no function `vfprintf`");
}

/// A program for x86-64 with the same symbols, whose code nobody reads.
fn x86(functions: &[crate::riscv_program::Symbol<'_>]) -> Vec<u8> {
    const E_MACHINE: usize = 18;
    let mut elf = elf_file(&[NOP, NOP, RET], functions, false, Flaw::None);
    elf[E_MACHINE..E_MACHINE + 2].copy_from_slice(&object::elf::EM_X86_64.0.to_le_bytes());
    elf
}

#[test]
fn a_program_for_x86_64_has_names_and_no_code() {
    let folder = Folder::new(profiled(&[true]));
    folder.write("f.elf", x86(&[("f", 0, 3)]));
    let report = folder.succeeds("report serial.txt --elf f.elf").out;
    assert!(!report.contains("begins in no function"), "{report}");
    let compared = folder.run("diff serial.txt serial.txt --elf f.elf");
    assert!(compared.out.contains("+0.0  f "), "{}", compared.error);
    let expected = "hpp: f.elf: the ELF file is for X86_64; only 32-bit and 64-bit RISC-V code can be read; of x86-64 programs, report and diff \
         name functions and lines\n";
    let annotate = folder.run("annotate serial.txt --elf f.elf");
    assert_eq!(annotate.error, expected);
    let export = folder.run("export serial.txt --elf f.elf --format folded");
    assert_eq!(export.error, expected);
}

/// The message asked for the program, which was there.
#[test]
fn instructions_of_an_x86_64_program_are_refused_with_the_reason() {
    let folder = Folder::new(profiled(&[true]));
    folder.write("f.elf", x86(&[("f", 0, 3)]));
    let done = folder.run("report serial.txt --elf f.elf --by instructions");
    assert_eq!(done.status, 1);
    done.error
        .must_contain("counted in RISC-V code, and the program is for x86-64");
    // Without a ranking it is what can be known.
    let out = folder.succeeds("report serial.txt --elf f.elf").out;
    out.must_contain("executions");
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
    let mut message = Vec::new();
    let unpacked = GzDecoder::new(&packed[..]).read_to_end(&mut message);
    unpacked.expect("gzip");
    let has = |text: &[u8]| message.windows(text.len()).any(|window| window == text);
    assert!(has(b"fixture/main.c"));
}

#[test]
fn formats_of_lines_are_refused_without_lines() {
    let folder = Folder::new(profiled(&[true]));
    for format in ["lcov", "autofdo"] {
        let arguments = format!("export serial.txt --elf f.elf --format {format} -o out");
        let done = folder.run(arguments);
        let expected =
            "hpp: f.elf has no debug information where its paths ran; build it with -g\n";
        assert_eq!((done.status, &*done.error), (1, expected), "{format}");
        assert!(!folder.path().join("out").exists(), "{format}");
    }
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
    let report = folder.run("report words.txt --elf words.elf");
    let expected = "the section .debug_info cannot be decompressed";
    report.out.must_contain(expected);
    let done = export(&folder, "autofdo");
    assert_eq!(done.status, 1);
    done.error.must_contain(expected);
    let done = export(&folder, "folded");
    assert_eq!(done.status, 0);
    done.error.must_contain(expected);
}

/// A function whose loop leads back to its first instruction is entered less often than that runs.
#[test]
fn a_function_is_entered_when_it_is_called() {
    let mut profiler = profiler(&Geometry::default());
    let mut run = |kind, taken, target| {
        profiler.profile(&BranchRecord::new(kind, taken, target, 0).with_events(1));
    };
    for _ in 0..3 {
        run(BranchKind::Call, true, 0x1_0000);
        for round in 1..=5 {
            let taken = round < 5;
            let target = if taken { 0x1_0000 } else { 0x1_0008 };
            run(BranchKind::Backward, taken, target);
        }
        run(BranchKind::Return, true, 0x2_0000);
    }
    let elf = program(&[NOP, beq(-4), RET], &[("f", 0, 3)]);
    let file = ElfFile::new(elf);
    let program = Program::from_elf(&file).expect("a program");
    let profile = Profile::of(&Dump::of(&profiler)).expect("a profiler's");
    let heat = Heat::of(&profile, &program);
    let function = program.find("f").expect("it is there");
    assert_eq!(heat.instructions[&0x1_0000], 3 * 5);
    assert_eq!(heat.entered(function), 3);
}

/// A profile says which program ran; a file without a build ID does not say whether it is that one.
#[test]
fn a_program_that_cannot_be_identified_is_reported() {
    let mut dump = profiled(&[true]);
    dump.program = Some("aa".into());
    let folder = Folder::new(&dump);
    let done = folder.run("report serial.txt --elf f.elf");
    assert_eq!(done.status, 0);
    let expected = "whether the ELF file, which has none, is that one is not known";
    done.out.must_contain(expected);
}

#[test]
fn a_dump_that_does_not_name_its_program_is_not_called_checked() {
    let mut dump = profiled(&[true]);
    let expected = "whether the ELF file is that one is not known; remedy: link with --build-id";
    for (program, is_reported) in [(None, true), (Some("aa".to_string()), false)] {
        dump.program = program;
        let folder = Folder::new(&dump);
        let done = folder.run("report serial.txt --elf f.elf");
        assert_eq!(
            (done.status, done.out.contains(expected)),
            (0, is_reported),
            "{}",
            done.out
        );
        let alone = folder.run("report serial.txt");
        assert!(!alone.out.contains(expected), "{}", alone.out);
    }
}

/// The frame of a function that many paths share is at its first line, not where the hottest of them begins.
#[test]
fn a_function_is_at_its_first_line() {
    let text = export(&folder(&[]), "speedscope").out;
    let file: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let frames = file["shared"]["frames"].as_array().expect("frames");
    let place = frames.iter().find(|frame| frame["name"] == "place");
    assert_eq!(place.expect("its frame")["line"], 44);
}

/// What has nothing to say of an empty profile does not blame the program.
#[test]
fn an_empty_profile_is_reported_where_a_format_is_refused() {
    let folder = Folder::new(profiled(&[]));
    for (format, expected) in [
        (
            "autofdo",
            "hpp: no path of the profile leads through f.elf\n",
        ),
        ("svg", "hpp: the profile has no path to draw\n"),
    ] {
        let done = folder.run(format!("export serial.txt --elf f.elf --format {format}"));
        assert_eq!((done.status, &*done.out), (1, ""));
        done.error
            .must_begin("hpp: this profile cannot be trusted: no branch record");
        done.error.must_end(expected);
    }
}

#[test]
fn a_folder_of_sources_that_is_not_there_is_refused() {
    let folder = folder(&[]);
    for command in ["annotate", "report --html page.html"] {
        let arguments = format!("{command} words.txt --elf words.elf --source nowhere");
        let done = folder.run(arguments);
        assert_eq!((done.status, &*done.out), (2, ""));
        done.error.must_contain("there is no such folder");
    }
}

/// `--top` once counted ranks of the whole profile, so a cold function had no rows.
#[test]
fn top_counts_the_paths_of_the_selection() {
    for selection in [
        "--function main",
        "--function is_letter",
        "--only is_letter",
        "--exclude place",
    ] {
        let report = |top: usize| {
            let command = format!("report words.txt --elf words.elf {selection} --top {top}");
            folder(&[]).run(command).out
        };
        let rows = |text: &str| {
            let mut lines = text.lines();
            lines.find(|line| line.trim_start().starts_with("# "));
            let first = |line: &str| line.split_whitespace().next().map(str::to_owned);
            let row = |line: &&str| first(line).is_some_and(|word| word != "and");
            let is_ranked =
                |line: &&str| first(line).is_some_and(|word| word.parse::<u64>().is_ok());
            lines.take_while(row).filter(is_ranked).count()
        };
        assert_eq!(rows(&report(1)), 1, "{}", report(1));
        assert!(rows(&report(1000)) > 1, "{}", report(1000));
    }
}

#[test]
fn a_function_that_no_path_runs_through_is_reported() {
    let done = folder(&[]).run("report words.txt --elf words.elf --function _exit");
    let expected = "hpp: no path of the profile runs through `_exit`\n";
    assert_eq!((done.status, &*done.error), (0, expected));
}
