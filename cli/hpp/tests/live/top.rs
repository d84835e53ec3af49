//! `hpp top`, as text and as JSON.

use std::os::fd::AsFd;
use std::process::Command;
use std::thread;
use std::time::Duration;

use hpp_golden::config::Geometry;
use hpp_golden::registers::{COMMAND, Counter, command};
use rustix::termios::{Winsize, tcsetwinsize};
use serde_json::Value;
use serial2::SerialPort;

use crate::said::{Done, Folder, Must};
use crate::system::{BASE, System};
use crate::ways;
use crate::{error, hpp, out};

const AT: [&str; 2] = ["--base", "0x20000000"];
/// A program with code where the model's paths begin.
const ELF: &str = concat!(
    env!("CARGO_MANIFEST_DIR"),
    "/tests/profiles/fixture/words.elf"
);

/// A profiler for a program with compressed instructions.
fn system() -> System {
    System::of(&Geometry {
        align: 1,
        ..Geometry::default()
    })
}

fn top(system: &System, arguments: &[&str]) -> Done {
    let arguments = [&AT[..], arguments].concat();
    hpp(&Folder::empty(), &["top"], &ways::gdb(system), &arguments)
}

fn objects(out: &str) -> Vec<Value> {
    let object = |line| serde_json::from_str(line).expect("an object a line");
    out.lines().map(object).collect()
}

/// Between two looks the stub's core runs a thousand branches, each a path that the table holds; the first branch of all only begins one.
#[test]
fn a_line_of_json_has_what_was_counted_since_the_one_before() {
    let system = system();
    let output = top(
        &system,
        &["--json", "--count", "3", "--interval", "0.1", "--elf", ELF],
    );
    let looks = objects(out(&output));
    assert_eq!(looks.len(), 3);
    assert_eq!(looks[0]["interval"], Value::Null);
    for (number, look) in (0..).zip(&looks) {
        assert_eq!(look["counters"]["paths"], 99 + 1000 * number);
        let paths = look["paths"].as_array().expect("paths");
        assert_eq!(paths.len(), 9);
        let shares = paths.iter().map(|path| path["share"].as_f64());
        let sum: f64 = shares.map(|share| share.expect("a share")).sum();
        assert!((sum - 1.0).abs() < 1e-9, "{sum}");
        let mut places = paths.iter().map(|path| path["place"].as_str());
        assert!(places.any(|place| !place.expect("text").starts_with("0x")));
        let Some(seconds) = look["interval"].as_f64() else {
            continue;
        };
        assert!(seconds > 0.09, "{seconds}");
        let rates = paths.iter().map(|path| path["rate"].as_f64());
        let counted = rates.map(|rate| rate.expect("a rate")).sum::<f64>() * seconds;
        assert!((counted - 1000.0).abs() < 1e-3, "{counted}");
        let lost = &look["rates"]["lost_records"];
        assert_eq!(
            (lost, &look["hits"]),
            (&Value::from(0.0), &Value::from(1.0))
        );
    }
}

#[test]
fn a_table_that_is_cleared_between_two_looks_counts_from_nothing() {
    let system = system();
    system.run(100_000);
    let clearing = system.clone();
    let cleared = thread::spawn(move || {
        while clearing.profiler().counters().get(Counter::Paths) < 101_000 {
            thread::sleep(Duration::from_millis(1));
        }
        let word = command::CLEAR.mask() | command::CLEAR_COUNTERS.mask();
        clearing.write(BASE + COMMAND.offset, word);
    });
    let output = top(&system, &["--json", "--count", "2", "--interval", "0.5"]);
    cleared.join().expect("it is cleared");
    let looks = objects(&output.out);
    assert_eq!(looks[1]["counters"]["paths"], 0);
    assert_eq!(looks[1]["rates"]["paths"], 0.0);
}

#[test]
fn a_link_that_breaks_ends_it_with_an_error() {
    let broken = system().breaks_after(3000);
    let output = top(&broken, &["--json", "--interval", "0.05"]);
    assert!(error(&output).contains("GDB stub"));
    assert!(!objects(&output.out).is_empty());
}

#[test]
fn the_text_has_the_paths_of_each_sample() {
    let arguments = ["--count", "2", "--interval", "0.1", "--elf", ELF];
    let shown = top(&system(), &[&arguments[..], &["--top", "3"]].concat());
    for part in ["GDB stub", "9 of 512 entries; executions of", "  lost 0/s"] {
        out(&shown).must_contain(part);
    }
    let samples = shown.out.split("outcomes\n").skip(1);
    let rows = samples.map(|rows| rows.lines().take(3).collect::<Vec<_>>());
    let rows: Vec<_> = rows.collect();
    assert_eq!(rows.len(), 2, "{}", shown.out);
    for (is_first, rows) in [true, false].into_iter().zip(rows) {
        let is_right = |row: &&str| {
            let has_no_rate = row.trim_start().starts_with('-');
            row.contains("main.c") && has_no_rate == is_first
        };
        assert!(rows.iter().all(is_right), "{}", shown.out);
    }
}

#[test]
fn a_terminal_shows_as_many_lines_as_fit() {
    let (mut ours, theirs) = SerialPort::pair().expect("a pair of terminals");
    let window = Winsize {
        ws_col: 100,
        ws_row: 8,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(theirs.as_fd(), window).expect("a terminal has a size");
    let way = ways::gdb(&system());
    let terminal = theirs.as_fd().try_clone_to_owned();
    let status = Command::new(env!("CARGO_BIN_EXE_hpp"))
        .arg("top")
        .args(&way.arguments)
        .args(AT)
        .args(["--count", "1"])
        .env("TERM", "xterm")
        .env_remove("NO_COLOR")
        .stdout(terminal.expect("a descriptor"))
        .status();
    assert!(status.expect("the command starts").success());
    theirs.write_all(b"the end").expect("a terminal");
    ours.set_read_timeout(Duration::from_secs(60))
        .expect("a terminal has a timeout");
    let mut text = Vec::new();
    while !text.ends_with(b"the end") {
        let mut byte = [0];
        ours.read_exact(&mut byte).expect("what was shown");
        text.extend(byte);
    }
    let text = String::from_utf8(text).expect("UTF-8");
    text.must_begin("\x1b[H\x1b[2J");
    text.must_contain("GDB stub");
    assert_eq!(text.lines().count(), 7 + 1, "{text}");
}
