//! `hpp top`, as lines and on a terminal.

use std::fs::File;
use std::os::fd::{AsFd, AsRawFd};
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use hpp_golden::config::Geometry;
use hpp_golden::registers::{COMMAND, Counter, command};
use rustix::fs::OFlags;
use rustix::termios::{Termios, Winsize, tcgetattr, tcsetwinsize};
use serde_json::Value;
use serial2::SerialPort;

use crate::said::{Done, Folder, Must};
use crate::system::{BASE, System};
use crate::ways::{self, Way};
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
fn without_a_terminal_or_with_a_link_that_breaks_it_ends_with_an_error() {
    let system = system();
    assert!(error(&top(&system, &[])).contains("--json writes lines"));
    let broken = self::system().breaks_after(3000);
    let output = top(&broken, &["--json", "--interval", "0.05"]);
    assert!(error(&output).contains("GDB stub"));
    assert!(!objects(&output.out).is_empty());
}

/// Runs `hpp top` on a terminal of a size, with a key after a while. What it wrote, its exit status, and the terminal's settings before and
/// after.
fn on_terminal(way: &Way, size: [u16; 2], key: &[u8]) -> (String, Option<i32>, [Termios; 2]) {
    let (ours, theirs) = SerialPort::pair().expect("a pair of terminals");
    let window = Winsize {
        ws_col: size[0],
        ws_row: size[1],
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    tcsetwinsize(theirs.as_fd(), window).expect("a terminal has a size");
    let before = tcgetattr(theirs.as_fd()).expect("a terminal");
    // A description of its own: that of the pair does not block. If this process leads a session, the terminal must not
    // become the session's: its end would end the process.
    let not_ours = i32::try_from(OFlags::NOCTTY.bits()).expect("a flag of open(2)");
    let device = format!("/proc/self/fd/{}", theirs.as_raw_fd());
    let stdio = || {
        let terminal = File::options()
            .read(true)
            .write(true)
            .custom_flags(not_ours)
            .open(&device);
        Stdio::from(terminal.expect("a terminal"))
    };
    let mut child = Command::new(env!("CARGO_BIN_EXE_hpp"))
        .arg("top")
        .args(&way.arguments)
        .args(AT)
        .args(["--interval", "0.1", "--elf", ELF])
        .stdin(stdio())
        .stdout(stdio())
        .stderr(stdio())
        .spawn()
        .expect("the command starts");
    let mut reader = ours.try_clone().expect("a descriptor");
    reader
        .set_read_timeout(Duration::from_secs(60))
        .expect("a terminal has a timeout");
    let (entered, is_entered) = mpsc::channel();
    let reading = thread::spawn(move || {
        let (mut text, mut part) = (Vec::new(), [0; 4096]);
        // What the test writes itself is the end.
        while !text.ends_with(b"the end")
            && let Ok(length) = reader.read(&mut part)
        {
            text.extend_from_slice(&part[..length]);
            if text.windows(ENTERED.len()).any(|part| part == ENTERED) {
                let _ = entered.send(());
            }
        }
        text
    });
    // A key that comes before is taken by the terminal.
    let came = is_entered.recv_timeout(Duration::from_secs(60));
    came.expect("it takes the terminal");
    thread::sleep(Duration::from_millis(500));
    ours.write_all(key).expect("a terminal takes keys");
    let status = child.wait().expect("it ends").code();
    let after = tcgetattr(theirs.as_fd()).expect("a terminal");
    theirs.write_all(b"the end").expect("a terminal");
    let text = reading.join().expect("it is read");
    (
        String::from_utf8_lossy(&text).into_owned(),
        status,
        [before, after],
    )
}

/// Entering the screen of full-screen programs.
const ENTERED: &[u8] = b"\x1b[?1049h";
/// Leaving the screen of full-screen programs.
const LEFT: &str = "\u{1b}[?1049l";

fn is_restored(text: &str, [before, after]: &[Termios; 2]) {
    assert!(text.contains(LEFT), "{text:?}");
    assert_eq!(before.local_modes, after.local_modes);
    assert_eq!(before.input_modes, after.input_modes);
    assert_eq!(before.output_modes, after.output_modes);
}

#[test]
fn keys_end_it_and_the_terminal_is_as_before() {
    for (size, key) in [
        ([80, 24], &b"q"[..]),
        ([160, 40], b" t\x03"),
        ([10, 3], b"q"),
    ] {
        let (text, status, settings) = on_terminal(&ways::gdb(&system()), size, key);
        assert_eq!(status, Some(0), "{text:?}");
        is_restored(&text, &settings);
        if size[0] >= 80 {
            text.must_contain("GDB stub");
            text.must_contain("count/s");
        }
    }
}

#[test]
fn a_link_that_breaks_leaves_the_terminal_as_before_and_says_why() {
    let system = system().breaks_after(3000);
    let (text, status, settings) = on_terminal(&ways::gdb(&system), [80, 24], b"");
    assert_eq!(status, Some(1), "{text:?}");
    is_restored(&text, &settings);
    let said = text.split(LEFT).last().expect("what comes after");
    assert!(said.contains("hpp: GDB stub"), "{said:?}");
}
