//! `hpp collect`: the table holds every path of every dump, as other readers of Parquet see it.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::{Field, Row};
use parquet::schema::parser::parse_message_type;

use crate::folder::{Folder, profiled};
use crate::riscv_program::{RET, program};
use crate::said::Must;

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
    folder.write("other.txt", profiled(&[false]).to_string());
    let done = folder.run("collect --elf f.elf -o p.parquet serial.txt other.txt");
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
    let folder = Folder::new(format!("{damaged}{}", profiled(&[true, false])));
    let done = folder.run("collect -o p.parquet serial.txt");
    assert_eq!(done.status, 3);
    done.error.must_begin("hpp: serial.txt, dump 1: ");
    done.error
        .must_end("hpp: 1 of 2 dumps is damaged and left out\n");
    assert_eq!(rows(&folder.path().join("p.parquet")).len(), 2);
}

#[test]
fn a_collection_of_earlier_is_kept_where_every_dump_is_damaged() {
    let damaged = profiled(&[true]).to_string().replace("10000", "10004");
    let folder = Folder::new(damaged);
    folder.write("p.parquet", b"of earlier");
    let done = folder.run("collect -o p.parquet serial.txt");
    assert_eq!(done.status, 1, "{}", done.error);
    done.error
        .must_end("hpp: there is no intact dump to collect, so p.parquet is not written\n");
    assert_eq!(folder.text("p.parquet"), "of earlier");
}

#[test]
fn a_log_without_a_dump_is_named_and_left_out() {
    let folder = Folder::new(profiled(&[true]));
    folder.write("silent.txt", b"");
    folder.write("other.txt", profiled(&[false]).to_string());
    let done = folder.run("collect -o p.parquet serial.txt silent.txt other.txt");
    assert_eq!(done.status, 3, "{}", done.error);
    done.error
        .must_begin("hpp: silent.txt: the text has no line");
    done.error
        .must_end("hpp: 1 log has no dump and is left out\n");
    assert_eq!(done.out, "2 paths of 2 dumps in p.parquet\n");
    assert_eq!(rows(&folder.path().join("p.parquet")).len(), 2);
}

#[test]
fn nothing_is_written_where_a_log_has_no_dump() {
    let folder = Folder::new("no dump in here");
    let done = folder.run("collect -o p.parquet serial.txt");
    assert_eq!(done.status, 1);
    done.error.must_begin("hpp: serial.txt: ");
    let left: Vec<_> = std::fs::read_dir(folder.path())
        .expect("a folder")
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|name| name.contains("parquet"))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[test]
fn paths_that_do_not_walk_are_reported() {
    let folder = Folder::new(profiled(&[true, false]));
    let elf = program(&[RET], &[("f", 0, 1)]);
    folder.write("other.elf", &elf);
    let done = folder.run("collect --elf other.elf -o p.parquet serial.txt");
    assert_eq!(
        (done.status, &*done.out),
        (0, "2 paths of 1 dump in p.parquet\n")
    );
    let expected = "hpp: 2 of 2 paths do not walk through the program's code";
    done.error.must_begin(expected);
}

/// Logs of one dump each, and a collection of each half of them.
fn collections() -> Folder {
    let folder = Folder::new(profiled(&[true, true]));
    let logs = [
        ("both.txt", &[true, false][..]),
        ("right.txt", &[false]),
        ("boards.txt", &[true, false, true]),
    ];
    for (name, outcomes) in logs {
        folder.write(name, profiled(outcomes).to_string());
    }
    for (output, logs) in [
        ("unit.parquet", "serial.txt right.txt"),
        ("field.parquet", "both.txt boards.txt"),
    ] {
        let done = folder.run(format!("collect -o {output} {logs}"));
        assert_eq!(done.status, 0, "{}", done.error);
    }
    folder
}

#[test]
fn a_collection_reports_what_its_logs_report() {
    let folder = collections();
    let tests = |format, given: &str| {
        let arguments = format!("tests --elf f.elf --format {format} {given}");
        let done = folder.succeeds(arguments);
        assert_eq!(done.error, "");
        done.out
    };
    for format in ["text", "json"] {
        assert_eq!(
            tests(format, "unit.parquet --field field.parquet"),
            tests(format, "serial.txt right.txt --field both.txt boards.txt")
        );
        assert_eq!(
            tests(format, "right.txt --field field.parquet"),
            tests(format, "right.txt --field both.txt boards.txt")
        );
    }
    tests("text", "right.txt --field field.parquet")
        .must_contain("path f T not tested, 3 in the field");
}

#[test]
fn each_dump_of_a_collection_is_a_test() {
    let two = format!("{}{}", profiled(&[true]), profiled(&[false, true]));
    let folder = Folder::new(&two);
    folder.succeeds("collect -o p.parquet serial.txt");
    let done = folder.succeeds("tests p.parquet");
    done.out
        .must_begin("tests     2, which take 2 different paths");
    done.out.must_end("enough    serial.txt, dump 2\n");
}

#[test]
fn what_is_no_whole_collection_is_refused() {
    let folder = collections();
    let bytes = std::fs::read(folder.path().join("unit.parquet")).expect("a file");
    folder.write("cut.parquet", &bytes[..bytes.len() / 2]);
    let other = Arc::new(
        parse_message_type("message m { required binary log (UTF8); }").expect("a schema"),
    );
    let file = File::create(folder.path().join("other.parquet")).expect("a file");
    let writer = SerializedFileWriter::new(file, other, Arc::default()).expect("a writer");
    writer.close().expect("a whole file");
    for (arguments, expected) in [
        ("tests cut.parquet", "cut.parquet: "),
        (
            "tests other.parquet",
            "other.parquet: a column is missing; remedy: collect the logs anew",
        ),
        (
            "report unit.parquet",
            "unit.parquet is a collection of profiles",
        ),
    ] {
        let done = folder.run(arguments);
        assert_eq!((done.status, &*done.out), (1, ""), "{arguments}");
        done.error.must_contain(expected);
    }
}
