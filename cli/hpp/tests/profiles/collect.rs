//! `hpp collect`: the table holds every path of every dump, as other readers of Parquet see it.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};

use crate::folder::{Folder, profiled};
use crate::riscv_program::{RET, program};

/// The rows of a file, each by column.
fn rows(path: &Path) -> Vec<BTreeMap<String, Field>> {
    let reader = SerializedFileReader::new(File::open(path).expect("a file")).expect("Parquet");
    let columns = |row: Row| {
        let columns = row.get_column_iter();
        columns
            .map(|(name, field)| (name.clone(), field.clone()))
            .collect()
    };
    let rows = reader.get_row_iter(None).expect("rows");
    rows.map(|row| columns(row.expect("a row"))).collect()
}

fn text(text: &str) -> Field {
    Field::Str(text.into())
}

#[test]
fn each_path_of_each_dump_is_a_row() {
    let two = format!("{}noise\n{}", profiled(&[true]), profiled(&[true, false]));
    let folder = Folder::new(&two);
    folder.write("other.txt", profiled(&[false]).to_string().as_bytes());
    let done = folder.hpp(&[
        "collect",
        "--elf",
        "f.elf",
        "-o",
        "p.parquet",
        "serial.txt",
        "other.txt",
    ]);
    assert_eq!((done.status, &*done.error), (0, ""));
    assert_eq!(done.out, "4 paths of 3 dumps in p.parquet\n");
    let rows = rows(&folder.path().join("p.parquet"));
    let seen: Vec<_> = rows
        .iter()
        .map(|row| ["log", "dump", "outcomes", "count"].map(|name| row[name].clone()))
        .collect();
    let row = |log, dump, outcomes| [text(log), Field::Long(dump), text(outcomes), Field::Long(1)];
    assert_eq!(
        seen,
        [
            row("serial.txt", 1, "T"),
            row("serial.txt", 2, "N"),
            row("serial.txt", 2, "T"),
            row("other.txt", 1, "N"),
        ]
    );
    assert!(rows.iter().all(|row| row["function"] == text("f")));
    assert!(rows.iter().all(|row| row["start"] == Field::ULong(0x10000)));
    // Without debug information there is no line.
    assert!(rows.iter().all(|row| row["line"] == Field::Null));
}

#[test]
fn a_damaged_dump_is_named_and_left_out() {
    let damaged = profiled(&[true]).to_string().replace("10000", "10004");
    let folder = Folder::new(&format!("{damaged}{}", profiled(&[true, false])));
    let done = folder.hpp(&["collect", "-o", "p.parquet", "serial.txt"]);
    assert_eq!(done.status, 3);
    assert!(
        done.error.starts_with("hpp: serial.txt, dump 1: "),
        "{}",
        done.error
    );
    assert!(
        done.error
            .ends_with("hpp: 1 of 2 dumps is damaged and left out\n"),
        "{}",
        done.error
    );
    assert_eq!(rows(&folder.path().join("p.parquet")).len(), 2);
}

#[test]
fn a_log_without_a_dump_is_named_and_left_out() {
    let folder = Folder::new(&profiled(&[true]).to_string());
    folder.write("silent.txt", b"");
    folder.write("other.txt", profiled(&[false]).to_string().as_bytes());
    let logs = ["serial.txt", "silent.txt", "other.txt"];
    let done = folder.hpp(&[&["collect", "-o", "p.parquet"], &logs[..]].concat());
    assert_eq!(done.status, 3, "{}", done.error);
    assert!(
        done.error
            .starts_with("hpp: silent.txt: the text has no line"),
        "{}",
        done.error
    );
    assert!(
        done.error
            .ends_with("hpp: 1 log has no dump and is left out\n"),
        "{}",
        done.error
    );
    assert_eq!(done.out, "2 paths of 2 dumps in p.parquet\n");
    assert_eq!(rows(&folder.path().join("p.parquet")).len(), 2);
}

#[test]
fn nothing_is_written_where_a_log_has_no_dump() {
    let folder = Folder::new("no dump in here");
    let done = folder.hpp(&["collect", "-o", "p.parquet", "serial.txt"]);
    assert_eq!(done.status, 1);
    assert!(
        done.error.starts_with("hpp: serial.txt: "),
        "{}",
        done.error
    );
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .expect("a folder")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.contains("parquet"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn paths_that_do_not_walk_are_told() {
    let folder = Folder::new(&profiled(&[true, false]).to_string());
    let elf = program(&[RET], &[("f", 0, 1)]);
    folder.write("other.elf", &elf);
    let done = folder.hpp(&[
        "collect",
        "--elf",
        "other.elf",
        "-o",
        "p.parquet",
        "serial.txt",
    ]);
    assert_eq!(
        (done.status, &*done.out),
        (0, "2 paths of 1 dump in p.parquet\n")
    );
    let told = "hpp: 2 of 2 paths do not walk through the program's code";
    assert!(done.error.starts_with(told), "{}", done.error);
}
