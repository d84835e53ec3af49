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

use said::{Done, Folder};
use ways::Way;

/// Runs a command of `hpp` in a folder.
fn hpp(folder: &Folder, command: &[&str], way: &Way, arguments: &[&str]) -> Done {
    let way = way.arguments.iter().map(String::as_str);
    let words = command
        .iter()
        .copied()
        .chain(way)
        .chain(arguments.iter().copied());
    folder.hpp(&words.collect::<Vec<_>>())
}

#[track_caller]
fn out(done: &Done) -> &str {
    assert_eq!(done.status, 0, "{}", done.error);
    &done.out
}

/// What a command that fails says, in one line.
#[track_caller]
fn error(done: &Done) -> &str {
    assert_eq!(
        (done.status, done.error.lines().count()),
        (1, 1),
        "{}",
        done.error
    );
    &done.error
}
