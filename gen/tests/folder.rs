//! A folder that an earlier run has written to.

use hpp_gen::{Config, Layout, generate, generate_as};
use std::fs;

#[test]
fn what_an_earlier_run_left_and_this_one_does_not_write_stays_and_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    let split = generate_as(&Config::default(), Layout::Split).expect("generates");
    assert!(split.write_to(folder).expect("writable").is_empty());
    fs::write(folder.join("hpp_notes.txt"), "mine").expect("writable");
    fs::write(folder.join("hpp.v"), "old").expect("writable");
    fs::remove_file(folder.join("hpp.f")).expect("it was written");
    let whole = generate(&Config::default()).expect("generates");
    let listed = |name: &&String| !whole.files.contains_key(*name) && *name != "hpp.f";
    let stale = split.manifest.files.iter().filter(listed);
    let stale: Vec<_> = stale.map(|name| folder.join(name)).collect();
    assert!(!stale.is_empty());
    assert_eq!(whole.write_to(folder).expect("writable"), stale);
    assert!(stale.iter().all(|path| path.is_file()));
    for (name, text) in &whole.files {
        assert_eq!(
            &fs::read_to_string(folder.join(name)).expect("a file"),
            text
        );
    }
    let there = fs::read_dir(folder).expect("readable").count();
    assert_eq!(
        there,
        whole.files.len() + stale.len() + 1,
        "drafts are gone"
    );
}

#[test]
fn a_file_that_cannot_be_replaced_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir_all(folder.path().join("hpp.v/in-the-way")).expect("writable");
    let output = generate(&Config::default()).expect("generates");
    let error = output
        .write_to(folder.path())
        .expect_err("a folder is in the way");
    assert!(error.path.ends_with("hpp.v"), "{error}");
    assert!(error.to_string().starts_with("cannot write "), "{error}");
}
