//! `run-tests.py`: whatever becomes of a test executable, it is reported, and the exit status says so.

use std::process::{Command, Stdio};

use crate::folder::{Ended, Folder, is_running, run, until};

/// The project with test executables of these bodies; `None` stands for one that is not there.
fn project(tests: &[Option<&str>]) -> Folder {
    let folder = Folder::with(&["run-tests.py"]);
    let mut messages = String::new();
    for (index, body) in tests.iter().enumerate() {
        let name = format!("tests/t{index}.rs");
        let path = folder.path(&format!("target/t{index}"));
        if let Some(body) = body {
            folder.program(&format!("target/t{index}"), &format!("#!/bin/sh\n{body}\n"));
        }
        let (manifest, source) = (folder.path("Cargo.toml"), folder.path(&name));
        messages += &format!(
            "{{\"reason\": \"compiler-artifact\", \"executable\": {path:?}, \"manifest_path\": {manifest:?}, \
             \"target\": {{\"src_path\": {source:?}}}, \"profile\": {{\"test\": true}}}}\n"
        );
    }
    folder.program("messages", &messages);
    let cargo = "#!/bin/sh\ncase $* in\n*--no-run*) cat \"$(dirname \"$0\")/messages\" ;;\n*) echo examples pass ;;\nesac\n";
    folder.program("cargo", cargo);
    folder
}

fn command(folder: &Folder, arguments: &[&str]) -> Command {
    let mut command = Command::new("python3");
    command
        .arg(folder.path("scripts/run-tests.py"))
        .args(arguments)
        .env("CARGO", folder.path("cargo"))
        .env("RUSTC", "true")
        .env("PYTHONIOENCODING", "utf-8");
    command
}

fn tested(folder: &Folder, arguments: &[&str]) -> Ended {
    run(&mut command(folder, arguments))
}

#[test]
fn what_is_left_out_does_not_run() {
    let folder = project(&[Some("echo one"), Some("echo two; exit 3")]);
    let ended = tested(&folder, &["--without", "tests/t1", "--without", "x"]);
    assert_eq!(ended.status, Some(0), "{}", ended.output);
    assert!(ended.output.contains("one") && !ended.output.contains("two"));
}

#[test]
fn what_is_left_out_of_packages_is_not_built() {
    let folder = project(&[]);
    let target = |kind: &str, name: &str, source: &str, test: bool| {
        let source = folder.path(source);
        format!(
            "{{\"kind\": [{kind:?}], \"name\": {name:?}, \"src_path\": {source:?}, \"test\": {test}}}"
        )
    };
    let package = |name: &str, lib: bool, others: &str| {
        let manifest = folder.path("Cargo.toml");
        let lib = target("lib", name, "src/lib.rs", lib);
        format!(
            "{{\"name\": {name:?}, \"manifest_path\": {manifest:?}, \"targets\": [{lib}{others}]}}"
        )
    };
    let tests = ["t0", "t1"].map(|name| target("test", name, &format!("tests/{name}.rs"), true));
    let packages = [
        package("first", true, &format!(", {}, {}", tests[0], tests[1])),
        package("second", false, ""),
        package("third", true, ""),
    ];
    let metadata = format!("{{\"packages\": [{}]}}", packages.join(", "));
    folder.program("metadata", &metadata);
    let cargo = "#!/bin/sh\necho \"$*\" >> \"$(dirname \"$0\")/asked\"\n\
                 case $* in metadata*) cat \"$(dirname \"$0\")/metadata\" ;; esac\n";
    folder.program("cargo", cargo);
    let packages = ["-p", "first", "-p", "second", "--tests"];
    let ended = tested(
        &folder,
        &[&packages[..], &["--without", "tests/t1"]].concat(),
    );
    assert_eq!(ended.status, Some(0), "{}", ended.errors);
    let asked = folder.text("asked");
    let builds: Vec<_> = asked
        .lines()
        .filter_map(|line| line.split_once("render-diagnostics "))
        .map(|(_, selection)| selection)
        .collect();
    // The second has no tests of its own; the third was not asked for.
    assert_eq!(
        builds,
        ["--lib -p=first", "-p=first --test=t0 -p=second"],
        "{asked}"
    );
}

#[test]
fn what_every_executable_prints_is_printed_and_what_failed_again() {
    let folder = project(&[
        Some("echo one"),
        Some("echo two; exit 3"),
        Some("echo three"),
    ]);
    let ended = tested(&folder, &["--jobs", "2"]);
    assert_eq!(ended.status, Some(1), "{}", ended.errors);
    for part in ["one", "three", "examples pass", "all 4 executables"] {
        assert!(ended.output.contains(part), "{part} in {}", ended.output);
    }
    assert_eq!(
        ended.output.matches("\ntwo\n").count(),
        2,
        "{}",
        ended.output
    );
    let last = "error: 1 of 4 executables failed: ./tests/t1.rs\n";
    assert!(ended.output.ends_with(last), "{}", ended.output);
    let passing = project(&[Some("echo one")]);
    assert_eq!(tested(&passing, &[]).status, Some(0));
}

#[test]
fn a_letter_that_the_terminal_does_not_have_is_shown_by_its_number() {
    let folder = project(&[
        Some("echo 'a \u{2013} b'"),
        Some("echo second"),
        Some("echo third"),
    ]);
    let ended = run(command(&folder, &["--jobs", "1"]).env("PYTHONIOENCODING", "ascii"));
    assert_eq!(ended.status, Some(0), "{}", ended.errors);
    for part in ["a \\u2013 b", "second", "third"] {
        assert!(ended.output.contains(part), "{part} in {}", ended.output);
    }
}

#[test]
fn an_executable_that_does_not_start_fails_and_the_others_run() {
    let folder = project(&[Some("echo one"), None, Some("echo three")]);
    let ended = tested(&folder, &["--jobs", "1"]);
    assert_eq!(ended.status, Some(1));
    assert!(ended.output.contains("one") && ended.output.contains("three"));
    assert!(
        ended
            .output
            .contains("FAILED: ./tests/t1.rs, did not start: ")
            && ended.output.contains("No such file"),
        "{}",
        ended.output
    );
    assert_eq!(ended.errors, "");
}

#[test]
fn output_that_nobody_takes_is_a_failure() {
    let folder = project(&[Some("echo one"), Some("echo two")]);
    let mut command = command(&folder, &["--jobs", "1"]);
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full");
    command.stdout(full.expect("a device"));
    let ended = run(&mut command);
    assert_eq!(ended.status, Some(1), "{}", ended.errors);
    assert!(
        ended.errors.contains("cannot print what was found"),
        "{}",
        ended.errors
    );
}

#[test]
fn times_that_cannot_be_kept_cost_no_report() {
    let folder = project(&[Some("exit 1")]);
    // A file in the place of the folder.
    folder.program("build", "");
    let ended = tested(&folder, &[]);
    assert_eq!(ended.status, Some(1));
    assert!(
        ended.output.contains("error: 1 of 2 executables failed"),
        "{}",
        ended.output
    );
    assert!(
        ended.errors.contains("the times are not kept: "),
        "{}",
        ended.errors
    );
}

#[test]
fn what_follows_two_dashes_goes_to_the_executables() {
    let folder = project(&[Some("echo \"given $*\"")]);
    let ended = tested(&folder, &["--test", "t0", "--", "--exact", "a name"]);
    assert_eq!(ended.status, Some(0));
    assert!(
        ended.output.contains("given --exact a name\n"),
        "{}",
        ended.output
    );
    assert!(
        ended.output.contains("all 1 executables"),
        "no documentation: {}",
        ended.output
    );
}

#[test]
fn a_compiler_that_is_not_there_is_named() {
    let folder = project(&[]);
    let ended = run(command(&folder, &[]).env("CARGO", "/nowhere/cargo"));
    assert_eq!(ended.status, Some(1));
    assert!(
        ended
            .errors
            .starts_with("run-tests: cannot run /nowhere/cargo: No such file")
            && ended.errors.contains("remedy:"),
        "{}",
        ended.errors
    );
}

#[test]
fn a_run_that_is_stopped_leaves_nothing_running_and_begins_nothing() {
    let sleeper = "sleep 600 &\necho $! > \"$0.child\"; mv \"$0.child\" \"$0.pid\"; wait";
    let folder = project(&[Some(sleeper), Some("touch \"$0.ran\"")]);
    let mut command = command(&folder, &["--jobs", "1"]);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let child = command.spawn().expect("it starts");
    until("the first test runs", || {
        folder.path("target/t0.pid").exists()
    });
    let sleeper = folder.text("target/t0.pid").trim().to_string();
    assert!(is_running(&sleeper));
    let killed = Command::new("kill").arg(child.id().to_string()).status();
    assert!(killed.expect("a command").success());
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{text}");
    until("the sleeper ends", || !is_running(&sleeper));
    assert!(!folder.path("target/t1.ran").exists());
    assert!(
        text.contains("FAILED: ./tests/t1.rs, did not run"),
        "{text}"
    );
    assert!(text.contains("error: 3 of 3 executables failed"), "{text}");
}

#[test]
fn a_signal_that_was_to_be_ignored_stops_nothing() {
    let waiter = "echo $$ > \"$0.pid\"; while [ ! -e \"$0.go\" ]; do sleep 0.02; done; echo done";
    let folder = project(&[Some(waiter)]);
    let mut command = Command::new("sh");
    command
        .args(["-c", "trap '' HUP; exec python3 \"$0\""])
        .arg(folder.path("scripts/run-tests.py"))
        .env("CARGO", folder.path("cargo"))
        .env("RUSTC", "true")
        .stdout(Stdio::piped());
    let child = command.spawn().expect("it starts");
    until("the test runs", || folder.path("target/t0.pid").exists());
    let process = child.id().to_string();
    assert_eq!(
        run(Command::new("kill").args(["-HUP", &process])).status,
        Some(0)
    );
    folder.program("target/t0.go", "");
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("done"), "{text}");
}
