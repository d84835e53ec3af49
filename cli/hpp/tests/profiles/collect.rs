//! `hpp collect`: the table holds every path of every dump, as other readers of Parquet see it.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::file::writer::SerializedFileWriter;
use parquet::record::Field;
use parquet::schema::parser::parse_message_type;

use crate::folder::{Folder, profiled};
use crate::said::Must;

/// The rows of a file, each by column.
fn rows(path: &Path) -> Vec<BTreeMap<String, Field>> {
    let reader = SerializedFileReader::new(File::open(path).expect("a file")).expect("Parquet");
    let rows = reader.get_row_iter(None).expect("rows");
    let columns = rows.map(|row| row.expect("a row").into_columns());
    columns.map(|row| row.into_iter().collect()).collect()
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
    ] {
        let done = folder.run(arguments);
        assert_eq!((done.status, &*done.out), (1, ""), "{arguments}");
        done.error.must_contain(expected);
    }
}
