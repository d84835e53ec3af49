//! Residual paths of our programs: what a run on another input takes and the tests did not.

mod compact;
mod inputs;
mod suites;
mod tables;

use anyhow::{Context, Result};
use hpp_paths::interprocedural::{Event, Inlining, PathProfile, ProcedureId, Supergraphs, Windows};
use hpp_riscv::{Procedures, Targets};
use hpp_soc::recordings::Recording;

use crate::document::Document;

/// Runs of one program, as events.
struct Runs {
    procedures: Procedures,
    start: ProcedureId,
    runs: Vec<Vec<Event>>,
}

/// A run's paths in graphs that the tests chose.
struct Profiles {
    graphs: Supergraphs,
    tests: PathProfile,
    field: PathProfile,
}

pub fn fill(document: &Document) -> Result<()> {
    tables::fill(document)?;
    suites::fill(document)
}

impl Runs {
    fn new(recordings: &[Recording]) -> Result<Self> {
        let mut targets = Targets::default();
        recordings
            .iter()
            .for_each(|run| targets.observe(&run.records));
        let image = &recordings.first().context("no run")?.image;
        let procedures = Procedures::recover(image, image.functions(), &targets)?;
        let first = recordings[0]
            .records
            .first()
            .context("a run without branches")?;
        // The first branch lies in the function that reset enters.
        let entry = image
            .functions()
            .at(first.next - 1)
            .context("no function at reset")?
            .address;
        let events = recordings
            .iter()
            .map(|run| procedures.events(entry, &run.records));
        Ok(Self {
            start: procedures.at(entry).context("no procedure at reset")?,
            runs: events.collect::<Result<_, _>>()?,
            procedures,
        })
    }

    /// The calls of these runs, inlined.
    fn graphs(&self, depth: usize, tests: &[Vec<Event>]) -> Supergraphs {
        let mut inlining = Inlining::observed(depth);
        tests
            .iter()
            .for_each(|run| inlining.observe(self.start, run));
        Supergraphs::build(self.procedures.program(), &inlining)
    }

    fn profile(&self, graphs: &Supergraphs, run: &[Event]) -> Result<PathProfile> {
        let program = self.procedures.program();
        let run = run.iter().copied();
        Ok(PathProfile::of(
            program,
            graphs,
            Windows::Tiled,
            self.start,
            run,
        )?)
    }

    /// The paths of the last run.
    fn field(&self, graphs: &Supergraphs) -> Result<PathProfile> {
        self.profile(graphs, self.runs.last().map_or(&[][..], |run| run))
    }

    /// The last run as the field, the others as the tests.
    fn profiles(&self, depth: usize) -> Result<Profiles> {
        let (field, tests) = self.runs.split_last().context("no run")?;
        let graphs = self.graphs(depth, tests);
        Ok(Profiles {
            field: self.profile(&graphs, field)?,
            tests: self.tests(&graphs)?,
            graphs,
        })
    }

    /// The paths of all runs but the last.
    fn tests(&self, graphs: &Supergraphs) -> Result<PathProfile> {
        let mut tested = PathProfile::default();
        for run in self.runs.iter().rev().skip(1).rev() {
            tested.add(&self.profile(graphs, run)?);
        }
        Ok(tested)
    }
}
