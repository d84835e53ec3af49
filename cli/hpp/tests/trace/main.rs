//! `hpp trace` and `hpp replay`: recordings, and what is said where there can be none.

/// Runs `hpp` with a line of arguments, none of which has a blank, as [`out()`] does.
macro_rules! out {
    ($($line:tt)*) => { crate::out(&format!($($line)*).split(' ').collect::<Vec<_>>()) };
}

/// The same as [`hpp()`] does.
macro_rules! hpp {
    ($($line:tt)*) => { crate::hpp(&format!($($line)*).split(' ').collect::<Vec<_>>()) };
}

mod errors;
mod explore;
mod explore_errors;
mod guests;
mod harts;
mod log;
mod noted;
#[path = "../said/mod.rs"]
mod said;
mod system;

use std::cell::RefCell;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use hpp_explore::trace::TraceReader;
use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::dump::Dump;
use hpp_golden::profiler::{Metric, Profiler, ResetValues};
use hpp_golden::registers::ppcr_mode;
use tempfile::TempDir;

use said::Must;

/// The beginning of a run of gzip, recorded on Debian 12.
const GZIP: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/trace/gzip.hpptrace");

/// The command itself, which is also a program to be traced.
const HPP: &str = env!("CARGO_BIN_EXE_hpp");

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

thread_local! {
    /// A folder with emulators, if a test is under way [under each](under_every_qemu).
    static QEMU: RefCell<Option<PathBuf>> = const { RefCell::new(None) };
}

/// A command for the QEMU that a test is under way with.
fn command(program: &str) -> Command {
    let mut command = Command::new(program);
    if let Some(folder) = QEMU.with_borrow(Clone::clone) {
        command.env("HPP_QEMU", folder);
    }
    command
}

fn hpp(arguments: &[&str]) -> Output {
    let output = command(HPP).args(arguments).output();
    output.expect("the command starts")
}

fn error(arguments: &[&str]) -> String {
    let output = hpp(arguments);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

fn out(arguments: &[&str]) -> String {
    let output = hpp(arguments);
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

fn write(folder: &TempDir, name: &str, content: &[u8]) -> String {
    let file = folder.path().join(name);
    fs::write(&file, content).expect("a file in a temporary folder");
    file.display().to_string()
}

/// A folder with a file that takes QEMU's place and says this.
fn fake_qemu(folder: &TempDir, says: &str) -> PathBuf {
    let place = folder.path().join("qemu");
    fs::create_dir(&place).expect("a folder");
    for name in ["qemu-x86_64", "qemu-riscv64", "qemu-riscv32"] {
        program_that_says(&place.join(name), says);
    }
    place
}

/// Writes a program that prints a line.
fn program_that_says(place: &Path, line: &str) {
    let write = "printf '#!/bin/sh\\necho \"%s\"\\n' \"$1\" > \"$0\" && chmod +x \"$0\"";
    write_by_child("sh", &["-c".as_ref(), write.as_ref(), place, line.as_ref()]);
}

/// Lets a command write a program. What this process writes is busy while another thread's child still has it open.
fn write_by_child(command: &str, arguments: &[&Path]) {
    let written = Command::new(command).args(arguments).status();
    assert!(written.expect("the command starts").success());
}

/// Folders with emulators that the project's scripts left among their tools, and that run: what was unpacked may lack a shared library here.
fn built(tools: &Path) -> Vec<PathBuf> {
    let runs = |file: PathBuf| {
        let version = Command::new(file).arg("--version").output();
        version.is_ok_and(|output| output.status.success())
    };
    let entries = fs::read_dir(tools).into_iter().flatten().flatten();
    let built = entries.map(|entry| entry.path().join("bin"));
    let built = built.filter(|folder| {
        ["qemu-x86_64", "qemu-riscv64"]
            .iter()
            .all(|name| runs(folder.join(name)))
    });
    built.collect()
}

#[test]
fn an_emulator_that_cannot_run_is_passed_over() {
    let folder = folder();
    // The second as the system's loader ends what lacks a library.
    for (name, says) in [("good", "qemu"), ("broken", "\"; exit 127; \"")] {
        let bin = folder.path().join(name).join("bin");
        fs::create_dir_all(&bin).expect("a folder");
        for emulator in ["qemu-x86_64", "qemu-riscv64"] {
            program_that_says(&bin.join(emulator), says);
        }
    }
    fs::create_dir_all(folder.path().join("empty/bin")).expect("a folder");
    assert_eq!(built(folder.path()), [folder.path().join("good/bin")]);
}

/// Says what is not tested, past the harness, which hides what tests that pass print.
fn not_tested(why: &str) {
    let _ = writeln!(std::io::stderr(), "NOT TESTED: {why}");
}

/// Runs a test under the QEMU that the command takes by itself and under each that was built. Says what is not tested for want of one.
fn under_every_qemu(test: impl Fn()) {
    let output = hpp(&["trace", "--limit", "1", "--", HPP]);
    match String::from_utf8_lossy(&output.stderr) {
        error if error.contains("; remedy: ") => not_tested(&error),
        _ => test(),
    }
    let tools = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../.tools");
    let built = built(&tools);
    if built.is_empty() {
        not_tested("no QEMU of a later version; scripts/setup-tools.sh --qemu-newest builds one");
    }
    for folder in built {
        QEMU.set(Some(folder));
        test();
        QEMU.set(None);
    }
}

#[test]
fn a_trace_holds_what_was_profiled_while_it_ran() {
    under_every_qemu(|| {
        let folder = folder();
        let name = |name: &str| folder.path().join(name).display().to_string();
        let (trace, live, again) = (name("trace"), name("live.txt"), name("again.txt"));
        let status = hpp!("trace --write {trace} --profile {live} -- {HPP} replay {GZIP}");
        // The program does what it does without QEMU.
        assert_eq!(
            String::from_utf8_lossy(&status.stdout),
            out(&["replay", GZIP])
        );
        assert_eq!(status.status.code(), Some(0), "{status:?}");
        out(&["replay", &trace, "--profile", &again]);
        let read = |file: &str| fs::read_to_string(file).expect("a profile");
        assert_eq!(read(&live), read(&again));
        assert!(Path::new(&trace).metadata().expect("the trace").len() > 1000);
    });
}

/// What changes a profiler as flags do.
type Change = fn(&mut Geometry, &mut ResetValues);

/// Profilers whose tables seldom or mostly miss, under each policy, with paths that are found by their numbers or one by one.
const PROFILERS: [(&str, Change); 8] = [
    ("--top 1", |_, _| {}),
    ("--sets 4 --ways 2", |sizes, _| {
        (sizes.sets, sizes.ways) = (4, 2);
    }),
    ("--stack-check --stack-depth 4", |sizes, _| {
        (sizes.stack_check, sizes.stack_depth) = (true, 4);
    }),
    ("--replacement shadow --sets 16", |sizes, _| {
        (sizes.replacement, sizes.sets) = (Replacement::Shadow, 16);
    }),
    ("--replacement rrip --sets 4 --ways 2", |sizes, _| {
        (sizes.replacement, sizes.sets, sizes.ways) = (Replacement::Rrip, 4, 2);
    }),
    ("--stack-check", |sizes, _| sizes.stack_check = true),
    ("--stack-depth 2 --max-branches 4", |sizes, _| {
        (sizes.stack_depth, sizes.max_branches) = (2, 4);
    }),
    ("--metric instructions --sets 8 --ways 1", |sizes, reset| {
        (sizes.sets, sizes.ways) = (8, 1);
        let types = ppcr_mode::EVENT_SELECT.values;
        let instructions = types.iter().find(|(name, _)| *name == "INSTRUCTIONS");
        reset.event_select = instructions.expect("a type of events").1 as u8;
        reset.metric = Metric::Events;
    }),
];

/// What a profiler of the golden model holds that is shown every record of a trace, one by one.
fn shown(trace: &str, change: Change) -> String {
    let file = fs::File::open(trace).expect("a trace");
    let mut trace = TraceReader::new(file).expect("a trace");
    let mut geometry = trace.header().isa.geometry();
    let mut reset = ResetValues::enabled();
    geometry.context_bits = 0;
    change(&mut geometry, &mut reset);
    let mut profiler = Profiler::new(&geometry, &reset).expect("a legal profiler");
    while let Some((records, numbers)) = trace.next_chunk().expect("a whole trace") {
        let records = numbers.iter().map(|&number| &records[number as usize]);
        records.for_each(|record| _ = profiler.profile(record));
    }
    let program = trace.header().build_id.clone();
    let dump = Dump::of(&profiler);
    Dump { program, ..dump }.to_string()
}

#[test]
fn the_report_names_the_functions_of_an_x86_program() {
    if !cfg!(target_arch = "x86_64") {
        return;
    }
    under_every_qemu(|| {
        let folder = folder();
        let profile = folder.path().join("p.txt").display().to_string();
        hpp(&["trace", "--profile", &profile, "--", HPP, "replay", GZIP]);
        let report = out(&["report", &profile, "--elf", HPP, "--top", "40"]);
        report.must_contain("hpp_explore::");
        report.must_contain("path begins in");
        assert!(!report.contains("walk "), "{report}");
        let json = out(&["report", &profile, "--elf", HPP, "--format", "json"]);
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        assert_eq!(
            (&json["walked"], &json["paths"][0]["problem"]),
            (&serde_json::Value::Null, &serde_json::Value::Null)
        );
        let by = error(&["report", &profile, "--elf", HPP, "--by", "instructions"]);
        by.must_contain("is for x86-64");
        let page = error(&["report", &profile, "--elf", HPP, "--html", "page.html"]);
        page.must_contain("which must be RISC-V");
    });
}

#[test]
fn the_limit_stops_the_program() {
    under_every_qemu(|| {
        let output = hpp!("trace --limit 1e5 -- {HPP} replay {GZIP}");
        let error = String::from_utf8_lossy(&output.stderr);
        error.must_contain("0.10 million instructions");
        error.must_contain("stopped at the limit");
        assert_eq!((output.status.code(), output.stdout.len()), (Some(0), 0));
    });
}
