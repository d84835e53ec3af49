//! What commands write and refuse: the transcripts in the folder beside this file, held to the letter.
//!
//! | line | what it is |
//! | --- | --- |
//! | `#: ..` | why the next lines are here |
//! | `== FILE` | the lines below it are written to that file |
//! | `$ hpp ..` | a command line, with `< FILE` for standard input; below it are standard output, standard error and an exit status other than 0 |
//! | `$ cat FILE` | what is in a file then |
//!
//! `HPP_BLESS=1 cargo test --release -p hpp --test profiles transcripts` writes what the commands do into the transcripts.

use std::fs::{self, File};
use std::path::Path;

use crate::fixtures;
use crate::folder::{Done, Folder};
use crate::riscv_program::{Flaw, JR, NOP, RET, beq, elf_file, jal, program};

/// The words of a command line; what stands in quotes is one.
fn words(line: &str) -> Vec<&str> {
    let part = |(place, part)| match place % 2 {
        0 => str::split_whitespace(part).collect(),
        _ => vec![part],
    };
    line.split('"').enumerate().flat_map(part).collect()
}

fn done(folder: &Folder, line: &str) -> String {
    let (line, input) = line.split_once(" < ").unwrap_or((line, "/dev/null"));
    let input = File::open(folder.path().join(input)).expect("an input");
    let mut command = folder.command(env!("CARGO_BIN_EXE_hpp"), &words(line));
    let Done { status, out, error } = Done::of(command.stdin(input));
    let status = match status {
        0 => String::new(),
        status => format!("? {status}\n"),
    };
    let version = concat!("hpp ", env!("CARGO_PKG_VERSION"));
    let all = format!("{out}{error}{status}")
        .replace('\r', "")
        .replace(version, "hpp VERSION");
    match all.trim_end_matches('\n') {
        "" => String::new(),
        all => format!("{all}\n"),
    }
}

/// The transcript with what the commands do now.
fn repeated(transcript: &str, folder: &Folder) -> String {
    let is_mark = |line: &&str| {
        ["$ ", "== ", "#: "]
            .iter()
            .any(|mark| line.starts_with(mark))
    };
    let mut new = String::new();
    let mut lines = transcript.lines().peekable();
    while let Some(line) = lines.next() {
        let mut below = String::new();
        while let Some(line) = lines.next_if(|line| !is_mark(line)) {
            below += &format!("{line}\n");
        }
        if let Some(command) = line.strip_prefix("$ ") {
            below = match command.strip_prefix("cat ") {
                Some(file) => fs::read_to_string(folder.path().join(file))
                    .map_or("there is no such file\n".into(), |text| {
                        text.replace('\r', "")
                    }),
                None => done(folder, &command["hpp ".len()..]),
            };
            if lines.peek().is_some() {
                below += "\n";
            }
        } else if let Some(file) = line.strip_prefix("== ") {
            let content = below.trim_end_matches('\n');
            let end = if content.is_empty() { "" } else { "\n" };
            folder.write(file, content.to_owned() + end);
        }
        new += &format!("{line}\n{below}");
    }
    new
}

fn repeat(name: &str, folder: &Folder) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/profiles/transcripts")
        .join(name);
    let transcript = fs::read_to_string(&path).expect("a transcript");
    let new = repeated(&transcript, folder);
    if std::env::var_os("HPP_BLESS").is_some() {
        fs::write(&path, &new).expect("it can be written");
    } else {
        assert_eq!(transcript, new, "run the test with HPP_BLESS=1");
    }
}

/// A file of another crate's tests.
fn of_tests(name: &str) -> Vec<u8> {
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    fs::read(tests.join(name)).expect("a file of tests")
}

#[test]
fn number() {
    let folder = Folder::new("");
    // `f`: a loop, a tail call to `g`. `h`: a jump table.
    let words = [NOP, beq(0), jal(0, 8), RET, beq(8), NOP, RET, JR, NOP, RET];
    let functions = [("f", 0, 4), ("g", 4, 3), ("h", 7, 3)];
    folder.write("program.elf", program(&words, &functions));
    let mangled = [("_ZN4heap4pushEi", 0, 3), ("work", 3, 1)];
    folder.write("mangled.elf", program(&[beq(8), NOP, RET, RET], &mangled));
    let zcmp = Flaw::Architecture("rv32i2p1_f2p2_d2p2_c2p0_zcmp1p0");
    let functions = [("f", 0, 1), ("g", 1, 1)];
    folder.write(
        "zcmp.elf",
        elf_file(&[0xbe62_0001, RET], &functions, true, zcmp),
    );
    for (name, flaw) in [
        ("symbols", Flaw::NoSymbols),
        ("code", Flaw::NoCode),
        ("machine", Flaw::Machine),
        ("relocatable", Flaw::Relocatable),
    ] {
        let elf = elf_file(&[RET], &[("f", 0, 1)], true, flaw);
        folder.write(&format!("{name}.elf"), elf);
    }
    for name in ["attributes.elf", "tables.elf"] {
        let file = of_tests(&format!("golden-model/riscv/tests/files/{name}"));
        folder.write(name, file);
    }
    folder.write("graph.bin", [0xff, 0xfe, 0]);
    repeat("number.txt", &folder);
}

#[test]
fn traces() {
    let folder = Folder::new("");
    let gzip = of_tests("cli/hpp/tests/trace/gzip.hpptrace");
    folder.write("cut.hpptrace", &gzip[..gzip.len() / 2]);
    folder.write("gzip.hpptrace", gzip);
    let mut arm = fs::read(env!("CARGO_BIN_EXE_hpp")).expect("the command's own file");
    arm[18] = 40;
    folder.write("arm", arm);
    repeat("traces.txt", &folder);
}

#[test]
fn logs() {
    let folder = Folder::empty();
    let lines = [0x10, 0x14, 0x18].map(|pc| format!("core   0: 0x{pc:08x} (0x00000013)"));
    folder.write("marked.log", format!("\u{feff}{}\n", lines.join("\n")));
    folder.write("returns.log", lines.join("\r"));
    repeat("logs.txt", &folder);
}

#[test]
fn check() {
    let folder = Folder::new("");
    let of_check = |name: &str| of_tests(&format!("cli/hpp/tests/recorded/{name}"));
    let text = |name| String::from_utf8(of_check(name)).expect("text");
    for name in ["ghdl.vcd", "ghdl.ghw", "icarus.fst"] {
        let recording = of_check(&format!("simulators/{name}"));
        folder.write(&format!("half-{name}"), &recording[..recording.len() / 2]);
        folder.write(name, recording);
    }
    let (whole, displaced) = (text("whole.vcd"), text("displaced.csv"));
    let second = displaced.replacen("100000ef,0,00000200", "100000ef,0,00000040", 1);
    let insn = whole
        .replace("32 d", "33 d")
        .replace("b0 d", &format!("b1{:032} d", 0));
    // qc.e.li, of 48 bits.
    let long = whole
        .replace("32 d", "48 d")
        .replace("b0 d", &format!("b{:b} d", 1u64 << 32 | 0x051f))
        .replace("b0 f", "b110 f");
    for (name, text) in [
        ("long.vcd", long),
        ("whole.wave", whole.clone()),
        ("wide.vcd", whole.replace("32 c", "65 c")),
        ("insn.vcd", insn),
        ("undefined.vcd", format!("{whole}#8\n0a\nxb\n#9\n1a\n")),
        ("whole.vcd", whole),
        ("displaced.csv", displaced),
        ("displaced-2.csv", second),
        ("loop.csv", text("hardware_loop.csv")),
    ] {
        folder.write(name, text);
    }
    repeat("check.txt", &folder);
}

#[test]
fn profiles() {
    repeat("profiles.txt", &fixtures::profiles());
}
