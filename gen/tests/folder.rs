//! A folder that an earlier run has written to: what is removed from it, and what stays.

use hpp_gen::{Config, Output, generate};
use std::fs;
use std::path::Path;

fn output() -> Output {
    generate(&Config::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// A manifest of an earlier run that lists these files.
fn earlier(folder: &Path, files: &[&str]) {
    let manifest = serde_json::json!({ "generator": "gen-verilog", "files": files });
    fs::write(folder.join("hpp.json"), manifest.to_string()).expect("the folder is writable");
}

#[test]
fn what_the_earlier_run_has_no_right_to_stays() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let folder = folder.path();
    fs::create_dir(folder.join("hpp_sub")).expect("the folder is writable");
    let names = ["hpp_sub/core.v", "notes.txt", "hpp_old.v", "hpp.v"];
    earlier(folder, &names);
    for name in names {
        fs::write(folder.join(name), "mine").expect("the folder is writable");
    }
    let output = output();
    output.write_to(folder).expect("the folder is writable");
    let there = names.map(|name| folder.join(name).exists());
    assert_eq!(there, [true, true, false, true]);
    let text = fs::read_to_string(folder.join("hpp.v")).expect("it was written");
    assert_eq!(text, output.verilog());
}

#[test]
fn a_file_that_is_gone_need_not_be_removed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    earlier(folder.path(), &["hpp_gone.v", "hpp_old.v"]);
    fs::write(folder.path().join("hpp_old.v"), "old").expect("the folder is writable");
    output()
        .write_to(folder.path())
        .expect("the folder is writable");
    assert!(!folder.path().join("hpp_old.v").exists());
}

#[test]
fn a_file_that_cannot_be_removed_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    earlier(folder.path(), &["hpp_old.v"]);
    fs::create_dir_all(folder.path().join("hpp_old.v/inner")).expect("the folder is writable");
    let error = output()
        .write_to(folder.path())
        .expect_err("a folder is in the way");
    assert!(error.path.ends_with("hpp_old.v"), "{error}");
    assert!(error.to_string().starts_with("cannot write "), "{error}");
}
