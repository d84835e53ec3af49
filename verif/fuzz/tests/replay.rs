//! Every target on its seeds and on every input that is kept: nothing panics.

use hpp_fuzz::{TARGETS, corpus};
use std::collections::BTreeSet;
use std::fs;

#[test]
fn stored_inputs_do_no_harm() {
    for target in TARGETS {
        let file = corpus::file(target.name);
        let text = fs::read_to_string(&file).unwrap_or_else(|e| panic!("{}: {e}", file.display()));
        let kept = corpus::read(&text)
            .unwrap_or_else(|line| panic!("{}:{line}: not an escaped input", file.display()));
        assert!(!kept.is_empty(), "nothing is kept for {}", target.name);
        for input in (target.seeds)().iter().chain(&kept) {
            println!("{}: {}", target.name, input.escape_ascii());
            (target.run)(input);
        }
    }
}

/// A kept file of a target that is gone would never be run.
#[test]
fn every_kept_file_is_a_targets() {
    let files: BTreeSet<_> = TARGETS.iter().map(|t| corpus::file(t.name)).collect();
    let folder = corpus::file("any");
    let folder = folder.parent().expect("a file is in a folder");
    let entries = fs::read_dir(folder).expect("the folder is part of the repository");
    let there: BTreeSet<_> = entries
        .map(|entry| entry.expect("readable").path())
        .collect();
    assert_eq!(there, files);
}
