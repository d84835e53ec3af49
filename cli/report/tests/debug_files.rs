//! Debug information wherever a compiler or a distribution puts it: functions, frames and lines of every address are those of the plain build.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use hpp_report::program::SourceFrame;
use hpp_report::{ElfFile, Program};
use tempfile::TempDir;

const WORK: &str = "\
static inline __attribute__((always_inline)) int square(int a)
{
    return a * a;
}
int work(int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += i % 3 ? square(i) : -i;
    return sum;
}
";
const MAIN: &str = "\
int work(int n);
int main(int count, char **words)
{
    return work(count) + words[0][0];
}
";

/// Runs a program in a folder; whether it succeeds.
fn run(folder: &Path, program: &str, arguments: &str) -> bool {
    let mut command = Command::new(program);
    let command = command
        .args(arguments.split_whitespace())
        .current_dir(folder);
    command.output().is_ok_and(|output| output.status.success())
}

/// A folder with the sources and `program`, with its units in files of their own or not; none if the compiler cannot do that.
fn built(splits: bool) -> Option<TempDir> {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("work.c"), WORK).expect("a file");
    fs::write(folder.path().join("main.c"), MAIN).expect("a file");
    // The names in the debug information do not depend on the folder.
    let flag = match splits {
        true => "-gsplit-dwarf".into(),
        false => format!("-ffile-prefix-map={}=.", folder.path().display()),
    };
    let arguments = format!("{flag} -g -O2 -fno-ipa-icf work.c main.c -o program");
    run(folder.path(), "cc", &arguments).then_some(folder)
}

fn program(folder: &TempDir) -> PathBuf {
    folder.path().join("program")
}

/// Why a file is no program whose names are known.
fn refusal(path: &Path) -> String {
    let file = ElfFile::read(path).expect("a file");
    Program::named(&file)
        .err()
        .expect("it is refused")
        .to_string()
}

type Known = Vec<(u64, Option<String>, Vec<SourceFrame>)>;

/// What is known of each address of the two functions: function, frames, lines; files by their names.
fn known(path: &Path) -> (Known, Option<String>) {
    let file = ElfFile::read(path).expect("a file");
    let program = Program::named(&file).expect("a program");
    let of = |name| {
        let function = program.find(name).expect("a function");
        function.address..function.end()
    };
    let at = |address| {
        let mut frames = program.frames(address).to_vec();
        for frame in &mut frames {
            let file = &mut frame.source.file;
            *file = file.rsplit('/').next().unwrap_or_default().to_owned();
        }
        (address, program.place(address).function, frames)
    };
    let known = of("work").chain(of("main")).map(at).collect();
    (known, program.unread().map(str::to_owned))
}

fn plain() -> Known {
    let folder = built(false).expect("a C compiler");
    let (known, unread) = known(&program(&folder));
    assert_eq!(unread, None);
    let inlined = known
        .iter()
        .filter(|(_, _, frames)| frames.len() == 2)
        .count();
    assert!(inlined > 0, "{known:?}");
    assert!(
        known.iter().all(|(_, _, frames)| !frames.is_empty()),
        "{known:?}"
    );
    known
}

/// Where in a function of assembly an address is, its own labels tell.
#[test]
fn a_local_label_of_assembly_is_named_inside_its_function() {
    let folder = tempfile::tempdir().expect("a folder");
    let assembly = ".text\n.globl copy\n.type copy, %function\ncopy:\n.byte 0, 0, 0, 0\nagain:\n.byte 0, 0, 0, 0\n.size copy, . - copy\n\
                    alone:\n.byte 0, 0, 0, 0\n.section .note.GNU-stack,\"\",%progbits\n";
    fs::write(folder.path().join("copy.s"), assembly).expect("a file");
    fs::write(
        folder.path().join("main.c"),
        "int main(void) { return 0; }\n",
    )
    .expect("a file");
    assert!(run(folder.path(), "cc", "main.c copy.s -o program"));
    let file = ElfFile::read(&program(&folder)).expect("a file");
    let program = Program::named(&file).expect("a program");
    let start = program.find("copy").expect("a function").address;
    let shown = [0, 2, 4, 6].map(|offset| program.place(start + offset).to_string());
    let expected = [
        "copy",
        "copy+0x2",
        "copy+0x4 (again)",
        "copy+0x6 (again+0x2)",
    ];
    assert_eq!(shown, expected);
}

#[test]
fn units_in_files_of_their_own_are_read() {
    let folder = built(true).expect("a C compiler");
    assert_eq!(known(&program(&folder)), (plain(), None));
    // In another folder than the compiler's, beside the program.
    let other = tempfile::tempdir().expect("a folder");
    for entry in fs::read_dir(folder.path()).expect("a folder") {
        let path = entry.expect("an entry").path();
        fs::copy(&path, other.path().join(path.file_name().expect("a name"))).expect("a copy");
    }
    if run(folder.path(), "dwp", "-e program") {
        fs::copy(
            folder.path().join("program.dwp"),
            other.path().join("package"),
        )
        .expect("a copy");
    } else {
        eprintln!("NOT TESTED: there is no dwp");
    }
    drop(folder);
    assert_eq!(known(&program(&other)), (plain(), None));
    for (unit, missing) in [("work", "1 file "), ("main", "2 files ")] {
        let is_its = |path: &PathBuf| {
            let name = path.file_name().and_then(|name| name.to_str());
            name.is_some_and(|name| name.ends_with(&format!("{unit}.dwo")))
        };
        let entries = fs::read_dir(other.path()).expect("a folder");
        let mut paths = entries.map(|entry| entry.expect("an entry").path());
        fs::remove_file(paths.find(is_its).expect("a unit")).expect("it can be removed");
        let (_, unread) = known(&program(&other));
        let unread = unread.expect("units are missing");
        assert!(unread.starts_with(missing), "{unread}");
    }
    if fs::rename(
        other.path().join("package"),
        other.path().join("program.dwp"),
    )
    .is_ok()
    {
        assert_eq!(known(&program(&other)), (plain(), None));
    }
}

#[test]
fn a_stripped_program_has_its_symbols_and_lines_in_the_file_beside_it() {
    let folder = built(false).expect("a C compiler");
    let objcopy = |arguments| assert!(run(folder.path(), "objcopy", arguments), "{arguments}");
    objcopy("--only-keep-debug program program.debug");
    objcopy("--strip-all program");
    let error = refusal(&program(&folder));
    assert!(
        error.contains("put the file with its symbols beside it"),
        "{error}"
    );
    let error = refusal(&folder.path().join("program.debug"));
    assert!(
        error.contains("give the program it was taken from, with this file next to it"),
        "{error}"
    );
    objcopy("--add-gnu-debuglink=program.debug program");
    assert_eq!(known(&program(&folder)), (plain(), None));
    // Another program's file is not taken.
    fs::write(folder.path().join("program.debug"), "another").expect("a file");
    refusal(&program(&folder));
}

#[test]
fn sections_that_are_missing_are_reported() {
    for section in [".debug_abbrev", ".debug_line"] {
        let folder = built(false).expect("a C compiler");
        let remove = format!("--remove-section={section} program");
        assert!(run(folder.path(), "objcopy", &remove));
        let (_, unread) = known(&program(&folder));
        let unread = unread.expect("lines are missing");
        assert!(
            unread.contains(&format!("without the section {section}")),
            "{unread}"
        );
    }
}

/// A compiler gives the line 0 to instructions of no line.
#[test]
fn code_of_line_0_keeps_its_frames_and_the_line_before() {
    let folder = built(false).expect("a C compiler");
    assert!(run(folder.path(), "cc", "-g -O1 -S work.c"));
    let path = folder.path().join("work.s");
    let text = fs::read_to_string(&path).expect("assembly");
    let mut lines: Vec<&str> = text.lines().collect();
    let is_line = |line: &&str| line.starts_with("\t.loc 1 8 ");
    let at = lines.iter().position(is_line).expect("the loop's line");
    lines.splice(at + 1..at + 1, ["\tnop", "\t.loc 1 0 0", "\tnop"]);
    fs::write(&path, lines.join("\n") + "\n").expect("a file");
    assert!(run(folder.path(), "cc", "-g work.s main.c -o program"));
    let (known, unread) = known(&program(&folder));
    assert_eq!(unread, None);
    for (address, function, frames) in known {
        assert!(
            frames.iter().all(|frame| frame.source.line > 0),
            "{frames:?}"
        );
        let outermost = frames.last().map(|frame| frame.symbol.clone());
        assert_eq!(outermost, function, "{address:#x}");
    }
}

/// Overlays share addresses: which of them ran, an address does not tell.
#[test]
fn two_sections_of_code_at_one_address_are_refused_by_name() {
    let folder = tempfile::tempdir().expect("a folder");
    let source = "void _start(void) {} __attribute__((section(\".overlay\"))) void other(void) {}";
    fs::write(folder.path().join("overlay.c"), source).expect("a file");
    let link = "-Wl,--no-check-sections,-Ttext=0x401000,--section-start=.overlay=0x401000";
    let arguments = format!("-nostdlib -static -no-pie {link} overlay.c -o program");
    assert!(run(folder.path(), "cc", &arguments));
    let error = refusal(&program(&folder));
    for expected in [
        ".text",
        ".overlay",
        "at 0x401000",
        "objcopy --remove-section=",
    ] {
        assert!(error.contains(expected), "{error}");
    }
}
