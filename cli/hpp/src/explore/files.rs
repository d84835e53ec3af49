//! The files that a sweep writes beside its table.

use std::path::Path;

use anyhow::{Context, Result};

use super::grid::Experiment;
use super::{Args, Explored, effects, plot, rows};
use crate::atomic_write::{self, AtomicFile};
use crate::image;
use crate::parquet::Table;

/// Writes those that were asked for.
pub fn write(args: &Args, explored: &[Explored], experiment: Option<&Experiment>) -> Result<()> {
    if let (Some(file), Some(experiment)) = (&args.effects, experiment) {
        atomic_write::write(file, effects::csv(explored, experiment))?;
    }
    if let Some(file) = &args.parquet {
        write_parquet(file, explored)
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    if let Some(file) = &args.plot {
        image::write(file, &plot::draw(explored)?)?;
    }
    Ok(())
}

fn write_parquet(file: &Path, explored: &[Explored]) -> Result<()> {
    let mut rows = rows::all(explored).peekable();
    let schema = rows.peek().map(|cells| rows::schema(cells));
    let schema = schema.context("nothing was measured")?;
    let draft = AtomicFile::new(file)?;
    let mut table = Table::new(draft.file()?, &schema)?;
    for cells in rows {
        table.add(cells.into_iter().map(|(_, cell)| cell).collect())?;
    }
    table.finish()?;
    draft.finish()
}
