//! The tools that must accept what the writer writes.

use std::path::Path;
use std::process::Command;
use verilated::Verilator;

/// Panics with the tool's words unless Verilator accepts `text` without a warning.
pub fn lint(text: &str, top: &str) {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join(format!("{top}.v"));
    std::fs::write(&file, text).expect("the temporary folder is writable");
    let verilator = Verilator::find().unwrap_or_else(|error| panic!("{error}"));
    let output = verilator
        .command()
        .args(["--lint-only", "-Wall", "--top-module", top])
        .arg(&file)
        .output()
        .expect("Verilator starts");
    let words = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && words.is_empty(),
        "{words}\n{text}"
    );
    icarus(&file, text);
}

/// Icarus too, where it is installed.
fn icarus(file: &Path, text: &str) {
    let run = Command::new("iverilog")
        .args(["-g2005", "-Wall", "-Wno-timescale", "-t", "null"])
        .arg(file)
        .output();
    if let Ok(output) = run {
        let words = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success() && words.is_empty(),
            "{words}\n{text}"
        );
    }
}
