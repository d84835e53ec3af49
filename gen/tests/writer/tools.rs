//! The tools that must accept what the writer writes.

use std::path::Path;
use std::process::Command;
use verilated::Verilator;
use verilated::tools::tool;

/// Panics with the tool's words unless Verilator and Icarus accept `text` without a warning.
///
/// Verilator wants a file for each module (`DECLFILENAME`) of all but libraries: the top is a file, the rest a library.
pub fn lint(text: &str, top: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(path, text).expect("the temporary folder is writable");
    };
    let name = format!("{top}.v");
    let start = text
        .find(&format!("module {top} "))
        .expect("the top module");
    let end = start + text[start..].find("endmodule\n").expect("its end") + "endmodule\n".len();
    let preamble = text.find("\nmodule ").map_or(0, |at| at + 1).min(start);
    write(&name, &[&text[..preamble], &text[start..end]].concat());
    write("library.v", &[&text[..start], &text[end..]].concat());
    let verilator = Verilator::find().unwrap_or_else(|error| panic!("{error}"));
    let arguments = [
        "--lint-only",
        "-Wall",
        "--top-module",
        top,
        &name,
        "-v",
        "library.v",
    ];
    accepted(verilator.command().args(arguments), folder.path(), text);
    write(&name, text);
    let arguments = ["-g2005", "-Wall", "-Wno-timescale", "-t", "null", &name];
    accepted(tool("iverilog").args(arguments), folder.path(), text);
}

/// Panics with the tool's words if it fails or complains; it runs in `folder`.
pub fn accepted(command: &mut Command, folder: &Path, text: &str) {
    let run = command.current_dir(folder).output();
    let output = run.expect("the tool starts");
    let words = String::from_utf8_lossy(&output.stderr);
    let accepted = output.status.success() && !complains(&words);
    assert!(accepted, "{words}\n{text}");
}

/// Panics unless a file of the repository has this text; `HPP_BLESS=1` makes it so.
#[allow(dead_code, reason = "not every test has such a file")]
pub fn is_current(kept: &str, text: &str) {
    let path = format!("{}/../{kept}", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("HPP_BLESS").is_some() {
        std::fs::write(&path, text).unwrap_or_else(|error| panic!("{kept}: {error}"));
    }
    let found = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{kept}: {error}"));
    assert!(
        found == text,
        "{kept} is out of date: HPP_BLESS=1 cargo test -p hpp-gen writes it anew"
    );
}

/// Whether a line has the form of a complaint: `Warning: ...` of Yosys, `%Warning-WIDTH: ...` of Verilator, `x.v:3:
/// warning: ...` and `sorry: ...` of Icarus. Anything else on standard error is none: a tool may tell what it does.
pub fn complains(words: &str) -> bool {
    words.lines().any(|line| {
        let line = line.to_ascii_lowercase();
        ["warning", "error", "sorry"].iter().any(|level| {
            line.contains(&format!("{level}:")) || line.starts_with(&format!("%{level}"))
        })
    })
}
