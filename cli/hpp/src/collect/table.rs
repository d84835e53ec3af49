//! The columns of a collection.

use hpp_golden::registers::Counter;
use hpp_report::report::PathReport;
use hpp_report::{Profile, Report};

use crate::parquet::Cell;

/// The columns. Addresses and counts are as the profiler has them, at most 64 bits without a sign.
pub const SCHEMA: &str = "
message profile {
    required binary log (UTF8);
    required int64 dump;
    optional binary configuration (UTF8);
    optional binary program (UTF8);
    optional binary settings (UTF8);
    required binary counted (UTF8);
    required int64 errors;
    required int64 completed;
    required int64 lost;
    required int64 start (UINT_64);
    required int64 length;
    required binary outcomes (UTF8);
    required int64 count;
    optional int64 instructions;
    optional binary function (UTF8);
    optional binary file (UTF8);
    optional int64 line;
}";

pub struct Row<'a> {
    pub log: &'a str,
    /// Which dump of it, from 1.
    pub dump: usize,
    /// Whether it is the dump's first one, which has its settings.
    pub begins: bool,
    pub profile: &'a Profile,
    /// The same in words.
    pub report: &'a Report,
    pub path: &'a PathReport,
}

/// The row's values, in the order of the columns.
pub fn cells(row: &Row<'_>) -> Vec<Cell> {
    let (profile, report, path) = (row.profile, row.report, row.path);
    let text = |text: &str| Cell::Text(Some(text.to_owned()));
    let number = |number: u64| Cell::Number(Some(number));
    let source = path.place.source.as_ref();
    vec![
        text(row.log),
        number(row.dump as u64),
        Cell::Text(profile.configuration.clone()),
        Cell::Text(profile.program.clone()),
        Cell::Text(row.begins.then(|| profile.settings())),
        text(&report.counted.metric),
        number(u64::from(profile.errors)),
        number(profile.counter(Counter::Paths)),
        number(profile.counter(Counter::LostRecords)),
        number(path.descriptor.start),
        number(u64::from(path.descriptor.length)),
        text(&path.outcomes),
        number(path.count),
        Cell::Number(path.instructions),
        Cell::Text(path.place.function.clone()),
        Cell::Text(source.map(|source| source.file.clone())),
        Cell::Number(source.map(|source| u64::from(source.line))),
    ]
}
