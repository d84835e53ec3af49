//! Programs that do what a recorder in their process has to bear: signals, descriptors, other programs in their place.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use hpp_golden::dump::Dump;
use hpp_golden::registers::Counter;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::said::Must;
use crate::{HPP, command, folder, hpp, not_tested, out, under_every_qemu};

/// Runs a test of one of the programs, compiled into a folder, under every QEMU.
pub(crate) fn with_program(name: &str, test: impl Fn(&TempDir, &str)) {
    if cfg!(target_arch = "x86_64") {
        with_compiled(&["cc"], name, test);
    }
}

/// The same for RV64, where there is a compiler.
pub(crate) fn with_riscv_program(name: &str, test: impl Fn(&TempDir, &str)) {
    with_riscv(&[], name, test);
}

/// The same with other flags of the compiler.
pub(crate) fn with_riscv(flags: &[&str], name: &str, test: impl Fn(&TempDir, &str)) {
    const COMPILER: &str = "riscv64-linux-gnu-gcc";
    match Command::new(COMPILER).arg("--version").output() {
        Ok(_) => with_compiled(&[&[COMPILER, "-static"], flags].concat(), name, test),
        Err(error) => not_tested(&format!("{COMPILER}: {error}")),
    }
}

fn with_compiled(compiler: &[&str], name: &str, test: impl Fn(&TempDir, &str)) {
    let folder = folder();
    let file = folder.path().join(name).display().to_string();
    let programs = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/trace/programs");
    let source = format!("{programs}/{name}.c");
    let status = Command::new(compiler[0])
        .args(&compiler[1..])
        .args(["-O2", "-fno-inline", "-w", "-pthread", "-o"])
        .args([&file, &source])
        .status()
        .expect("a C compiler");
    assert!(status.success(), "{source}");
    under_every_qemu(|| test(&folder, &file));
}

pub(crate) fn said(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// The run ended so, with this output; what it says besides.
#[track_caller]
pub(crate) fn ended(output: &Output, code: i32, out: &str) -> String {
    let (own, error) = said(output);
    assert_eq!((output.status.code(), &*own), (Some(code), out), "{error}");
    error
}

/// The profile of a run.
fn profile(folder: &TempDir, flags: &[&str], command: &[&str]) -> (Dump, Output) {
    let file = folder.path().join("profile").display().to_string();
    let output = hpp(&[&["trace", "--profile", &file], flags, &["--"], command].concat());
    let text = fs::read_to_string(&file).unwrap_or_else(|_| panic!("{output:?}"));
    (Dump::read(&text).expect("a profile"), output)
}

/// How often the hottest paths of a recursion ran, which signals do not change.
fn hottest(dump: &Dump) -> Vec<(u64, u32)> {
    let entries = dump.hottest().into_iter().take(3);
    entries
        .map(|entry| (entry.descriptor.start, entry.count))
        .collect()
}

#[test]
fn signals_leave_what_they_interrupt_as_it_was() {
    are_left_as_they_were(&[]);
}

#[test]
fn a_checked_stack_has_nothing_to_repair_where_signals_interrupt() {
    are_left_as_they_were(&["--stack-check"]);
}

fn are_left_as_they_were(flags: &[&str]) {
    with_program("signals", |folder, signals| {
        let (alone, _) = profile(folder, flags, &[signals, "any", "10000000"]);
        for (kind, times) in [("raise", "500"), ("fault", "500"), ("any", "200")] {
            let (dump, output) = profile(folder, flags, &[signals, kind, times]);
            let (out, error) = said(&output);
            let got: u32 = out
                .split_whitespace()
                .next()
                .and_then(|n| n.parse().ok())
                .expect("a number");
            assert!(got > 0, "{kind}");
            assert!(!error.contains("signals came"), "{kind}: {error}");
            for counter in [Counter::Underflows, Counter::Overflows] {
                assert_eq!(
                    dump.counter(counter),
                    alone.counter(counter),
                    "{kind}: {error}"
                );
            }
            assert_eq!(dump.repairs, alone.repairs, "{kind}: {error}");
            if kind == "any" {
                assert_eq!(hottest(&dump), hottest(&alone));
            }
        }
    });
}

/// A timer interrupts a loop of two paths everywhere, also in its first round, which no other path begins in.
#[test]
fn a_timer_adds_no_path_to_the_loop_that_it_interrupts() {
    with_riscv_program("ticks", |folder, ticks| {
        for flags in [&[][..], &["--stack-check"]] {
            let (dump, output) = profile(folder, &[flags, &["--sets", "2048"]].concat(), &[ticks]);
            assert_eq!(output.status.code(), Some(0), "{output:?}");
            let rounds: Vec<_> = hottest(&dump).iter().map(|&(_, count)| count).collect();
            assert_eq!(rounds[..2], [14_999_999; 2], "{flags:?}");
            // The handler runs once a tick.
            assert!(rounds[2] < 100_000, "{flags:?}: {rounds:?}");
            let file = folder.path().join("profile").display().to_string();
            let report = out!("report {file} --elf {ticks} --format json");
            let report: serde_json::Value = serde_json::from_str(&report).expect("JSON");
            let paths = report["paths"].as_array().expect("paths");
            let astray = paths.iter().find(|path| !path["problem"].is_null());
            assert_eq!(astray, None, "{flags:?}");
        }
    });
}

#[test]
fn a_program_that_blocks_signals_gets_them_as_it_does_alone() {
    with_program("signals", |_folder, signals| {
        for _ in 0..3 {
            let output = hpp(&["trace", "--", signals, "blocked"]);
            ended(&output, 0, "1 signals\n");
        }
    });
}

#[test]
fn the_program_s_descriptors_are_its_own() {
    with_program("manners", |folder, manners| {
        let name = |name: &str| folder.path().join(name).display().to_string();
        let (trace, own) = (name("run.hpptrace"), name("own.txt"));
        let output = hpp!("trace --write {trace} -- {manners} descriptors {own}");
        let (out, error) = said(&output);
        assert_eq!(
            fs::read_to_string(&own).ok().as_deref(),
            Some("the program's\n")
        );
        assert_eq!(out, "descriptor 3\n", "{error}");
        // Where the recorder may have no descriptors of its own it says that the trace is lost.
        match output.status.code() {
            Some(0) => assert!(hpp(&["replay", &trace]).status.success()),
            code => assert!(
                code == Some(1) && error.contains("closed its descriptor"),
                "{error}"
            ),
        }
    });
}

#[test]
fn a_program_that_fails_to_be_replaced_is_profiled_to_its_end() {
    with_program("manners", |folder, manners| {
        let (dump, output) = profile(folder, &[], &[manners, "try"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(dump.counter(Counter::Records) > 1_000_000);
    });
}

#[test]
fn a_program_that_a_signal_kills_leaves_its_whole_profile() {
    with_program("manners", |folder, manners| {
        let (alone, _) = profile(folder, &[], &[manners, "try"]);
        for (signal, name) in [("6", "SIGABRT"), ("9", "SIGKILL"), ("11", "SIGSEGV")] {
            let (dump, output) = profile(folder, &[], &[manners, "try", signal]);
            let (_, error) = said(&output);
            let expected = format!("the program ended with signal: {signal} ({name})");
            error.must_contain(&expected);
            assert_eq!(output.status.code(), Some(0), "{error}");
            assert_eq!(hottest(&dump)[0], hottest(&alone)[0]);
        }
    });
}

#[test]
fn a_program_that_another_thread_replaces_is_profiled_until_then() {
    with_program("manners", |folder, manners| {
        let (dump, output) = profile(folder, &[], &[manners, "thread"]);
        let error = ended(&output, 3, "replaced\n");
        error.must_contain("the program replaced itself");
        assert!(dump.counter(Counter::Records) > 90_000);
    });
}

#[test]
fn a_checked_stack_drops_the_frames_that_longjmp_leaves() {
    with_program("manners", |folder, manners| {
        let name = |name: &str| folder.path().join(name).display().to_string();
        let (trace, live, again) = (name("t"), name("live.txt"), name("again.txt"));
        out!("trace --write {trace} --profile {live} --stack-check -- {manners} leave");
        let dump = Dump::read(&fs::read_to_string(&live).expect("a profile")).expect("a profile");
        assert!((900..1100).contains(&dump.repairs), "{}", dump.repairs);
        out(&["replay", &trace, "--stack-check", "--profile", &again]);
        let read = |file: &str| fs::read_to_string(file).expect("a profile");
        assert_eq!(read(&live), read(&again));
        let explored = out!("explore {trace} --stack-check off,on --format csv");
        let paths = dump.counter(Counter::Paths).to_string();
        let column = |line: &str, name: &str| {
            let at = explored
                .lines()
                .next()?
                .split(',')
                .position(|n| n == name)?;
            Some(line.split(',').nth(at)?.to_owned())
        };
        let of = |line: &str| column(line, "stack_check").zip(column(line, "paths"));
        let rows: Vec<_> = explored.lines().skip(1).filter_map(of).collect();
        assert_eq!(rows[1], ("on".into(), paths.clone()), "{explored}");
        assert!(rows[0].0 == "off" && rows[0].1 != paths, "{explored}");
    });
}

#[test]
fn a_string_instruction_is_one_instruction() {
    with_program("manners", |_folder, manners| {
        let output = hpp(&["trace", "--limit", "2e6", "--", manners, "strings"]);
        let (_, error) = said(&output);
        assert!(!error.contains("stopped at the limit"), "{error}");
    });
}

#[test]
fn paths_in_shared_libraries_have_their_names_and_their_share() {
    with_program("shared", |_folder, shared| {
        let output = hpp(&["trace", "--", shared]);
        let (_, error) = said(&output);
        let named = |name: &str| error.lines().any(|line| line.ends_with(name));
        assert!(named("  random_r (libc.so.6)"), "{error}");
        error.must_contain("\noutside of the program's file ");
        error.must_contain(" % of the table: libc.so.6 ");
        // A path of the program's own has none.
        let own = error.lines().find(|line| line.contains("  0x0000"));
        assert!(own.is_some_and(|line| !line.contains('(')), "{error}");
    });
    with_riscv_program("ticks", |_folder, is_static| {
        let output = hpp(&["trace", "--limit", "1e6", "--", is_static]);
        let (_, error) = said(&output);
        assert!(!error.contains("outside of the program"), "{error}");
    });
}

/// Waits for its end, a while.
fn end_of(child: &mut Child) -> Option<i32> {
    let began = Instant::now();
    while began.elapsed() < Duration::from_secs(60) {
        if let Some(status) = child.try_wait().expect("a child") {
            return status.code();
        }
        thread::sleep(Duration::from_millis(20));
    }
    None
}

#[test]
fn what_ends_the_command_ends_the_program() {
    with_program("manners", |_folder, manners| {
        for signal in [Signal::TERM, Signal::HUP, Signal::INT, Signal::KILL] {
            // Without a terminal, from which an interrupt would come to both.
            let mut child = command("setsid")
                .arg(HPP)
                .args(["trace", "--", manners, "forever"])
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .expect("the command starts");
            let mut out = BufReader::new(child.stdout.take().expect("a pipe"));
            let mut line = String::new();
            out.read_line(&mut line).expect("a line");
            assert_eq!(line, "running\n");
            kill_process(Pid::from_child(&child), signal).expect("it runs");
            let code = end_of(&mut child);
            assert_eq!(code, (signal != Signal::KILL).then_some(0), "{signal:?}");
            // The program held the other end of the pipe.
            assert_eq!(out.read_line(&mut line).expect("the end"), 0);
        }
    });
}
