//! A function's graph put together: which blocks belong to it, and where each may go.

use std::collections::{BTreeMap, BTreeSet};

use hpp_golden::branch::BranchKind;
use hpp_golden::profiler::BackwardNotTaken;
use hpp_paths::graph::{BlockId, Cfg, CfgError, Edge, EdgeClass};
use hpp_paths::petgraph::graph::DiGraph;

use super::{ENTRY, EXIT};
use crate::blocks::{Block, Blocks, Exit};
use crate::functions::{Function, Functions};

/// What the graph of a function is made from.
pub struct View<'a> {
    pub blocks: &'a Blocks,
    pub functions: &'a Functions,
    pub function: &'a Function,
    pub backward_not_taken: BackwardNotTaken,
}

/// Where an edge leads: to a block, or out of the function.
type Way = (Option<u64>, Edge);

impl View<'_> {
    /// Whether paths that begin at `address` belong to the function.
    fn owns(&self, address: u64) -> bool {
        self.functions
            .at(address)
            .is_some_and(|f| f.address == self.function.address)
    }

    /// Every way out of a block.
    fn ways(&self, block: &Block) -> Vec<Way> {
        let edge = |class, outcome| Edge {
            class,
            outcome,
            weight: None,
        };
        let quiet = edge(EdgeClass::Forward, None);
        match block.exit {
            Exit::Fall => vec![self.way(block.end, quiet)],
            Exit::Jump { kind, target } => {
                self.split(block, vec![self.way(target, edge(class(kind), Some(true)))])
            }
            Exit::Branch { kind, target } => {
                let falls = match self.backward_not_taken {
                    BackwardNotTaken::AsForward => EdgeClass::Forward,
                    BackwardNotTaken::AsBackward => class(kind),
                };
                let falls = self.way(block.end, edge(falls, Some(false)));
                let taken = self.way(target, edge(class(kind), Some(true)));
                self.split(block, vec![falls, taken])
            }
            Exit::Computed(BranchKind::Indirect) => {
                self.table(block, edge(EdgeClass::Indirect, Some(true)))
            }
            Exit::Computed(_) | Exit::Dead => vec![(None, quiet)],
        }
    }

    fn way(&self, target: u64, edge: Edge) -> Way {
        let leaves = edge.class.breaks() && !self.owns(target);
        let known = self.blocks.at(target).is_some();
        ((known && !leaves).then_some(target), edge)
    }

    /// Adds a way out for each way on which a path goes on but was seen to be split.
    fn split(&self, block: &Block, mut ways: Vec<Way>) -> Vec<Way> {
        let splits = |(target, edge): &&Way| {
            target.is_some()
                && !edge.class.breaks()
                && edge
                    .outcome
                    .is_some_and(|taken| self.blocks.splits(block, taken))
        };
        let outs: Vec<Way> = ways
            .iter()
            .filter(splits)
            .map(|way| (None, way.1))
            .collect();
        ways.extend(outs);
        ways
    }

    /// The ways of an indirect jump: the assumed targets in its function, or out.
    fn table(&self, block: &Block, edge: Edge) -> Vec<Way> {
        let targets = self.blocks.assumed().range(self.range());
        let ways: Vec<Way> = targets.map(|&target| (Some(target), edge)).collect();
        if ways.is_empty() || !self.owns(block.start) {
            vec![(None, edge)]
        } else {
            ways
        }
    }

    fn range(&self) -> core::ops::Range<u64> {
        self.function.address..self.function.end()
    }

    /// The blocks that paths of the function go through, from these starts.
    fn reach(&self, starts: impl IntoIterator<Item = u64>) -> BTreeMap<u64, Vec<Way>> {
        let mut found = BTreeMap::new();
        let mut work: Vec<u64> = starts.into_iter().collect();
        while let Some(start) = work.pop() {
            let Some(block) = self
                .blocks
                .at(start)
                .filter(|_| !found.contains_key(&start))
            else {
                continue;
            };
            let ways = self.ways(block);
            work.extend(ways.iter().filter_map(|way| way.0));
            found.insert(start, ways);
        }
        found
    }

    /// Where paths of the function begin, beside the targets of its own broken edges: where control comes from
    /// elsewhere, and where a path of another function ends by a branch into this one.
    fn starts(&self) -> BTreeSet<u64> {
        let observed = self.blocks.starts().range(self.range()).copied();
        let foreign = self
            .blocks
            .iter()
            .filter(|block| !self.owns(block.start))
            .flat_map(|block| self.ways(block))
            .filter(|(target, edge)| target.is_some() && edge.class.breaks())
            .filter_map(|(target, _)| target);
        observed
            .chain(foreign)
            .filter(|&start| self.owns(start))
            .collect()
    }
}

/// The class of a direct branch or jump.
fn class(kind: BranchKind) -> EdgeClass {
    match kind {
        BranchKind::Backward => EdgeClass::Backward,
        _ => EdgeClass::Forward,
    }
}

/// A graph being put together.
pub struct Assembly<'a> {
    view: &'a View<'a>,
    graph: DiGraph<Option<Block>, Edge, u32>,
    ids: BTreeMap<u64, BlockId>,
    ways: BTreeMap<u64, Vec<Way>>,
    starts: BTreeSet<u64>,
}

pub type Assembled = (Cfg<Option<Block>, Edge>, BTreeMap<u64, BlockId>);

impl<'a> Assembly<'a> {
    pub fn new(view: &'a View<'a>) -> Self {
        let starts = view.starts();
        let ways = view.reach(starts.iter().copied());
        Self {
            view,
            graph: DiGraph::new(),
            ids: BTreeMap::new(),
            ways,
            starts,
        }
    }

    pub fn finish(mut self) -> Result<Assembled, CfgError> {
        let single = self.starts.len() == 1;
        let virtual_entry = (!single).then(|| self.graph.add_node(None));
        for &start in self.ways.keys() {
            let id = self.graph.add_node(self.view.blocks.at(start).copied());
            self.ids.insert(start, id);
        }
        let exit = self.graph.add_node(None);
        let entry = match virtual_entry {
            Some(entry) => {
                self.enter(entry);
                entry
            }
            None => self.ids[&self.view.function.address],
        };
        for (start, ways) in &self.ways {
            for &(target, edge) in ways {
                let to = target.map_or(exit, |target| self.ids[&target]);
                self.graph.add_edge(self.ids[start], to, edge);
            }
        }
        let name = |block: BlockId, code: &Option<Block>| match code {
            Some(code) => format!("{:#x}", code.start),
            None if block == exit => EXIT.into(),
            None => ENTRY.into(),
        };
        let cfg = Cfg::named(self.graph, entry, exit, name)?;
        Ok((cfg, self.ids))
    }

    /// Leads a virtual entry to every start.
    fn enter(&mut self, entry: BlockId) {
        for start in &self.starts {
            let edge = Edge {
                class: EdgeClass::Indirect,
                outcome: None,
                weight: None,
            };
            self.graph.add_edge(entry, self.ids[start], edge);
        }
    }
}
