//! `hpp record` and `hpp top` on the golden model's registers, through `litex_server` and what speaks the other protocols.

mod faults;
mod gdb;
mod litex;
mod openocd;
mod record;
#[path = "../said/mod.rs"]
mod said;
mod system;
mod top;
mod ways;

use std::path::Path;
use std::process::{Command, Output};

use ways::Way;

/// Runs a command of `hpp` in a folder.
fn hpp(folder: &Path, command: &[&str], way: &Way, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hpp"))
        .current_dir(folder)
        .args(command)
        .args(&way.arguments)
        .args(arguments)
        .output()
        .expect("the command starts")
}

/// What a command that succeeds writes.
fn out(output: &Output) -> &str {
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    str::from_utf8(&output.stdout).expect("text")
}

/// What a command that fails says, in one line.
fn error(output: &Output) -> String {
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert_eq!(said.lines().count(), 1, "{said}");
    said
}
