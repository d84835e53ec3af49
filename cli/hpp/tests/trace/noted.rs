//! How blocks are recorded: by QEMU's calls, and by stores in their place. The profile is the same, whatever the program does to its own code.

use std::fs;

use tempfile::TempDir;

use crate::guests::{ended, with_program, with_riscv_program};
use crate::said::Must;
use crate::{Change, GZIP, HPP, PROFILERS, command, folder, hpp, shown, under_every_qemu};

/// Whether QEMU's calls are replaced, as the environment says.
const WAYS: [&str; 2] = ["1", "0"];

/// Profiles a run of a program with each profiler and in each way, and compares the table with what the golden model makes of each record.
fn are_the_models(folder: &TempDir, profilers: &[(&str, Change)], program: &[&str]) {
    let name = |name: &str| folder.path().join(name).display().to_string();
    let (trace, live) = (name("trace"), name("live.txt"));
    for (flags, change) in profilers {
        for way in WAYS {
            let flags: Vec<&str> = flags.split(' ').collect();
            let begin = ["trace", "--write", &trace, "--profile", &live];
            let output = (command(HPP).env("HPP_TRACE_PATCH", way))
                .args([&begin[..], &flags, &["--"], program].concat())
                .output();
            let output = output.expect("the command starts");
            let live = fs::read_to_string(&live).unwrap_or_else(|_| panic!("{output:?}"));
            assert_eq!(live, shown(&trace, *change), "{flags:?} {way} {program:?}");
        }
    }
}

#[test]
fn a_profile_is_what_the_golden_model_makes_of_each_record() {
    under_every_qemu(|| are_the_models(&folder(), &PROFILERS, &[HPP, "replay", GZIP]));
}

#[test]
fn a_profile_of_calls_signals_and_threads_is_the_golden_model_s() {
    with_program("sort", |folder, sort| {
        are_the_models(folder, &PROFILERS[..4], &[sort])
    });
    for (kind, times) in [("raise", "500"), ("fault", "500"), ("any", "50")] {
        with_program("signals", |folder, signals| {
            are_the_models(folder, &PROFILERS[..3], &[signals, kind, times]);
        });
    }
    with_program("threads", |folder, threads| {
        are_the_models(
            folder,
            &PROFILERS[..3],
            &[threads, "together", "20000", "30000"],
        );
    });
    with_program("manners", |folder, manners| {
        are_the_models(folder, &PROFILERS[..1], &[manners, "children"]);
        // What longjmp leaves.
        are_the_models(folder, &PROFILERS[..3], &[manners, "try"]);
    });
    with_riscv_program("sort", |folder, sort| {
        are_the_models(folder, &PROFILERS[..4], &[sort])
    });
}

/// Code that is translated again lies where other code was, or anywhere else.
#[test]
fn a_program_that_changes_its_code_has_the_golden_model_s_profile() {
    with_program("rewrites", |folder, rewrites| {
        are_the_models(folder, &PROFILERS[..2], &[rewrites, "20"]);
    });
}

/// What the command says of a run in a way.
fn how(way: &str, flags: &[&str], program: &[&str]) -> String {
    let begin = ["trace", "-v", "--top", "1"];
    let output = (command(HPP).env("HPP_TRACE_PATCH", way))
        .args([&begin[..], flags, &["--"], program].concat())
        .output();
    String::from_utf8_lossy(&output.expect("the command starts").stderr).into_owned()
}

#[test]
fn the_command_says_how_it_recorded_blocks() {
    with_program("threads", |_folder, threads| {
        const REPLACED: &str = " times QEMU's calls were replaced by a store";
        let once = [HPP, "--version"];
        how("1", &[], &once).must_contain(&format!("{REPLACED}\n"));
        how("0", &[], &once).must_contain("were not replaced by stores: HPP_TRACE_PATCH=0\n");
        how("1", &["--limit", "1000"], &once).must_contain("replaced by stores: a limit");
        let two = [threads, "together", "1000", "2000"];
        how("1", &[], &two).must_contain(&format!(
            "{REPLACED}, until they came back: a second thread\n"
        ));
        let silent = hpp(&["trace", "--", HPP, "--version"]);
        assert!(
            !ended(&silent, 0, &format!("hpp {}\n", env!("CARGO_PKG_VERSION"))).contains("store")
        );
    });
}
