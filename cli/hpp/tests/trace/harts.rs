//! Threads and processes: each has a profiler of its own.

use std::fs;

use hpp_golden::dump::Dump;
use tempfile::TempDir;

use crate::guests::{ended, said, with_program, with_riscv_program};
use crate::said::Must;
use crate::{hpp, out};

#[test]
fn the_context_of_a_path_is_its_hart() {
    with_program("threads", |folder, threads| {
        let name = |name: &str| folder.path().join(name).display().to_string();
        let (profile, trace, again) = (name("p.txt"), name("t"), name("again.txt"));
        let program = format!("{threads} together 100000 200000");
        out!("trace --context-bits 2 --profile {profile} --write {trace} -- {program}");
        let sum = out(&["merge", &name("p.txt"), &name("p.1.txt"), &name("p.2.txt")]);
        fs::write(name("sum.json"), sum).expect("the sum");
        let all = out(&["report", &name("sum.json")]);
        all.must_contain("paths of contexts 2 (");
        for (hart, times) in [("1", 100_000), ("2", 200_000)] {
            let json = out!("report {} --context {hart} --format json", name("sum.json"));
            let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
            let hottest = json["paths"][0]["count"].as_u64().expect("a count");
            assert!((times - 20..=times).contains(&hottest), "{hart}: {hottest}");
            out!("replay {trace}.{hart} --context-bits 2 --profile {again}");
            let read = |file: &str| fs::read_to_string(file).expect("a profile");
            assert_eq!(read(&name(&format!("p.{hart}.txt"))), read(&again));
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
    let (profile, trace) = (name("p.txt"), name("t.hpptrace"));
    let output = hpp!("trace --follow --profile {profile} --write {trace} -- {manners} children");
    let error = ended(&output, 0, "tried\n");
    error.must_contain(&format!("\nprocess 1 ({manners} children): "));
    error.must_contain(&format!("\nprocess 2 ({manners} try): "));
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
    let (_, error) = said(&hpp!("trace -- {manners} children"));
    error.must_contain("a child process was started, which is not profiled");
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
        let error = ended(&output, 0, "137\n");
        error.must_contain(&format!("({manners} try 9): "));
        error.must_contain(" (cat): ");
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
        let error = ended(&output, 0, "joined\n");
        error.must_contain("\nhart 1: ");
        assert!(!error.contains("not profiled"), "{error}");
        assert!(rounds(&name("p.txt")) < 10_000);
        error
    };
    let error = run("together");
    error.must_contain("\nhart 2: ");
    for (hart, times) in [("1", 100_000), ("2", 200_000)] {
        let profile = name(&format!("p.{hart}.txt"));
        let hottest = rounds(&profile);
        assert!((times - 20..=times).contains(&hottest), "{hart}: {hottest}");
        let again = name("again.txt");
        let trace = name(&format!("t.{hart}.hpptrace"));
        out!("replay {trace} --profile {again}");
        let read = |file: &str| fs::read_to_string(file).expect("a profile");
        assert_eq!(read(&profile), read(&again));
    }
    let sum = out(&["merge", &name("p.txt"), &name("p.1.txt"), &name("p.2.txt")]);
    sum.must_contain("\"runs\": 3");
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
        let output = hpp!("trace --limit 1e6 -- {threads} together 1000000000 2000000000");
        let error = ended(&output, 0, "");
        error.must_contain("; stopped at the limit\n");
        error.must_contain(" 1.00 million instructions");
    });
}
