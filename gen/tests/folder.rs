//! A folder that an earlier run has written to: what is removed from it, and what stays.

use hpp_gen::{Bus, Config, Layout, Output, generate, generate_as};
use std::fs;
use std::path::Path;

fn output() -> Output {
    generate(&Config::default()).unwrap_or_else(|error| panic!("{error}"))
}

/// Names of the files in a folder.
fn listed(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder is readable");
    let name = |entry: std::io::Result<fs::DirEntry>| {
        let name = entry.expect("an entry").file_name();
        name.into_string().expect("a plain name")
    };
    let mut names: Vec<String> = entries.map(name).collect();
    names.sort();
    names
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

#[test]
fn what_an_earlier_run_left_and_this_one_does_not_make_is_removed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let split = generate_as(&Config::default(), Layout::Split).expect("generates");
    split.write_to(folder.path()).expect("writable");
    assert_eq!(listed(folder.path()), split.manifest.files);
    fs::write(folder.path().join("hpp_notes.txt"), "mine").expect("writable");
    let without_bus = Config {
        bus: Bus::None,
        ..Config::default()
    };
    let without_bus = generate(&without_bus).expect("generates");
    without_bus.write_to(folder.path()).expect("writable");
    let mut expected = without_bus.manifest.files.clone();
    expected.push("hpp_notes.txt".to_string());
    expected.sort();
    assert_eq!(listed(folder.path()), expected);
    fs::write(folder.path().join("hpp.v"), "old").expect("writable");
    without_bus.write_to(folder.path()).expect("writable");
    for (name, text) in &without_bus.files {
        let written = fs::read_to_string(folder.path().join(name)).expect("a file");
        assert_eq!(&written, text);
    }
}

/// Any JSON of the manifest's name with a list of files had those removed that begin with the prefix.
#[test]
fn what_a_file_of_somebody_elses_lists_stays() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for text in [
        r#"{"files": ["hpp_pll.v"]}"#,
        r#"{"generator": "another", "files": ["hpp_pll.v"]}"#,
    ] {
        fs::write(folder.path().join("hpp.json"), text).expect("writable");
        fs::write(folder.path().join("hpp_pll.v"), "mine").expect("writable");
        output().write_to(folder.path()).expect("writable");
        assert!(
            listed(folder.path()).contains(&"hpp_pll.v".to_string()),
            "{text}"
        );
    }
}

#[test]
fn a_file_that_cannot_be_replaced_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    fs::create_dir_all(folder.path().join("hpp.v/in-the-way")).expect("the folder is writable");
    let error = output()
        .write_to(folder.path())
        .expect_err("a folder is in the way");
    assert!(error.path.ends_with("hpp.v"), "{error}");
    // No file of this run stands beside those of another.
    assert_eq!(listed(folder.path()), ["hpp.v"]);
}
