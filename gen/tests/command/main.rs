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

/// What is said to flags, and to a configuration file of this text unless it is empty, has all of these parts.
fn refused(text: &str, flags: &str, parts: &[&str]) {
    let (_folder, path) = file(text);
    let config = ["--config", &path];
    let config = if text.is_empty() { &[] } else { &config[..] };
    let flags: Vec<&str> = flags.split_whitespace().collect();
    let words = refusal(&[config, &flags, &["--out", "x"]].concat());
    for part in parts {
        assert!(words.contains(part), "{text}{flags:?}: {words}");
    }
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
fn flags_override_the_file_and_the_file_the_defaults() {
    let (_folder, path) = file("[geometry]\nsets = 64\nways = 2\n[reset]\nlossy = true\n");
    let flags = "--ways 8 --ingress rvfi --event-inputs 2 --event-names icache-refill,dcache-refill \
                 --reset-row trap= --reset-metric events --config";
    let flags: Vec<&str> = flags.split_whitespace().chain([&*path]).collect();
    let config = printed(&flags);
    assert_eq!((config.geometry.sets, config.geometry.ways), (64, 8));
    assert_eq!(config.event_names, ["icache-refill", "dcache-refill"]);
    assert!(config.reset.lossy);
    assert_eq!(config.reset.ppcr().mode_word(), 1);
    assert_eq!(config.reset.rows.to_word(), 0x60a6_add1);
}

#[test]
fn a_misspelt_key_is_answered_with_file_line_and_keys() {
    let part = "profiler.toml:2:1: unknown field `set`, expected one of `sets`";
    refused("[geometry]\nset = 64\n", "", &[part]);
}

/// One violation is all that is said.
#[test]
fn an_impossible_geometry_is_answered_with_what_is_allowed() {
    let wide = "[geometry]\nways = 4\npc-bits = 65\n";
    for (text, flags, expected) in [
        (
            "",
            "--sets 100",
            "--sets: sets = 100 is not a power of two; the nearest allowed: 64 and 128",
        ),
        (
            "",
            "--ingress trace --itype-bits 5",
            "--itype-bits: itype-bits = 5 is out of range; allowed: 3 to 4",
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
    refused(
        wide,
        "",
        &["profiler.toml:3: pc-bits = 65 is out of range; allowed: 32 to 64\n"],
    );
}

/// Every violation in one run, a line each.
#[test]
fn values_that_do_not_go_together_are_answered_with_what_is_allowed() {
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
    let many = "gen-verilog: --event-names: event-names has 2 names for event-inputs = 1; allowed: a name for each input at most\n";
    refused("", "--event-names misses,energy", &[many]);
    let select =
        "gen-verilog: --reset-event-select: event-select = 16 is out of range; allowed: 0 to 15";
    refused("", "--reset-event-select 16", &[select]);
    refused(
        "",
        "--reset-max-extension 300",
        &["--reset-max-extension", "allowed: 0 to 255"],
    );
    let sums = ["allowed: 0 to 8", "more than 64 together"];
    refused("", "--pc-bits 64 --context-bits 64", &sums);
    let name =
        "profiler.toml:1: event-names: \"Cache miss\" names no input; allowed: a lower-case letter";
    refused("event-names = [\"Cache miss\"]\n", "", &[name]);
    refused("", "--event-names cycles", &["\"cycles\" names no input"]);
}

/// Of `a,,c` the third input's name became the second's.
#[test]
fn a_name_left_out_between_others_is_refused() {
    for names in ["a,,c", ",b", "a,"] {
        let flags = format!("--ingress rvfi --event-inputs 3 --event-names {names}");
        refused("", &flags, &["\"\" names no input"]);
    }
    let none = printed(&[
        "--ingress",
        "rvfi",
        "--event-inputs",
        "3",
        "--event-names",
        "",
    ]);
    assert!(none.event_names.is_empty());
}

/// Of a file that spells a key in another way than on a line of its own below its table, the error said neither file nor line.
#[test]
fn an_impossible_value_is_found_however_the_file_spells_its_key() {
    for (text, line) in [
        ("bus = \"apb\"\ngeometry.sets = 100\n", 2),
        ("geometry = { ways = 2, sets = 100 }\n", 1),
        ("\n[geometry]\n\"sets\" = 100\n", 3),
        ("# sets = 4\n[geometry]\n# sets = 8\nsets = 100\n", 4),
    ] {
        let place = format!("profiler.toml:{line}: sets = 100 is not a power of two");
        refused(text, "", &[&place]);
    }
}

/// A word of the command line and what is said of it, with a core of which all ports are known.
#[test]
fn a_directive_that_would_not_compile_or_would_lie_is_refused() {
    let all = "--ingress rvfi --bus none --bind picorv32 --out x";
    for (more, what) in [
        ("--bind two+words", "a module's name is a letter"),
        (
            "--bind _core",
            "no connection is known for these inputs of the profiler in module _core",
        ),
        ("--connect clk=", "--connect clk=: there is no expression"),
        (
            "--connect clk=a --connect clk=b",
            "says twice what `clk` is connected to",
        ),
        (
            "--bind ibex_top --align 2",
            "ibex_top runs compressed instructions",
        ),
        (
            "--bind ibex_top --retire-channels 2",
            "no connection is known for these inputs",
        ),
        (
            "--bind VexRiscv --ingress retire",
            "no connection is known for these inputs of the profiler in module VexRiscv: retire_expanded;",
        ),
    ] {
        let known = all.split(' ').collect::<Vec<_>>();
        let again = |flag: &str| more.split(' ').any(|word| word == flag);
        let pairs = known.chunks(2).filter(|pair| !again(pair[0])).flatten();
        let words: Vec<&str> = pairs.copied().chain(more.split(' ')).collect();
        let said = refusal(&words);
        assert!(said.contains(what), "{more}: {said}");
    }
}

#[test]
fn a_missing_file_is_named() {
    refused(
        "",
        "--config nowhere.toml",
        &["gen-verilog: cannot read nowhere.toml: "],
    );
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

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error_in_words() {
    let full = std::fs::File::create("/dev/full").expect("Linux has it");
    let output = Command::new(env!("CARGO_BIN_EXE_gen-verilog"))
        .arg("--print-config")
        .stdout(full)
        .output()
        .expect("the program starts");
    let words = String::from_utf8(output.stderr).expect("text");
    assert!(!output.status.success());
    assert!(words.contains("cannot write to standard output"), "{words}");
}
