//! Tools that are only used where they are found.

use std::process::Command;

/// A tool by the name `scripts/tool-paths` knows it by, if it is there.
pub fn tool(name: &str) -> Option<Command> {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/tool-paths");
    let output = Command::new("sh").args([script, name]).output().ok()?;
    let path = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| Command::new(path.trim()))
}
