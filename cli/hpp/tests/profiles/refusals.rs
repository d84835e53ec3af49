//! What `hpp report` refuses, and output that nobody takes.

use crate::folder::{Folder, dump};
use crate::said::Must;

#[test]
fn a_merged_profile_that_no_profiler_has_is_refused_in_words() {
    let folder = Folder::new(dump());
    let merged = folder.run("merge serial.txt").out;
    let refusal = |from: &str, to: &str| {
        folder.write("merged.json", merged.replace(from, to).as_bytes());
        folder.run("report merged.json").error
    };
    refusal("\"align\": 2", "\"align\": 3").must_be("hpp: merged.json: the geometry is that of no profiler: align = 3 is out of range; allowed: 1 to 2\n");
    let error = refusal("\"runs\": 1", "\"runs\": -1");
    error.must_contain("line 3, column 12: integer `-1`, expected a whole number from 0 on");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error_and_a_closed_pipe_is_none() {
    use std::process::{Command, Stdio};
    let folder = Folder::new(dump());
    let run = |out: Stdio| {
        let output = Command::new(env!("CARGO_BIN_EXE_hpp"))
            .args(["report", "serial.txt"])
            .current_dir(folder.path())
            .stdout(out)
            .output()
            .expect("the command starts");
        (
            output.status.code(),
            String::from_utf8(output.stderr).expect("UTF-8"),
        )
    };
    let full = std::fs::File::create("/dev/full").expect("Linux has it");
    let (status, error) = run(full.into());
    assert_eq!(status, Some(1));
    error.must_begin("hpp: cannot write to standard output: ");
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    assert_eq!(run(writer.into()), (Some(0), String::new()));
}

/// As with `2>&1 | head`, whose end must not look like a panic.
#[test]
fn a_reader_of_messages_that_has_gone_changes_no_status() {
    use std::process::Command;
    let folder = Folder::new(dump());
    for (arguments, status) in [
        ("report nowhere", 1),
        ("report serial.txt --elf f.elf --only g", 0),
    ] {
        let (reader, writer) = std::io::pipe().expect("a pipe");
        drop(reader);
        let output = Command::new(env!("CARGO_BIN_EXE_hpp"))
            .args(arguments.split(' '))
            .current_dir(folder.path())
            .stderr(writer)
            .output()
            .expect("the command starts");
        assert_eq!(output.status.code(), Some(status), "{arguments}");
    }
}
