//! What the programs executed, as procedures and the edges that control took in them.

use anyhow::{Context, Result};
use hpp_golden::branch::BranchRecord;
use hpp_paths::graph::Weights;
use hpp_paths::interprocedural::{Event, ProcedureId, Program};
use hpp_riscv::{Image, Procedures, Targets};
use hpp_soc::PROGRAMS;
use hpp_soc::recordings::recorded;

pub const RESET: u64 = 0;

/// Where the frequencies of edges come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weighting {
    /// From the graph's shape.
    Heuristic,
    /// From the same run.
    Exact,
}

pub struct Run {
    pub name: &'static str,
    pub image: Image,
    /// Its procedures, with the targets of computed jumps and calls that the run shows.
    pub procedures: Procedures,
    /// The procedure it begins in.
    pub start: ProcedureId,
    pub records: Vec<BranchRecord>,
    pub events: Vec<Event>,
    /// How often each edge was taken, by procedure.
    taken: Vec<Vec<u64>>,
    pub retired: u64,
}

impl Run {
    /// The procedures without their code.
    pub fn program(&self) -> &Program {
        self.procedures.program()
    }

    /// The frequencies of a procedure's edges.
    pub fn weights(&self, id: ProcedureId, weighting: Weighting) -> Weights {
        let flow = self.program().procedure(id).dag().flow();
        let taken = &self.taken[id.index()];
        match weighting {
            Weighting::Heuristic => Weights::heuristic(flow),
            Weighting::Exact => Weights::from_fn(flow, |edge| taken[edge.index()] as f64),
        }
    }
}

/// The runs of all programs.
pub fn all() -> Result<Vec<Run>> {
    PROGRAMS.into_iter().map(run).collect()
}

fn run(name: &'static str) -> Result<Run> {
    let recording = recorded(name)?;
    let mut targets = Targets::default();
    targets.observe(&recording.records);
    let image = recording.image;
    let procedures = Procedures::recover(&image, image.functions(), &targets).context(name)?;
    let start = procedures.at(RESET).context("nothing begins at reset")?;
    let events = procedures.events(RESET, &recording.records).context(name)?;
    Ok(Run {
        name,
        taken: taken(procedures.program(), start, &events),
        procedures,
        start,
        events,
        image,
        records: recording.records,
        retired: recording.retired,
    })
}

fn taken(program: &Program, start: ProcedureId, events: &[Event]) -> Vec<Vec<u64>> {
    let edges = |id| program.procedure(id).dag().flow().edges().len();
    let mut taken: Vec<Vec<u64>> = program.ids().map(|id| vec![0; edges(id)]).collect();
    let mut under_way = vec![start];
    for &event in events {
        let (Event::Take(edge) | Event::Call { site: edge, .. }) = event else {
            under_way.pop();
            continue;
        };
        if let Some(id) = under_way.last() {
            taken[id.index()][edge.index()] += 1;
        }
        if let Event::Call { callee, .. } = event {
            under_way.push(callee);
        }
    }
    taken
}
