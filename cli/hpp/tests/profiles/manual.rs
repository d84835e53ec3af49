//! docs/report.md shows what the commands write: each `hpp` line of a shell block that a block of text follows is run on the
//! profile in `fixture`, and writes that text.
//!
//! `HPP_BLESS=1 cargo test --release -p hpp --test profiles manual` puts what they write into the page.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::folder::Done;

fn project() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What a command line writes in the fixture's folder.
fn output(line: &str) -> String {
    let arguments = line.split_whitespace().skip(1);
    let mut command = Command::new(env!("CARGO_BIN_EXE_hpp"));
    command.current_dir(project().join("cli/hpp/tests/profiles/fixture"));
    let done = Done::of(command.args(arguments));
    assert_eq!(done.status, 0, "{line}: {}", done.error);
    done.out
}

/// The page with every output as it is; and how many there are.
fn regenerated(page: &str) -> (String, usize) {
    const SHELL: &str = "```sh\n";
    const TEXT: &str = "\n```\n\n```text\n";
    let (mut new, mut shown) = (String::new(), 0);
    let mut rest = page;
    while let Some((before, after)) = rest.split_once(SHELL) {
        new += before;
        new += SHELL;
        rest = after;
        let Some((line, text)) = after.split_once(TEXT) else {
            continue;
        };
        if line.contains('\n') || !line.starts_with("hpp ") {
            continue;
        }
        let (_, after) = text.split_once("```\n").expect("the block ends");
        new += &format!("{line}{TEXT}{}", output(line));
        new += "```\n";
        rest = after;
        shown += 1;
    }
    (new + rest, shown)
}

#[test]
fn the_manual_shows_what_the_commands_write() {
    let path = project().join("docs/report.md");
    let page = fs::read_to_string(&path).expect("the manual page");
    let (new, shown) = regenerated(&page);
    assert!(shown >= 4, "only {shown} outputs were found in the page");
    if std::env::var_os("HPP_BLESS").is_some() {
        fs::write(&path, &new).expect("the page can be written");
    } else {
        assert_eq!(page, new, "run the test with HPP_BLESS=1");
    }
}
