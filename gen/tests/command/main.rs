//! The program `gen-verilog`: flags, files, and what it says to nonsense.

mod flags;

use hpp_gen::Config;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Output};

fn run(arguments: &[impl AsRef<OsStr>]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_gen-verilog"))
        .args(arguments)
        .output()
        .expect("the program starts")
}

fn printed(arguments: &[impl AsRef<OsStr>]) -> Config {
    let arguments: Vec<&OsStr> = arguments.iter().map(AsRef::as_ref).collect();
    let output = run(&[&arguments[..], &["--print-config".as_ref()]].concat());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {said}");
    let text = String::from_utf8(output.stdout).expect("text");
    Config::from_toml(&text, Path::new("stdout")).unwrap_or_else(|error| panic!("{error}"))
}

fn refusal(arguments: &[impl AsRef<OsStr>]) -> String {
    let output = run(arguments);
    assert!(!output.status.success() && output.stdout.is_empty());
    String::from_utf8(output.stderr).expect("text")
}

/// A configuration file in a folder of its own.
fn file(text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let path = folder.path().join("profiler.toml");
    std::fs::write(&path, text).expect("the folder is writable");
    let path = path.to_str().expect("a plain path").to_string();
    (folder, path)
}

#[test]
fn completions_and_the_manual_page_name_every_parameter() {
    let texts = [
        &["--completions", "bash"][..],
        &["--completions", "zsh"],
        &["--completions", "fish"],
        &["--man"],
    ]
    .map(|arguments| {
        let output = run(arguments);
        assert!(output.status.success(), "{arguments:?}");
        String::from_utf8(output.stdout)
            .expect("text")
            .replace("\\-", "-")
    });
    for table in &hpp_gen::PARAMETERS {
        for parameter in table.plain() {
            let flag = format!("{}{}", table.flag, parameter.name);
            assert!(texts.iter().all(|text| text.contains(&flag)), "{flag}");
        }
    }
    assert!(refusal(&["--man", "--sets", "64"]).contains("cannot be used with"));
}

/// Every violation in one run, a line each, with the flag or the line of the file that has it.
#[test]
fn violations_are_answered_with_what_is_allowed() {
    let words = refusal(&["--event-inputs", "4", "--event-bits", "20", "--out", "x"]);
    let lines: Vec<&str> = words.lines().collect();
    let [first, second] = lines[..] else {
        panic!("{words}");
    };
    let all = "gen-verilog: --event-inputs: event-inputs = 4 of event-bits = 20 make a port of 80 bits; allowed: 64 at most";
    assert_eq!(first, all);
    let native =
        "gen-verilog: --event-inputs: event-inputs = 4 has no effect with ingress = \"native\"";
    assert!(second.starts_with(native), "{words}");
    let wide = "[geometry]\nways = 4\npc-bits = 65\n";
    for (text, flags, expected) in [
        (
            "",
            "--sets 100",
            "--sets: sets = 100 is not a power of two; the nearest allowed: 64 and 128",
        ),
        (
            wide,
            "--pc-bits 70",
            "--pc-bits: pc-bits = 70 is out of range; allowed: 32 to 64",
        ),
    ] {
        let (_folder, path) = file(text);
        let flags = flags.split(' ').chain(["--config", &path, "--out", "x"]);
        let words = refusal(&flags.collect::<Vec<_>>());
        assert_eq!(words, format!("gen-verilog: {expected}\n"));
    }
    let (_folder, path) = file(wide);
    let words = refusal(&["--config", &path, "--out", "x"]);
    assert!(words.ends_with("profiler.toml:3: pc-bits = 65 is out of range; allowed: 32 to 64\n"));
}

/// A word of the command line and what is said of it, with a core of which all ports are known.
#[test]
fn a_directive_that_would_not_compile_or_would_lie_is_refused() {
    let all = "--ingress rvfi --bus none --bind picorv32 --out x";
    let rows = "\
--bind two+words                  | a module's name is a letter
--bind _core                      | no connection is known for these inputs of the profiler in module _core
--connect clk=                    | --connect clk=: there is no expression
--connect clk=a --connect clk=b   | says twice what `clk` is connected to
--bind ibex_top --align 2         | ibex_top runs compressed instructions
--bind ibex_top --retire-channels 2 | no connection is known for these inputs
--bind VexRiscv --ingress retire  | these inputs of the profiler in module VexRiscv: retire_expanded;";
    for row in rows.lines() {
        let (more, what) = row.split_once('|').expect("two columns");
        let (more, what) = (more.trim(), what.trim());
        let known = all.split(' ').collect::<Vec<_>>();
        let again = |flag: &str| more.split(' ').any(|word| word == flag);
        let pairs = known.chunks(2).filter(|pair| !again(pair[0])).flatten();
        let words: Vec<&str> = pairs.copied().chain(more.split(' ')).collect();
        let said = refusal(&words);
        assert!(said.contains(what), "{more}: {said}");
    }
}

#[test]
fn files_are_written_silently_and_stale_ones_are_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("deep/er");
    let out = out.to_str().expect("a plain path");
    let said = |arguments: &[&str]| {
        let output = run(arguments);
        assert!(output.status.success() && output.stdout.is_empty());
        String::from_utf8(output.stderr).expect("text")
    };
    assert_eq!(said(&["--out", out]), "");
    let stale = format!("gen-verilog: {out}/hpp_drain_writer.v is of an earlier run");
    assert_eq!(said(&["--drain-depth", "64", "--out", out]), "");
    assert!(said(&["--out", out]).starts_with(&stale));
}
