//! Traces of our programs in several encodings, each regenerated or decoded and compared with the run.

pub mod etrace;
mod paths;
mod witnesses;

use anyhow::Result;
use verilated::tools::figures::thousands;

use crate::document::Document;
use crate::runs::{self, Run, Weighting};

pub fn fill(document: &Document) -> Result<()> {
    let runs = runs::all()?;
    let sizes: Vec<Sizes> = runs.iter().map(Sizes::new).collect::<Result<_>>()?;
    let counts = runs
        .iter()
        .zip(&sizes)
        .map(|(run, sizes)| sizes.counts(run));
    document.table(
        "traces-witnesses",
        "program | instructions | branches | predicates passed | witnesses, heuristic | \
            witnesses, exact | predicates / witnesses | notes",
        &counts.collect::<Vec<_>>(),
    )?;
    let head = format!("program | {}", ENCODINGS.join(" | "));
    for (name, per) in [
        (
            "traces-branch",
            (|run| run.records.len() as u64) as fn(&Run) -> u64,
        ),
        ("traces-instruction", |run| run.retired),
    ] {
        let rows: Vec<Vec<String>> = runs
            .iter()
            .zip(&sizes)
            .map(|(run, sizes)| {
                let share = |&bits: &u64| format!("{:.3}", bits as f64 / per(run) as f64);
                let shares = sizes.bits.iter().map(share);
                [run.name.to_owned()].into_iter().chain(shares).collect()
            })
            .collect();
        document.table(name, &head, &rows)?;
    }
    Ok(())
}

/// The encodings, in the order of the columns.
const ENCODINGS: [&str; 9] = [
    "outcomes, bytes",
    "witnesses, bytes",
    "witnesses, distinct",
    "witnesses, reused",
    "bit tracing",
    "paths, whole",
    "paths, cut",
    "E-Trace-like",
    "implicit returns",
];

/// What the traces of a run take.
struct Sizes {
    bits: [u64; 9],
    predicates: u64,
    /// Under heuristic and exact weights.
    witnesses: [u64; 2],
    notes: usize,
}

impl Sizes {
    fn new(run: &Run) -> Result<Self> {
        let written = witnesses::measure(run, Weighting::Heuristic)?;
        let exact = witnesses::measure(run, Weighting::Exact)?;
        let [whole, cut] = paths::bits(run);
        let [reported, implicit] = [false, true].map(|implicit| etrace::bits(run, implicit));
        Ok(Sizes {
            bits: [
                written.outcomes_in_bytes,
                written.in_bytes,
                written.distinct,
                written.reused,
                written.outcomes,
                whole,
                cut,
                reported?,
                implicit?,
            ],
            predicates: written.predicates,
            witnesses: [written.witnesses, exact.witnesses],
            notes: written.notes,
        })
    }

    fn counts(&self, run: &Run) -> Vec<String> {
        let [heuristic, exact] = self.witnesses;
        vec![
            run.name.to_owned(),
            thousands(run.retired),
            thousands(run.records.len() as u64),
            thousands(self.predicates),
            thousands(heuristic),
            thousands(exact),
            format!("{:.2}", self.predicates as f64 / heuristic as f64),
            thousands(self.notes as u64),
        ]
    }
}
