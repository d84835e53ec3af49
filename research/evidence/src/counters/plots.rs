//! The plots: bars by program, as the document's figures have them.

use anyhow::Result;

use super::measured::Measured;
use super::tables::{by_placement, by_weighting};
use crate::bars::Bars;
use crate::document::Document;

pub fn fill(document: &Document, measured: &[Measured<'_>]) -> Result<()> {
    let bars = |values: &dyn Fn(&Measured<'_>) -> Vec<f64>| {
        let of_one = |measured: &Measured<'_>| (measured.run.name, values(measured));
        measured.iter().map(of_one).collect()
    };
    document.plot(
        "counters-placements",
        &Bars {
            description: "reduction of instrumentation",
            labels: &["Eprof(Ecnt)", "Vprof(Ecnt)", "Vprof(Vcnt)"],
            programs: bars(&|measured| by_placement(measured).to_vec()),
        },
    )?;
    document.plot(
        "counters-weightings",
        &Bars {
            description: "reduction of increments",
            labels: &[
                "exact, maximal",
                "heuristic, maximal",
                "heuristic, minimal",
                "exact, minimal",
            ],
            programs: bars(&|measured| by_weighting(measured).to_vec()),
        },
    )
}
