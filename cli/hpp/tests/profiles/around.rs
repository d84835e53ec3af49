//! Logs in another encoding, output that nobody takes, and what comes with the command.

use crate::folder::{Done, Folder, dump};
use crate::said::Must;

const HPP: &str = env!("CARGO_BIN_EXE_hpp");

/// The end of a pipe whose reader has gone.
fn closed() -> std::io::PipeWriter {
    let (_, writer) = std::io::pipe().expect("a pipe");
    writer
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error_and_a_closed_pipe_is_none() {
    let folder = Folder::new(dump());
    let mut report = folder.command(HPP, &["report", "serial.txt"]);
    let full = std::fs::File::create("/dev/full").expect("Linux has it");
    let (status, error) = Done::of(report.stdout(full)).said();
    assert_eq!(status, 1);
    error.must_begin("hpp: cannot write to standard output: ");
    let done = Done::of(report.stdout(closed()));
    assert_eq!(done.said(), (0, String::new()));
}

/// As with `2>&1 | head`, whose end must not look like a panic.
#[test]
fn a_reader_of_messages_that_has_gone_changes_no_status() {
    let folder = Folder::new(dump());
    for (arguments, status) in [
        (&["report", "nowhere"][..], 1),
        (
            &["report", "serial.txt", "--elf", "f.elf", "--only", "g"],
            0,
        ),
    ] {
        let mut command = folder.command(HPP, arguments);
        assert_eq!(Done::of(command.stderr(closed())).status, status);
    }
}

#[test]
fn completions_and_manual_pages_name_every_option() {
    let folder = Folder::new("");
    for shell in ["bash", "zsh", "fish"] {
        let out = folder.succeeds(format!("completions {shell}")).out;
        out.must_contain("function");
        assert!(!out.contains("followed"), "{out}");
    }
    let page = folder.run("man report").out;
    for part in [".TH hpp-report 1", "\"hpp 0.", "\\-\\-by"] {
        page.must_contain(part);
    }
}

/// As `>` of PowerShell writes a log.
#[test]
fn a_log_in_utf_16_is_read() {
    let text = dump().to_string();
    let folder = Folder::new(&text);
    let expected = folder.run("report serial.txt").out;
    let words = || "\u{feff}".encode_utf16().chain(text.encode_utf16());
    let low: Vec<u8> = words().flat_map(u16::to_le_bytes).collect();
    let high: Vec<u8> = words().flat_map(u16::to_be_bytes).collect();
    for bytes in [low, high] {
        // Also one that a byte is missing of.
        for log in [&bytes[..], &[&bytes, &b"\n"[..]].concat()] {
            folder.write("serial.txt", log);
            let done = folder.run("report serial.txt");
            assert_eq!((done.status, &done.out), (0, &expected), "{}", done.error);
        }
    }
}
