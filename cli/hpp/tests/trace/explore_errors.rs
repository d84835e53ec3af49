//! `hpp explore`: what it refuses, and what it says of damage.

use std::fs;
use std::process::Command;

use crate::said::Must;
use crate::{GZIP, HPP, error, folder, out};

#[test]
fn a_trace_that_is_damaged_in_its_middle_does_not_lose_the_others() {
    let folder = folder();
    let mut bytes = fs::read(GZIP).expect("the recorded run");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0xff;
    let damaged = super::write(&folder, "damaged.hpptrace", &bytes);
    let done = hpp!("explore {damaged} {GZIP}");
    assert_eq!(done.status.code(), Some(1), "{done:?}");
    let alone = out(&["explore", GZIP]);
    let row = alone.lines().nth(1).expect("a row");
    let shown = String::from_utf8_lossy(&done.stdout);
    assert!(shown.contains(row.trim_start()), "{shown}{row}");
    assert!(!shown.contains("damaged"), "{shown}");
    let said = String::from_utf8_lossy(&done.stderr);
    said.must_contain(&format!("hpp: {damaged}: "));
    said.must_contain("1 of 2 traces could not be measured; record them again");
    let error = error(&["explore", &damaged]);
    error.must_contain(&damaged);
    assert!(!error.contains("1 of 1"), "{error}");
}

/// Where it is read twice it would be empty the second time.
#[test]
fn a_pipe_is_refused_where_a_trace_is_read_twice() {
    let piped = |command: &str, file: &str| {
        let line = format!("cat {GZIP} | \"$0\" {command} {file}");
        let output = Command::new("sh").args(["-c", &line, HPP]).output();
        output.expect("a shell")
    };
    for (file, name) in [("/dev/stdin", "/dev/stdin"), ("-", "standard input")] {
        let output = piped("replay --context-bits 2 --each-context", file);
        let error = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{error}");
        error.must_begin(&format!(
            "hpp: {name}: it is read twice, and a pipe is gone after the first time"
        ));
        assert_eq!(piped("explore", file).status.code(), Some(0));
    }
}
