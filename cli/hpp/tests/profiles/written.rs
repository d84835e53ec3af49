//! The files that commands write: whole or not at all, and none in the place of what a command reads.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::folder::{Folder, profiled};
use crate::said::Must;

/// The commands with an output, which comes last.
const WRITE: [&str; 2] = [
    "export serial.txt --elf f.elf --format svg -o",
    "report serial.txt --elf f.elf --html",
];

fn folder() -> Folder {
    Folder::new(profiled(&[true, false, true]))
}

/// What is in the folder, without what is hidden from `ls`.
fn names(folder: &Folder) -> Vec<String> {
    let entries = fs::read_dir(folder.path()).expect("a folder");
    let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let mut names: Vec<String> = names.collect();
    names.sort();
    names
}

#[test]
fn what_is_read_is_not_replaced() {
    let folder = folder();
    symlink("serial.txt", folder.path().join("link")).expect("a link");
    let read = |name: &str| fs::read(folder.path().join(name)).expect("a file");
    let before = ["serial.txt", "f.elf"].map(read);
    for command in WRITE {
        for output in ["serial.txt", "./f.elf", "link"] {
            let done = folder.run(format!("{command} {output}"));
            let expected = format!(
                "hpp: {output} is an input of this command and would be overwritten: write to another file\n"
            );
            assert_eq!((done.status, done.error), (1, expected), "{command}");
        }
    }
    assert_eq!(["serial.txt", "f.elf"].map(read), before);
    assert_eq!(names(&folder), ["f.elf", "link", "serial.txt"]);
}

#[test]
fn a_file_is_replaced_where_it_is() {
    let folder = folder();
    let there = folder.path().join("there");
    for command in WRITE {
        folder.write("there", b"before");
        fs::set_permissions(&there, fs::Permissions::from_mode(0o640)).expect("a file of ours");
        let _ = fs::remove_file(folder.path().join("link"));
        symlink("there", folder.path().join("link")).expect("a link");
        let done = folder.run(format!("{command} link"));
        assert_eq!(done.status, 0, "{}", done.error);
        assert!(fs::metadata(&there).expect("a file").len() > 100);
        let mode = fs::metadata(&there).expect("a file").permissions().mode();
        assert_eq!(mode & 0o777, 0o640);
        assert!(folder.path().join("link").is_symlink());
        assert_eq!(names(&folder), ["f.elf", "link", "serial.txt", "there"]);
    }
}

/// A file may grow to 512 bytes here, as on a disk that is full.
#[test]
fn what_cannot_be_written_whole_leaves_what_was_there() {
    for command in WRITE {
        let folder = folder();
        folder.write("there", b"before");
        let done = folder.shell(&format!(
            "trap '' XFSZ; ulimit -f 1; exec $hpp {command} there"
        ));
        assert_eq!(done.status, 1, "{command} {}", done.error);
        done.error.must_contain("cannot write there: ");
        assert_eq!(folder.text("there"), "before");
        assert_eq!(names(&folder), ["f.elf", "serial.txt", "there"]);
    }
}

#[test]
fn devices_are_written_and_folders_are_not() {
    let folder = folder();
    for command in WRITE {
        let done = folder.run(format!("{command} /dev/null"));
        assert_eq!(done.status, 0, "{}", done.error);
        let done = folder.run(format!("{command} ."));
        done.error.must_begin("hpp: cannot write .: ");
        let done = folder.run(format!("{command} nowhere/file"));
        assert_eq!(done.status, 1, "{}", done.error);
    }
    assert_eq!(names(&folder), ["f.elf", "serial.txt"]);
}

/// As an input `-` is standard input; a file of that name would be hard to remove.
#[test]
fn a_dash_is_standard_output_or_refused() {
    let folder = folder();
    folder.write("other.txt", profiled(&[true]).to_string());
    for command in WRITE.into_iter().chain(["merge serial.txt other.txt -o"]) {
        let done = folder.run(format!("{command} -"));
        match command.strip_suffix(" -o") {
            Some(without) => {
                assert_eq!(done.status, 0, "{}", done.error);
                assert!(!done.out.is_empty() && done.out == folder.run(without).out);
            }
            _ => {
                assert_eq!((done.status, &*done.out), (1, ""));
                done.error.must_contain("`-` names no file");
            }
        }
    }
    assert_eq!(names(&folder), ["f.elf", "other.txt", "serial.txt"]);
}
