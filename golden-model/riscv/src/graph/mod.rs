//! The control-flow graph of one function of a program, as the hardware profiler sees it.
//!
//! # What belongs to a function
//!
//! A path belongs to the function in which it begins. The hardware knows no functions: a jump into another function
//! (a tail call), or code that runs on into the next function, continues the path there. So the graph of a function
//! holds the blocks of the function and, beyond, every block that a path can go on to without ending. A branch at
//! which a path ends and whose target lies in another function leads to the exit: the path that begins at its target
//! belongs to that function. Two functions may both hold a block that both jump to.
//!
//! # Edges
//!
//! Each edge has the class by which the hardware breaks paths and the outcome bit it records. So the acyclic form of what is
//! [recorded](Acyclic::recorded) has exactly one path for each descriptor that begins in the function. The fall-through edge of a backward branch is classed backward if that ends a path
//! ([`BackwardNotTaken`]), else forward. Returns, indirect jumps with unknown targets and code that goes nowhere lead to
//! the exit.
//!
//! Where a run split paths because they were as long as they may be, the branch has a second edge with the same
//! outcome, which leads to the exit.
//!
//! # Where paths begin
//!
//! At the function's first block, at the targets of broken edges, and at further starts (a case of a jump table, the
//! place a run was profiled from, the return address after an underflow). If there are starts that no broken edge of
//! the graph leads to, the entry is a virtual block with an edge to each start. The edges are classed indirect, so that the start is
//! shared with that of a loop which begins there. Such a graph has one path too many: the empty one, `ENTRY EXIT`.

mod assembly;

use std::collections::BTreeMap;

use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::BackwardNotTaken;
use hpp_paths::graph::{
    Acyclic, AcyclicError, BlockId, Cfg, CfgError, Control, Crossing, DagEdge, DagEdgeId, DagPath,
    Edge, EdgeId, Leftover,
};
use thiserror::Error;

use assembly::{Assembly, View};

use crate::blocks::{Block, Blocks};
use crate::functions::{Function, Functions};

/// The name of the virtual block where paths begin.
pub const ENTRY: &str = "ENTRY";
/// The name of the virtual block where paths end.
pub const EXIT: &str = "EXIT";

/// Why a function has no graph.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum GraphError {
    #[error("there is no code at {address:#x}, where function `{name}` should begin")]
    NoCode { name: String, address: u64 },
    #[error("function `{name}`: {source}")]
    Cfg { name: String, source: CfgError },
    #[error("function `{name}`: {source}")]
    Acyclic { name: String, source: AcyclicError },
}

/// Why a descriptor is no path of a graph.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum DescriptorError {
    #[error("no path begins at {0:#x}")]
    NoStart(u64),
    #[error("the path ends at block {block} after {used} of {length} outcomes")]
    Ends {
        block: String,
        used: u32,
        length: u32,
    },
    #[error("block {block} branches again, but all {length} outcomes are used up")]
    GoesOn { block: String, length: u32 },
    #[error("block {block} has no edge for outcome {index}")]
    NoEdge { block: String, index: u32 },
}

/// The graph of a function, with its acyclic form as the hardware records it.
#[derive(Clone, Debug)]
pub struct FunctionGraph {
    cfg: Cfg<Option<Block>, Edge>,
    dag: Acyclic,
    ids: BTreeMap<u64, BlockId>,
    starts: BTreeMap<u64, Option<DagEdgeId>>,
}

/// Where on its path a procedure under way is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The block control is in.
    pub block: BlockId,
    /// Branches recorded on the path.
    pub length: u32,
}

/// An edge that a path takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathEdge {
    /// The edge of the acyclic form.
    pub edge: DagEdgeId,
    /// Whether the path ended with it.
    pub ends: bool,
}

impl FunctionGraph {
    /// The graph of a function among the blocks of its program. O(n log n) in the number of blocks.
    ///
    /// # Errors
    ///
    /// If there is no code where the function begins.
    pub fn new(
        blocks: &Blocks,
        functions: &Functions,
        function: &Function,
        backward_not_taken: BackwardNotTaken,
    ) -> Result<Self, GraphError> {
        let name = || function.name.clone();
        if blocks.at(function.address).is_none() {
            return Err(GraphError::NoCode {
                name: name(),
                address: function.address,
            });
        }
        let view = View {
            blocks,
            functions,
            function,
            backward_not_taken,
        };
        let (cfg, ids) = Assembly::new(&view)
            .finish()
            .map_err(|source| GraphError::Cfg {
                name: name(),
                source,
            })?;
        let dag = Acyclic::recorded(&cfg, Leftover::Refuse);
        let dag = dag.map_err(|source| GraphError::Acyclic {
            name: name(),
            source,
        })?;
        Ok(Self {
            starts: starts(&cfg, &dag),
            cfg,
            dag,
            ids,
        })
    }

    /// The graph: blocks named by their addresses in hexadecimal, and the virtual [`ENTRY`] and [`EXIT`], which have no
    /// code.
    pub fn cfg(&self) -> &Cfg<Option<Block>, Edge> {
        &self.cfg
    }

    /// The acyclic form, broken where the hardware breaks paths and with dummies shared as it records them.
    pub fn dag(&self) -> &Acyclic {
        &self.dag
    }

    /// The block that begins at `address`.
    pub fn find(&self, address: u64) -> Option<BlockId> {
        self.ids.get(&address).copied()
    }

    /// The machine code of a block; `None` for the virtual ones.
    pub fn code(&self, block: BlockId) -> Option<&Block> {
        self.cfg.block(block).as_ref()
    }

    /// How paths begin: for each block where one may, the edge of the acyclic form that they begin with, `None` at the
    /// entry.
    pub fn starts(&self) -> &BTreeMap<u64, Option<DagEdgeId>> {
        &self.starts
    }

    /// Takes the edge out of a block with this outcome (`None`: nothing is recorded), or, on a path that is as long as
    /// it may be, the edge on which it was seen to be split. The one place where outcomes are followed. O(edges of the
    /// block).
    ///
    /// Where an indirect jump has several edges, the first is meant; they end the same path. `None` if there is no edge
    /// with the outcome.
    pub fn take(
        &self,
        place: &mut Place,
        outcome: Option<bool>,
        max_branches: u32,
    ) -> Option<PathEdge> {
        let mut edges = self.edges(place.block, outcome);
        let mut edge = edges.next()?;
        let full = outcome.is_some() && place.length + 1 == max_branches;
        if full && self.goes_on(edge) {
            let split = edges.find(|&e| self.cfg.ends(e).1 == self.cfg.exit());
            edge = split.unwrap_or(edge);
        }
        let mut control = Control::at(&self.dag, place.block);
        let step = match control.take(edge).ok()? {
            Crossing::Inside(edge) => PathEdge {
                edge,
                ends: control.is_out(),
            },
            Crossing::Break { stop, .. } => PathEdge {
                edge: stop,
                ends: true,
            },
        };
        place.block = self.dag.ends(step.edge).1;
        place.length += u32::from(outcome.is_some());
        Some(step)
    }

    fn edges(&self, block: BlockId, outcome: Option<bool>) -> impl Iterator<Item = EdgeId> {
        let successors = self.cfg.successors(block).iter().copied();
        successors.filter(move |&e| self.cfg.edge(e).outcome == outcome)
    }

    /// Whether a path that takes this edge goes on.
    fn goes_on(&self, edge: EdgeId) -> bool {
        matches!(self.dag.crossing(edge), Some(Crossing::Inside(e)) if self.dag.ends(e).1 != self.dag.exit())
    }

    /// The path that a descriptor stands for; paths have at most `max_branches` branches. O(length x edges of a block).
    ///
    /// # Errors
    ///
    /// If the descriptor does not begin in this function or does not fit its code.
    pub fn path(
        &self,
        max_branches: u32,
        path: &PathDescriptor,
    ) -> Result<DagPath, DescriptorError> {
        let no_start = || DescriptorError::NoStart(path.start);
        let start = *self.starts.get(&path.start).ok_or_else(no_start)?;
        let block = self.find(path.start).ok_or_else(no_start)?;
        let mut edges: Vec<DagEdgeId> = start.into_iter().collect();
        let mut place = Place { block, length: 0 };
        let mut last = block;
        let mut ends = false;
        while !ends {
            last = place.block;
            let outcome = self.next(place, path)?;
            let step = self.take(&mut place, outcome, max_branches);
            let step = step.ok_or_else(|| DescriptorError::NoEdge {
                block: self.cfg.name(last).into(),
                index: place.length,
            })?;
            edges.push(step.edge);
            ends = step.ends;
        }
        if place.length != path.length {
            return Err(DescriptorError::Ends {
                block: self.cfg.name(last).into(),
                used: place.length,
                length: path.length,
            });
        }
        let path = DagPath::new(&self.dag, edges);
        Ok(path.expect("each edge left the block that the last one led to"))
    }

    /// What the branch of a block does on the path of a descriptor.
    fn next(&self, place: Place, path: &PathDescriptor) -> Result<Option<bool>, DescriptorError> {
        if self.edges(place.block, None).next().is_some() {
            return Ok(None);
        }
        let outcome = path.outcome(place.length);
        outcome.map(Some).ok_or_else(|| DescriptorError::GoesOn {
            block: self.cfg.name(place.block).into(),
            length: path.length,
        })
    }

    /// The descriptor that the hardware records for a path; `None` for the empty path of a virtual
    /// entry, and for paths with more branches than a descriptor holds. O(length).
    pub fn descriptor(&self, path: &DagPath) -> Option<PathDescriptor> {
        let route = path.route(&self.dag);
        let start = self.code(*route.blocks.first()?)?.start;
        let mut descriptor = PathDescriptor::new(start);
        for &edge in path.edges() {
            let outcome = match self.dag.kind(edge) {
                DagEdge::Real(edge) => self.cfg.edge(*edge).outcome,
                DagEdge::Stop { outcome, .. } => *outcome,
                DagEdge::Start { .. } => None,
            };
            if let Some(taken) = outcome {
                if descriptor.length == hpp_golden::path::MAX_BRANCHES {
                    return None;
                }
                descriptor.record(taken);
            }
        }
        Some(descriptor)
    }
}

/// For each block where a path may begin its address, and the edge that such a path begins with.
fn starts(cfg: &Cfg<Option<Block>, Edge>, dag: &Acyclic) -> BTreeMap<u64, Option<DagEdgeId>> {
    let address = |block| cfg.block(block).as_ref().map(|code| code.start);
    let entry = address(dag.entry()).map(|start| (start, None));
    let dummies = dag
        .edges()
        .filter(|&e| matches!(dag.kind(e), DagEdge::Start { .. }))
        .filter_map(|e| Some((address(dag.ends(e).1)?, Some(e))));
    entry.into_iter().chain(dummies).collect()
}
