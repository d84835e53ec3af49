//! `hpp explore --resume`: what is kept of an interrupted sweep.

use std::fs;
use std::process::Command;

use crate::{GZIP, HPP, folder, out, write};

#[test]
fn what_was_measured_is_not_measured_again() {
    let folder = folder();
    let kept = folder.path().join("kept.jsonl").display().to_string();
    let explore = |window: &str| out(&["explore", GZIP, "--resume", &kept, "--window", window]);
    let first = explore("1e5");
    let text = fs::read_to_string(&kept).expect("what is kept");
    // A sign that it was read from there, and a second line that an interruption cut.
    let marked = text.replace("\"command\":[\"gzip\"", "\"command\":[\"gunzip\"");
    let marked = marked.replace("\"hits\":", "\"hits\":1");
    fs::write(&kept, format!("{marked}{}", &text[..50])).expect("a file");
    assert_ne!(explore("1e5"), first);
    // Other circumstances, other measurements.
    explore("2e5");
    let text = fs::read_to_string(&kept).expect("what is kept");
    assert_eq!(text.lines().count(), 3);
    let unmarked = text
        .lines()
        .filter(|line| line.contains("\"command\":[\"gzip\""));
    assert_eq!(unmarked.count(), 1);
}

#[test]
fn a_line_cut_within_a_letter_does_not_stand_in_the_way() {
    let folder = folder();
    let mut cut = br#"{"key":{"hpp":"0.1.0","trace":"caf"#.to_vec();
    cut.push("é".as_bytes()[0]);
    let kept = write(&folder, "kept.jsonl", &cut);
    out(&["explore", GZIP, "--resume", &kept]);
    let text = fs::read(&kept).expect("what is kept");
    assert!(text.starts_with(&cut) && text[cut.len()] == b'\n');
}

#[test]
fn another_version_measures_again() {
    let folder = folder();
    let kept = folder.path().join("kept.jsonl").display().to_string();
    let lines = || fs::read_to_string(&kept).expect("what is kept");
    out(&["explore", GZIP, "--resume", &kept]);
    let other = lines().replace(env!("CARGO_PKG_VERSION"), "0.0.1");
    fs::write(&kept, &other).expect("a file");
    out(&["explore", GZIP, "--resume", &kept]);
    out(&["explore", GZIP, "--resume", &kept]);
    assert_eq!(lines().lines().count(), 2);
}

#[test]
fn what_cannot_be_kept_is_shown_even_so() {
    let folder = folder();
    let kept = folder.path().join("kept.jsonl").display().to_string();
    // No file may grow: as on a disk that is full.
    let output = Command::new("sh")
        .args(["-c", "trap '' XFSZ; ulimit -f 0; exec \"$@\"", "sh"])
        .args([HPP, "explore", GZIP, "--resume", &kept])
        .output()
        .expect("a shell");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot keep what was measured of"));
    let printed = String::from_utf8_lossy(&output.stdout);
    assert_eq!(printed, out(&["explore", GZIP]));
}
