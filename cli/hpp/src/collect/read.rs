//! The profiles of a collection, one dump after another.

use std::fs::File;
use std::io::Read;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use hpp_golden::path::{MAX_BRANCHES, PathDescriptor};
use hpp_report::Profile;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use parquet::schema::parser::parse_message_type;
use parquet::schema::types::Type;

/// The first bytes of a Parquet file.
const MAGIC: &[u8] = b"PAR1";

/// The columns that tell a profile, in the order of the file.
const COLUMNS: [&str; 6] = ["log", "dump", "settings", "start", "outcomes", "count"];

/// Whether a file is in Parquet.
pub fn is_collection(path: &Path) -> bool {
    let mut magic = [0; MAGIC.len()];
    File::open(path).is_ok_and(|mut file| file.read_exact(&mut magic).is_ok() && magic == MAGIC)
}

/// Gives the profile of each dump of a collection that has a path, with the name of the dump.
pub fn each(path: &Path, mut take: impl FnMut(&str, Profile) -> Result<()>) -> Result<()> {
    let name = || path.display().to_string();
    let file = File::open(path).with_context(|| format!("cannot read {}", name()))?;
    let reader = SerializedFileReader::new(file).with_context(name)?;
    let rows = reader.get_row_iter(Some(projection()?));
    let rows = rows.with_context(|| {
        format!(
            "{}: a column is missing; remedy: collect the logs anew with this version of `hpp collect`",
            name()
        )
    })?;
    let mut dump: Option<Dump> = None;
    for (at, row) in rows.enumerate() {
        let place = || format!("{}: row {}", name(), at + 1);
        let (begin, path) = cells(row.with_context(place)?).with_context(place)?;
        if let Some(next) = begin
            && let Some(before) = dump.replace(next)
        {
            before.finish(&mut take).with_context(name)?;
        }
        let dump = dump
            .as_mut()
            .context("the first row of a dump has its settings");
        dump.with_context(place)?.paths.push(path);
    }
    match dump {
        Some(dump) => dump.finish(&mut take).with_context(name),
        None => Ok(()),
    }
}

fn projection() -> Result<Type> {
    let schema = parse_message_type(super::table::SCHEMA)?;
    let fields = schema.get_fields().iter();
    let fields = fields.filter(|field| COLUMNS.contains(&field.name()));
    let fields: Vec<Arc<Type>> = fields.cloned().collect();
    let projection = Type::group_type_builder(schema.name()).with_fields(fields);
    Ok(projection.build()?)
}

struct Dump {
    name: String,
    settings: String,
    paths: Vec<(PathDescriptor, u64)>,
}

impl Dump {
    fn finish(self, take: &mut impl FnMut(&str, Profile) -> Result<()>) -> Result<()> {
        let profile = Profile::of_parts(&self.settings, self.paths);
        take(&self.name, profile.with_context(|| self.name.clone())?)
    }
}

/// What a row says: a dump begins, perhaps, and a path has this count.
fn cells(row: Row) -> Result<(Option<Dump>, (PathDescriptor, u64))> {
    let cells = row.into_columns().into_iter().map(|(_, cell)| cell);
    let cells: Vec<Field> = cells.collect();
    let [
        Field::Str(log),
        Field::Long(dump),
        settings,
        Field::ULong(start),
        Field::Str(outcomes),
        Field::Long(count),
    ] = &cells[..]
    else {
        bail!("the values are not those of a path");
    };
    let begin = match settings {
        Field::Str(settings) => Some(Dump {
            name: match dump {
                1 => log.clone(),
                _ => format!("{log}, dump {dump}"),
            },
            settings: settings.clone(),
            paths: Vec::new(),
        }),
        _ => None,
    };
    let known = outcomes.bytes().all(|outcome| b"TN".contains(&outcome));
    if !known || outcomes.len() > MAX_BRANCHES as usize {
        bail!("no path has the outcomes `{outcomes}`");
    }
    let mut path = PathDescriptor::new(*start);
    for (at, outcome) in outcomes.bytes().enumerate() {
        path.length += 1;
        path.outcomes |= u64::from(outcome == b'T') << at;
    }
    Ok((begin, (path, count.cast_unsigned())))
}
