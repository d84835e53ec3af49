//! Tools that the tests call.

use std::process::Command;

/// A tool by the name `scripts/tool-paths` knows it by. Without it a test would say nothing, so it fails.
pub fn tool(name: &str) -> Command {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../scripts/tool-paths");
    let output = Command::new("sh").args([script, name]).output();
    let output = output.expect("a shell is there");
    let path = String::from_utf8_lossy(&output.stdout);
    let found = output.status.success();
    assert!(found, "{name} not found; remedy: scripts/setup-tools.sh");
    Command::new(path.trim())
}
