//! Programs that do what a recorder in their process has to bear: signals, descriptors, other programs in their place.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};
use std::{fs, thread};

use hpp_golden::dump::Dump;
use hpp_golden::registers::Counter;
use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;

use crate::{command, folder, hpp, not_tested, out, under_every_qemu};

/// Runs a test of one of the programs, compiled into a folder, under every QEMU.
fn with_program(name: &str, test: impl Fn(&TempDir, &str)) {
    if cfg!(target_arch = "x86_64") {
        with_compiled(&["cc"], name, test);
    }
}

/// The same for RV64, where there is a compiler.
fn with_riscv_program(name: &str, test: impl Fn(&TempDir, &str)) {
    const COMPILER: &str = "riscv64-linux-gnu-gcc";
    match Command::new(COMPILER).arg("--version").output() {
        Ok(_) => with_compiled(&[COMPILER, "-static"], name, test),
        Err(error) => not_tested(&format!("{COMPILER}: {error}")),
    }
}

fn with_compiled(compiler: &[&str], name: &str, test: impl Fn(&TempDir, &str)) {
    let folder = folder();
    let file = folder.path().join(name).display().to_string();
    let source = format!(
        "{}/tests/trace/programs/{name}.c",
        env!("CARGO_MANIFEST_DIR")
    );
    let status = Command::new(compiler[0])
        .args(&compiler[1..])
        .args(["-O2", "-fno-inline", "-w", "-pthread", "-o"])
        .args([&file, &source])
        .status()
        .expect("a C compiler");
    assert!(status.success(), "{source}");
    under_every_qemu(|| test(&folder, &file));
}

fn said(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// The profile of a run.
fn profile(folder: &TempDir, command: &[&str]) -> (Dump, Output) {
    let file = folder.path().join("profile").display().to_string();
    let output = hpp(&[&["trace", "--profile", &file, "--"], command].concat());
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
    with_program("signals", |folder, signals| {
        let (alone, _) = profile(folder, &[signals, "any", "10000000"]);
        for (kind, times) in [("raise", "500"), ("fault", "500"), ("any", "200")] {
            let (dump, output) = profile(folder, &[signals, kind, times]);
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
            if kind == "any" {
                assert_eq!(hottest(&dump), hottest(&alone));
            }
        }
    });
}

#[test]
fn a_program_that_blocks_signals_gets_them_as_it_does_alone() {
    with_program("signals", |_folder, signals| {
        for _ in 0..3 {
            let output = hpp(&["trace", "--", signals, "blocked"]);
            let (out, error) = said(&output);
            assert_eq!(
                (output.status.code(), out.as_str()),
                (Some(0), "1 signals\n"),
                "{error}"
            );
        }
    });
}

#[test]
fn the_program_s_descriptors_are_its_own() {
    with_program("manners", |folder, manners| {
        let name = |name: &str| folder.path().join(name).display().to_string();
        let (trace, own) = (name("run.hpptrace"), name("own.txt"));
        let output = hpp(&[
            "trace",
            "--write",
            &trace,
            "--",
            manners,
            "descriptors",
            &own,
        ]);
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
        let (dump, output) = profile(folder, &[manners, "try"]);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert!(dump.counter(Counter::Records) > 1_000_000);
    });
}

#[test]
fn a_program_that_a_signal_kills_leaves_its_whole_profile() {
    with_program("manners", |folder, manners| {
        let (alone, _) = profile(folder, &[manners, "try"]);
        for (signal, name) in [("6", "SIGABRT"), ("9", "SIGKILL"), ("11", "SIGSEGV")] {
            let (dump, output) = profile(folder, &[manners, "try", signal]);
            let (_, error) = said(&output);
            let told = format!("the program ended with signal: {signal} ({name})");
            assert!(error.contains(&told), "{error}");
            assert_eq!(output.status.code(), Some(0), "{error}");
            assert_eq!(hottest(&dump)[0], hottest(&alone)[0]);
        }
    });
}

#[test]
fn a_program_that_another_thread_replaces_is_profiled_until_then() {
    with_program("manners", |folder, manners| {
        let (dump, output) = profile(folder, &[manners, "thread"]);
        let (out, error) = said(&output);
        assert_eq!(
            (output.status.code(), out.as_str()),
            (Some(3), "replaced\n"),
            "{error}"
        );
        assert!(error.contains("the program replaced itself"), "{error}");
        assert!(dump.counter(Counter::Records) > 90_000);
    });
}

#[test]
fn a_checked_stack_drops_what_longjmp_leaves_behind() {
    with_program("manners", |folder, manners| {
        let name = |name: &str| folder.path().join(name).display().to_string();
        let (trace, live, again) = (name("t"), name("live.txt"), name("again.txt"));
        let files = ["--write", &trace, "--profile", &live];
        let command = ["--stack-check", "--", manners, "leave"];
        out(&[&["trace"], &files[..], &command].concat());
        let dump = Dump::read(&fs::read_to_string(&live).expect("a profile")).expect("a profile");
        assert!((900..1100).contains(&dump.repairs), "{}", dump.repairs);
        out(&["replay", &trace, "--stack-check", "--profile", &again]);
        let read = |file: &str| fs::read_to_string(file).expect("a profile");
        assert_eq!(read(&live), read(&again));
        let lists = ["--stack-check", "off,on", "--format", "csv"];
        let explored = out(&[&["explore", &trace], &lists[..]].concat());
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
fn the_context_of_a_path_is_its_hart() {
    with_program("threads", |folder, threads| {
        let name = |name: &str| folder.path().join(name).display().to_string();
        let bits = ["--context-bits", "2"];
        let files = ["--profile", &name("p.txt"), "--write", &name("t")];
        let command = ["--", threads, "together", "100000", "200000"];
        out(&[&["trace"], &bits[..], &files, &command].concat());
        let sum = out(&["merge", &name("p.txt"), &name("p.1.txt"), &name("p.2.txt")]);
        fs::write(name("sum.json"), sum).expect("the sum");
        let all = out(&["report", &name("sum.json")]);
        assert!(all.contains("paths of contexts 0 ("), "{all}");
        for (hart, times) in [("1", 100_000), ("2", 200_000)] {
            let json = ["--context", hart, "--format", "json"];
            let json = out(&[&["report", &name("sum.json")], &json[..]].concat());
            let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
            let hottest = json["paths"][0]["count"].as_u64().expect("a count");
            assert!((times - 20..=times).contains(&hottest), "{hart}: {hottest}");
            let again = ["--profile", &name("again.txt")];
            out(&[&["replay", &name(&format!("t.{hart}"))], &bits[..], &again].concat());
            let read = |file: String| fs::read_to_string(file).expect("a profile");
            let live = read(name(&format!("p.{hart}.txt")));
            assert_eq!(live, read(name("again.txt")));
        }
    });
}

/// How often the hottest path of a profile ran.
fn rounds(file: &str) -> u32 {
    let text = fs::read_to_string(file).unwrap_or_else(|error| panic!("{file}: {error}"));
    let dump = Dump::read(&text).expect("a profile");
    dump.hottest().first().map_or(0, |entry| entry.count)
}

fn processes_have_profilers(folder: &TempDir, manners: &str) {
    let name = |name: &str| folder.path().join(name).display().to_string();
    let files = ["--profile", &name("p.txt"), "--write", &name("t.hpptrace")];
    let command = ["--", manners, "children"];
    let output = hpp(&[&["trace", "--follow"], &files[..], &command].concat());
    let (out_, error) = said(&output);
    assert_eq!(
        (output.status.code(), out_.as_str()),
        (Some(0), "tried\n"),
        "{error}"
    );
    assert!(
        error.contains(&format!("\nprocess 1 ({manners} children): ")),
        "{error}"
    );
    assert!(
        error.contains(&format!("\nprocess 2 ({manners} try): ")),
        "{error}"
    );
    assert!(rounds(&name("p.txt")) < 10_000);
    for (process, times) in [("1", 300_000), ("2", 1_000_000)] {
        let profile = name(&format!("p.process{process}.txt"));
        let hottest = rounds(&profile);
        assert!(
            (times - 20..=times).contains(&hottest),
            "{process}: {hottest}"
        );
        let trace = name(&format!("t.process{process}.hpptrace"));
        out(&["replay", &trace, "--profile", &name("again.txt")]);
        let read = |file: &str| fs::read_to_string(file).expect("a profile");
        assert_eq!(read(&profile), read(&name("again.txt")));
    }
    let (_, error) = said(&hpp(&[&["trace"], &command[..]].concat()));
    assert!(
        error.contains("a child process was started, which is not profiled"),
        "{error}"
    );
}

#[test]
fn each_process_that_is_followed_has_a_profiler() {
    with_program("manners", processes_have_profilers);
    with_riscv_program("manners", processes_have_profilers);
}

/// A shell looks for a program in several folders, and starts scripts.
#[test]
fn what_a_shell_starts_is_followed() {
    with_program("manners", |folder, manners| {
        let script = crate::write(folder, "script", format!("{manners} try 9\n").as_bytes());
        let line = format!("PATH=/nowhere:/bin; none; /bin/sh {script}; echo $? | cat");
        let output = hpp(&["trace", "--follow", "--", "/bin/sh", "-c", &line]);
        let (out, error) = said(&output);
        assert_eq!(
            (output.status.code(), out.as_str()),
            (Some(0), "137\n"),
            "{error}"
        );
        assert!(error.contains(&format!("({manners} try 9): ")), "{error}");
        assert!(error.contains(" (cat): "), "{error}");
    });
}

fn threads_have_profilers(folder: &TempDir, threads: &str) {
    let name = |name: &str| folder.path().join(name).display().to_string();
    let flags = ["--profile", &name("p.txt"), "--write", &name("t.hpptrace")];
    let run = |how: &str| {
        for hart in ["", ".1", ".2"] {
            let _ = fs::remove_file(name(&format!("p{hart}.txt")));
        }
        let command = ["--", threads, how, "100000", "200000"];
        let output = hpp(&[&["trace"], &flags[..], &command[..]].concat());
        let (out, error) = said(&output);
        assert_eq!(
            (output.status.code(), out.as_str()),
            (Some(0), "joined\n"),
            "{error}"
        );
        assert!(
            error.contains("\nhart 1: ") && !error.contains("not profiled"),
            "{error}"
        );
        assert!(rounds(&name("p.txt")) < 10_000);
        error
    };
    let error = run("together");
    assert!(error.contains("\nhart 2: "), "{error}");
    for (hart, times) in [("1", 100_000), ("2", 200_000)] {
        let profile = name(&format!("p.{hart}.txt"));
        let hottest = rounds(&profile);
        assert!((times - 20..=times).contains(&hottest), "{hart}: {hottest}");
        let again = name("again.txt");
        out(&[
            "replay",
            &name(&format!("t.{hart}.hpptrace")),
            "--profile",
            &again,
        ]);
        let read = |file: &str| fs::read_to_string(file).expect("a profile");
        assert_eq!(read(&profile), read(&again));
    }
    let sum = out(&["merge", &name("p.txt"), &name("p.1.txt"), &name("p.2.txt")]);
    assert!(sum.contains("\"runs\": 3"), "{sum}");
    // The second thread gets the hart of the first, which has ended.
    let error = run("one after the other");
    assert!(!error.contains("hart 2"), "{error}");
    let hottest = rounds(&name("p.1.txt"));
    assert!((299_960..=300_000).contains(&hottest), "{hottest}");
}

#[test]
fn each_thread_has_a_profiler() {
    with_program("threads", threads_have_profilers);
    with_riscv_program("threads", threads_have_profilers);
}

#[test]
fn a_thread_that_comes_to_the_limit_stops_all() {
    with_program("threads", |_folder, threads| {
        let limit = ["trace", "--limit", "1e6", "--", threads];
        let output = hpp(&[&limit[..], &["together", "1000000000", "2000000000"]].concat());
        let (out, error) = said(&output);
        assert_eq!(
            (output.status.code(), out.as_str()),
            (Some(0), ""),
            "{error}"
        );
        assert!(error.contains("; stopped at the limit\n"), "{error}");
        assert!(error.contains(" 1.00 million instructions"), "{error}");
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
                .arg(env!("CARGO_BIN_EXE_hpp"))
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
