//! Optimal counters on our programs: increments saved, placements compared, weightings compared.

mod cycles;
mod jumps;
mod measured;
mod tables;

use anyhow::Result;

use crate::document::Document;
use crate::runs;
use measured::Measured;

pub fn fill(document: &Document) -> Result<()> {
    let runs = runs::all()?;
    let measured: Vec<Measured<'_>> = runs.iter().map(Measured::new).collect::<Result<_>>()?;
    tables::fill(document, &measured)?;
    cycles::fill(document)
}
