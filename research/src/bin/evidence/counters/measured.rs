//! A run's exact counts, and what a placement of counters would have cost in it.

use anyhow::{Context, Result, ensure};
use hpp_paths::counters::{
    BlockCounters, CounterPlaces, Counters, EdgeCounters, EdgeProfile, InconsistentCounts,
    PrunedEdgeCounters,
};
use hpp_paths::graph::{BlockId, EdgeId, Flow};
use hpp_paths::interprocedural::{Event, ProcedureId};

use super::jumps::{Jumps, jumps};
use crate::runs::{Run, Weighting};

/// Instructions of an increment, as the document counts.
pub const INCREMENT: u64 = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    Redundant,
    /// Eprof(Ecnt).
    Edges,
    /// Eprof(Ecnt) by a minimal spanning tree: the worst.
    WorstEdges,
    /// Vprof(Ecnt).
    PrunedEdges,
    /// Vprof(Vcnt).
    Blocks,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Cost {
    pub increments: u64,
    /// Unconditional jumps around counting code that ran.
    pub jumps: u64,
    pub edges: u64,
    /// Of these, edges that need no such jump.
    pub no_jump: u64,
    /// Increments on edges from a block to itself.
    pub in_short_loops: u64,
}

impl Cost {
    /// Instructions that ran for it.
    pub fn instructions(&self) -> u64 {
        INCREMENT * self.increments + self.jumps
    }
}

/// A run with the exact counts of every procedure.
pub struct Measured<'a> {
    pub run: &'a Run,
    profiles: Vec<EdgeProfile>,
}

impl<'a> Measured<'a> {
    /// Counts everything, then what each placement counts, and sees whether this recovers the same.
    pub fn new(run: &'a Run) -> Result<Self> {
        let program = run.program();
        let flow = |id: ProcedureId| program.procedure(id).dag().flow();
        let everywhere = |id: ProcedureId| {
            let edges: Vec<EdgeId> = flow(id).edges().collect();
            EdgeCounters::at(flow(id), &edges)
        };
        let all = program
            .ids()
            .map(everywhere)
            .collect::<Result<Vec<_>, _>>()?;
        let counters = count(run, |id| all[id.index()].places().clone())?;
        let profiles = all
            .iter()
            .zip(&counters)
            .map(|(all, counters)| all.profile(counters));
        let measured = Measured {
            run,
            profiles: profiles.collect::<Result<_, _>>()?,
        };
        for weighting in [Weighting::Heuristic, Weighting::Exact] {
            measured.check(weighting)?;
        }
        Ok(measured)
    }

    /// Sees whether each placement recovers the exact counts.
    fn check(&self, weighting: Weighting) -> Result<()> {
        let blocks = |profile: &EdgeProfile| profile.clone().into_block_profile();
        self.recovers(
            |flow, id| EdgeCounters::optimal(flow, &self.run.weights(id, weighting)),
            EdgeCounters::places,
            EdgeCounters::profile,
            EdgeProfile::clone,
        )?;
        self.recovers(
            |flow, id| PrunedEdgeCounters::heuristic(flow, &self.run.weights(id, weighting)),
            PrunedEdgeCounters::places,
            PrunedEdgeCounters::profile,
            blocks,
        )?;
        self.recovers(
            |flow, id| BlockCounters::optimal(flow, &self.run.weights(id, weighting)),
            BlockCounters::places,
            BlockCounters::profile,
            blocks,
        )
    }

    /// Counts with a placement, recovers a profile and compares it with the exact one.
    fn recovers<P, T: PartialEq>(
        &self,
        place: impl Fn(&Flow, ProcedureId) -> P,
        places: impl Fn(&P) -> &CounterPlaces,
        recover: impl Fn(&P, &Counters) -> Result<T, InconsistentCounts>,
        exact: impl Fn(&EdgeProfile) -> T,
    ) -> Result<()> {
        let ids = self.run.program().ids();
        let placements: Vec<P> = ids.map(|id| place(self.flow(id), id)).collect();
        let counters = count(self.run, |id| places(&placements[id.index()]).clone())?;
        for ((placement, counters), profile) in placements.iter().zip(&counters).zip(&self.profiles)
        {
            ensure!(
                recover(placement, counters)? == exact(profile),
                "{}: other counts are recovered than were counted",
                self.run.name
            );
        }
        Ok(())
    }

    fn flow(&self, id: ProcedureId) -> &Flow {
        self.run.program().procedure(id).dag().flow()
    }

    /// What a placement costs in this run, all procedures together.
    pub fn cost(&self, placement: Placement, weighting: Weighting) -> Cost {
        let mut cost = Cost::default();
        for id in self.run.program().ids() {
            let (flow, weights) = (self.flow(id), self.run.weights(id, weighting));
            let places = match placement {
                Placement::Redundant => self.redundant(id),
                Placement::Edges => EdgeCounters::optimal(flow, &weights).places().clone(),
                Placement::WorstEdges => EdgeCounters::worst(flow, &weights).places().clone(),
                Placement::PrunedEdges => PrunedEdgeCounters::heuristic(flow, &weights)
                    .places()
                    .clone(),
                Placement::Blocks => BlockCounters::optimal(flow, &weights).places().clone(),
            };
            let profile = &self.profiles[id.index()];
            let on_edges: u64 = places.edges().map(|edge| profile.edge(edge)).sum();
            let in_blocks: u64 = places.blocks().map(|block| profile.block(block)).sum();
            let Jumps { taken, no_jump } =
                jumps(self.run.procedures.body(id), &places, &weights, profile);
            cost.increments += on_edges + in_blocks;
            cost.jumps += taken;
            cost.edges += places.edges().count() as u64;
            cost.no_jump += no_jump;
            let short = places
                .edges()
                .filter(|&edge| flow.ends(edge).0 == flow.ends(edge).1);
            cost.in_short_loops += short.map(|edge| profile.edge(edge)).sum::<u64>();
        }
        cost
    }

    /// A counter in each block. A call does not end a block: what only follows one is part of the block before.
    fn redundant(&self, id: ProcedureId) -> CounterPlaces {
        let procedure = self.run.program().procedure(id);
        let flow = self.flow(id);
        let is_rest = |block: BlockId| {
            let into = flow.predecessors(block);
            block != flow.entry() && matches!(into, &[one] if procedure.call(one).is_some())
        };
        let has_code = |block: BlockId| block != flow.exit() && !is_rest(block);
        CounterPlaces::in_blocks(flow, has_code)
    }

    pub fn edges(&self) -> u64 {
        let ids = self.run.program().ids();
        ids.map(|id| self.flow(id).edges().len() as u64).sum()
    }

    /// Counters that pruning takes away.
    pub fn removed(&self, weighting: Weighting) -> usize {
        let removed = |id| {
            let weights = self.run.weights(id, weighting);
            let placement = PrunedEdgeCounters::heuristic(self.flow(id), &weights);
            placement.removed().len()
        };
        self.run.program().ids().map(removed).sum()
    }
}

/// Counts a run in these places. A call's edge counts when the callee has come back.
fn count(run: &Run, places: impl Fn(ProcedureId) -> CounterPlaces) -> Result<Vec<Counters>> {
    let program = run.program();
    let of_each = |id| places(id).counters();
    let mut counters: Vec<Counters> = program.ids().map(of_each).collect();
    let block = |id: ProcedureId| program.procedure(id).dag().entry();
    let mut under_way: Vec<(ProcedureId, BlockId, Option<EdgeId>)> =
        vec![(run.start, block(run.start), None)];
    counters[run.start.index()].begin();
    for &event in &run.events {
        let Some((id, at, site)) = under_way.last_mut() else {
            break;
        };
        match event {
            Event::Take(edge) => {
                counters[id.index()].take(edge);
                *at = program.procedure(*id).dag().flow().ends(edge).1;
            }
            Event::Call { site: edge, callee } => {
                *site = Some(edge);
                counters[callee.index()].begin();
                under_way.push((callee, block(callee), None));
            }
            Event::Return => {
                under_way.pop();
                if let Some((id, at, site)) = under_way.last_mut() {
                    let edge = site.take().context("a return comes from a call")?;
                    counters[id.index()].take(edge);
                    *at = program.procedure(*id).dag().flow().ends(edge).1;
                }
            }
        }
    }
    for (id, at, _) in under_way {
        counters[id.index()].exit_early(at);
    }
    Ok(counters)
}
