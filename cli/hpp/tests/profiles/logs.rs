//! Logs with several dumps, and what is none.

use crate::folder::{Folder, dump};
use crate::said::Must;

#[test]
fn a_merged_profile_is_no_log() {
    let folder = Folder::new(dump());
    let merged = folder.run("merge serial.txt").out;
    folder.write("merged.json", merged.as_bytes());
    for flags in ["--list", "--dump 1"] {
        let done = folder.run(format!("report merged.json {flags}"));
        assert_eq!(done.status, 1);
        let expected = "hpp: merged.json: a profile that `hpp merge` wrote has no dumps";
        done.error.must_begin(expected);
    }
}

#[test]
fn the_list_takes_no_flag_that_it_would_pass_over() {
    let folder = Folder::new(dump());
    for flags in ["--format json", "--by count", "--top 1"] {
        let done = folder.run(format!("report serial.txt --list {flags}"));
        assert_eq!((done.status, &*done.out), (2, ""));
    }
}

#[test]
fn the_whole_dump_before_a_damaged_one_is_named() {
    let text = dump().to_string();
    let folder = Folder::new(format!("{text}{text}{}", &text[..text.len() / 2]));
    let error = folder.run("report serial.txt").error;
    error.must_begin("hpp: serial.txt: dump 3 of 3: ");
    let expected = ". Dump 2 is intact: report, annotate and export take it with --dump 2\n";
    error.must_end(expected);
    assert_eq!(folder.run("report serial.txt --dump 2").status, 0);
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
