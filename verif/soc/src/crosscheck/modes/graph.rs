//! The places of a program and the edges between them.
//!
//! An edge leads from a place to the next on the same path, or to the exit where the path ends; paths go on by forward
//! branches, and across a bounded number of back edges or calls, so the graph has no cycle. A virtual entry leads to each
//! place where a path begins: those of the run, and those that the code names (targets of back edges and of calls).

use std::collections::{BTreeMap, BTreeSet};

use hpp_golden::branch::BranchKind;
use hpp_golden::path::PathDescriptor;
use hpp_paths::Number;
use hpp_paths::graph::{Acyclic, BlockId, Cfg, CfgError, DagEdge, DagEdgeId};
use hpp_paths::numbering::{BallLarus, EdgeValues};
use hpp_paths::petgraph::graph::DiGraph;
use hpp_riscv::{Instruction, Program};
use rustc_hash::FxHashMap;
use thiserror::Error;

use super::follow::{Observer, Outcome, next_transfer};
use super::rules::{Effect, Paths, Place, is_recorded};

/// Why a program has no graph of places.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum ModeGraphError {
    /// The places make no control-flow graph.
    #[error(transparent)]
    Cfg(#[from] CfgError),
    /// The places lead back to one another.
    #[error("the path through {0} comes back to it without ending")]
    Cycle(String),
}

/// Where the paths of a run begin and are split.
#[derive(Clone, Debug, Default)]
pub struct Observed {
    starts: BTreeSet<Place>,
    splits: BTreeSet<(Place, Option<bool>)>,
}

impl Observer for &mut Observed {
    type Path = ();

    fn begin(&mut self, place: &Place) -> Option<()> {
        if !self.starts.contains(place) {
            self.starts.insert(place.clone());
        }
        Some(())
    }

    fn take(&mut self, (): &mut (), place: &Place, outcome: Outcome) -> Option<()> {
        if outcome.split {
            self.splits.insert((place.clone(), outcome.recorded));
        }
        Some(())
    }

    fn end(&mut self, (): ()) {}
}

/// An edge out of a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    /// From the virtual entry.
    Begin,
    /// A branch, with the outcome that is recorded.
    Branch(Outcome),
    /// Where no code follows.
    Dead,
}

/// The graph, with the Ball-Larus values of its edges.
#[derive(Clone, Debug)]
pub struct ModeGraph {
    cfg: Cfg<Option<Place>, Way>,
    numbering: BallLarus,
    values: EdgeValues,
    /// The edge from the entry to each start.
    starts: FxHashMap<Place, DagEdgeId>,
    /// The edges out of each place.
    edges: FxHashMap<Place, Vec<(Outcome, DagEdgeId)>>,
}

impl ModeGraph {
    /// The graph of a program for a run that was observed. O(n log n) in the instructions of all places.
    ///
    /// # Errors
    ///
    /// See [`ModeGraphError`]; there is no cause for either in code that any decoder gives.
    pub fn new<C: Program>(
        program: &C,
        paths: Paths,
        run: &Observed,
    ) -> Result<Self, ModeGraphError> {
        let mut search = Search {
            program,
            paths,
            run,
            starts: BTreeSet::new(),
            ways: BTreeMap::new(),
            work: Vec::new(),
        };
        search.explore();
        let cfg = search.assemble()?;
        let dag = Acyclic::depth_first(cfg.flow());
        if let Some(&edge) = dag.broken().first() {
            return Err(ModeGraphError::Cycle(cfg.edge_name(edge)));
        }
        let numbering = BallLarus::exact(&dag);
        let mut starts = FxHashMap::default();
        let mut edges: FxHashMap<Place, Vec<_>> = FxHashMap::default();
        for edge in dag.edges() {
            let (from, to) = dag.ends(edge);
            match (way(&cfg, &dag, edge), cfg.block(from), cfg.block(to)) {
                (Way::Begin, _, Some(start)) => {
                    starts.insert(start.clone(), edge);
                }
                (Way::Branch(outcome), Some(from), _) => {
                    edges.entry(from.clone()).or_default().push((outcome, edge));
                }
                _ => {}
            }
        }
        Ok(Self {
            values: numbering.values(),
            cfg,
            numbering,
            starts,
            edges,
        })
    }

    /// Places, and paths through them.
    pub fn size(&self) -> (usize, Number) {
        (self.edges.len(), self.numbering.paths())
    }

    /// The descriptor of a path, and whether its number leads back to it; `None` if there is no such path.
    pub fn descriptor(&self, number: &Number) -> Option<(PathDescriptor, bool)> {
        let path = self.numbering.path(number).ok()?;
        let back = self.numbering.number(&path) == *number;
        let dag = self.numbering.dag();
        let (&first, rest) = path.edges().split_first()?;
        let start = self.cfg.block(dag.ends(first).1).as_ref()?;
        let mut descriptor = PathDescriptor::new(start.address);
        for &edge in rest {
            if let Way::Branch(Outcome {
                recorded: Some(taken),
                ..
            }) = way(&self.cfg, dag, edge)
            {
                descriptor.record(taken);
            }
        }
        Some((descriptor, back))
    }
}

fn way(cfg: &Cfg<Option<Place>, Way>, dag: &Acyclic, edge: DagEdgeId) -> Way {
    match dag.kind(edge) {
        DagEdge::Real(edge) => *cfg.edge(*edge),
        DagEdge::Stop { .. } | DagEdge::Start { .. } => unreachable!("no edge was broken"),
    }
}

/// How often each path sum was counted, as by a program that adds the values of the edges it takes.
pub struct Counting<'a> {
    graph: &'a ModeGraph,
    /// The counts.
    pub counts: FxHashMap<Number, u64>,
}

impl<'a> Counting<'a> {
    /// Nothing counted yet.
    pub fn new(graph: &'a ModeGraph) -> Self {
        Self {
            graph,
            counts: FxHashMap::default(),
        }
    }
}

impl Observer for Counting<'_> {
    type Path = Number;

    fn begin(&mut self, place: &Place) -> Option<Number> {
        let edge = self.graph.starts.get(place)?;
        Some(self.graph.values.get(*edge).clone())
    }

    fn take(&mut self, sum: &mut Number, place: &Place, outcome: Outcome) -> Option<()> {
        let edges = self.graph.edges.get(place)?;
        let (_, edge) = edges.iter().find(|(way, _)| *way == outcome)?;
        *sum += self.graph.values.get(*edge);
        Some(())
    }

    fn end(&mut self, sum: Number) {
        *self.counts.entry(sum).or_default() += 1;
    }
}

/// A way out of a place, and where to; `None` where the path ends.
type Leaving = (Way, Option<Place>);

/// A branch with one of its outcomes.
#[derive(Clone, Copy)]
struct Branch {
    kind: BranchKind,
    taken: bool,
    target: Option<u64>,
    next: u64,
}

/// Finds the places that paths go through.
struct Search<'a, C> {
    program: &'a C,
    paths: Paths,
    run: &'a Observed,
    starts: BTreeSet<Place>,
    ways: BTreeMap<Place, Vec<Leaving>>,
    work: Vec<Place>,
}

impl<C: Program> Search<'_, C> {
    fn explore(&mut self) {
        for start in &self.run.starts {
            self.starts.insert(start.clone());
            self.work.push(start.clone());
        }
        while let Some(place) = self.work.pop() {
            if !self.ways.contains_key(&place) {
                let ways = self.leave(&place);
                self.work
                    .extend(ways.iter().filter_map(|(_, to)| to.clone()));
                self.ways.insert(place, ways);
            }
        }
    }

    /// A path may begin here.
    fn begins(&mut self, place: Place) {
        let code = self.program.instruction(place.address).is_some();
        if code && self.starts.insert(place.clone()) {
            self.work.push(place);
        }
    }

    /// The ways out of a place: those of the first branch at which a path does not merely wait.
    fn leave(&mut self, place: &Place) -> Vec<Leaving> {
        let mut at = place.address;
        while let Some((_, instruction, transfer)) = next_transfer(self.program, at) {
            let Instruction { next, .. } = instruction;
            let taken = Branch {
                kind: transfer.kind,
                taken: true,
                target: transfer.target,
                next,
            };
            if self.effect(place, &taken) == Effect::Waits {
                if let Some(target) = taken.target {
                    self.begins(Place::entry(target));
                }
                at = next;
                continue;
            }
            let falls = transfer.conditional.then_some(Branch {
                taken: false,
                target: Some(next),
                ..taken
            });
            let branches = [Some(taken), falls].into_iter().flatten();
            return branches.flat_map(|way| self.branch(place, &way)).collect();
        }
        vec![(Way::Dead, None)]
    }

    fn effect(&self, place: &Place, branch: &Branch) -> Effect {
        self.paths
            .effect(branch.kind, branch.taken, place.extension)
    }

    /// The edge that a branch takes, and that on which a path was seen to be split.
    fn branch(&mut self, place: &Place, branch: &Branch) -> Vec<Leaving> {
        let Branch {
            kind,
            taken,
            target,
            next,
        } = *branch;
        let recorded = is_recorded(kind).then_some(taken);
        let way = |split| Way::Branch(Outcome { recorded, split });
        let effect = self.effect(place, branch);
        // A return that the path goes on from knows where to by itself.
        let address = target.or((effect == Effect::Ascends).then_some(next));
        if let Some(to) = address.and_then(|target| effect.goes_on(place, target, next)) {
            let splits = self.run.splits.contains(&(place.clone(), recorded));
            let split = splits.then_some((way(true), None));
            return [(way(false), Some(to))].into_iter().chain(split).collect();
        }
        if effect == Effect::Ends {
            let calls = matches!(kind, BranchKind::Call | BranchKind::IndirectCall);
            let back = calls.then_some(next);
            for start in target.into_iter().chain(back) {
                self.begins(self.paths.next(place, start));
            }
        }
        vec![(way(false), None)]
    }

    /// The graph of what was found.
    fn assemble(self) -> Result<Cfg<Option<Place>, Way>, CfgError> {
        let mut graph = DiGraph::new();
        let entry = graph.add_node(None);
        let places = self.ways.keys();
        let blocks: BTreeMap<&Place, BlockId> = places
            .map(|place| (place, graph.add_node(Some(place.clone()))))
            .collect();
        let exit = graph.add_node(None);
        for start in &self.starts {
            graph.add_edge(entry, blocks[start], Way::Begin);
        }
        for (place, ways) in &self.ways {
            for (way, to) in ways {
                let to = to.as_ref().map_or(exit, |to| blocks[to]);
                graph.add_edge(blocks[place], to, *way);
            }
        }
        let name = |_, place: &Option<Place>| match place {
            Some(place) => format!("{:#x}+{}", place.address, place.extension),
            None => "-".into(),
        };
        Cfg::named(graph, entry, exit, name)
    }
}
