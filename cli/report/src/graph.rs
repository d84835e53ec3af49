//! The control-flow graphs of the functions in which paths begin, with their code, and the paths as blocks of them.

use std::collections::{BTreeMap, BTreeSet};

use hpp_golden::path::PathDescriptor;
use hpp_riscv::blocks::Exit;
use hpp_riscv::{AddressRange, Block, Blocks, Observed, Starts};
use serde::Serialize;

use crate::code::{CodeLine, Disassembler};
use crate::heat::Heat;
use crate::profile::Profile;
use crate::program::Program;
use crate::report::{PathReport, Report};
use crate::steps::steps;

/// A function in which paths begin.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct HotGraph {
    /// Where it begins.
    pub address: u64,
    /// Its blocks, and those that its paths visit elsewhere, by ascending address.
    pub blocks: Vec<GraphBlock>,
    /// The edges between them.
    pub edges: Vec<GraphEdge>,
}

/// A block.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GraphBlock {
    /// Address of its first instruction.
    pub start: u64,
    /// Its instructions.
    pub code: Vec<CodeLine>,
}

/// An edge, by the positions of its blocks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct GraphEdge {
    /// The block it leaves.
    pub from: usize,
    /// The block it enters.
    pub to: usize,
    /// Whether a branch or a jump is taken along it.
    pub taken: bool,
}

/// A path in a graph.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Route {
    /// The position of its graph.
    pub graph: usize,
    /// The positions of its blocks, in order.
    pub blocks: Vec<usize>,
    /// The block that follows its last branch, if that is known and of the graph.
    pub next: Option<usize>,
}

/// The graphs of a report's functions, and its paths in them.
#[derive(Clone, Debug, PartialEq)]
pub struct Graphs {
    /// One for each function in which paths begin.
    pub graphs: Vec<HotGraph>,
    /// The route of each path of the report; none for one that does not walk or begins in no function.
    pub routes: Vec<Option<Route>>,
}

/// The starts of a path's blocks, and what follows it.
struct Walked {
    starts: Vec<u64>,
    next: Option<u64>,
}

impl Graphs {
    /// Linear in the program's code and the paths' instructions, but for sorting.
    pub fn new(profile: &Profile, report: &Report, program: &Program<'_>) -> Self {
        let starts = profile.counts.keys().map(|path| path.start).collect();
        let observed = Observed {
            starts,
            ..Observed::default()
        };
        let functions = program.image().functions();
        let maker = Maker {
            profile,
            program,
            blocks: Blocks::recover(program.image(), functions, &Starts::Observed(observed)),
            heat: Heat::of(profile, program),
            disassembler: Disassembler::new(program.image()),
        };
        let walked = |path: &PathReport| {
            let function = functions.at(path.descriptor.start)?;
            Some((function.address, maker.walk(&path.descriptor)?))
        };
        let walks: Vec<Option<(u64, Walked)>> = report.paths.iter().map(walked).collect();
        let mut visited: BTreeMap<u64, BTreeSet<u64>> = BTreeMap::new();
        for (function, walk) in walks.iter().flatten() {
            visited.entry(*function).or_default().extend(&walk.starts);
        }
        let graphs: Vec<HotGraph> = visited
            .iter()
            .map(|(address, blocks)| maker.graph(*address, blocks))
            .collect();
        let route = |walk: Option<(u64, Walked)>| {
            let (function, walk) = walk?;
            let graph = graphs
                .binary_search_by_key(&function, |graph| graph.address)
                .ok()?;
            let place = |start: u64| graphs[graph].position(start);
            Some(Route {
                graph,
                blocks: walk.starts.into_iter().map(place).collect::<Option<_>>()?,
                next: walk.next.and_then(place),
            })
        };
        let routes = walks.into_iter().map(route).collect();
        Self { graphs, routes }
    }
}

impl HotGraph {
    fn position(&self, start: u64) -> Option<usize> {
        self.blocks
            .binary_search_by_key(&start, |block| block.start)
            .ok()
    }
}

struct Maker<'a, 'p> {
    profile: &'a Profile,
    program: &'a Program<'p>,
    blocks: Blocks,
    heat: Heat,
    disassembler: Disassembler,
}

impl Maker<'_, '_> {
    /// The blocks of a path, if it walks. A step may run through several blocks.
    fn walk(&self, path: &PathDescriptor) -> Option<Walked> {
        let steps = steps(self.profile, self.program, path).ok()?;
        let mut starts = Vec::new();
        for step in &steps {
            let mut at = step.block.start;
            while at < step.block.end {
                starts.push(at);
                at = self.blocks.at(at)?.end;
            }
        }
        let next = steps.last().and_then(|step| step.next);
        Some(Walked { starts, next })
    }

    fn graph(&self, address: u64, visited: &BTreeSet<u64>) -> HotGraph {
        let function = self.program.image().functions().at(address);
        let range = address..function.map_or(address, |function| function.end());
        let starts: BTreeSet<u64> = self
            .blocks
            .within(range)
            .map(|block| block.start)
            .chain(visited.iter().copied())
            .collect();
        let blocks: Vec<&Block> = starts
            .iter()
            .filter_map(|start| self.blocks.at(*start))
            .collect();
        let mut graph = HotGraph {
            address,
            blocks: blocks.iter().map(|block| self.block(block)).collect(),
            edges: Vec::new(),
        };
        for (from, block) in blocks.iter().enumerate() {
            for (target, taken) in targets(block) {
                if let Some(to) = graph.position(target) {
                    graph.edges.push(GraphEdge { from, to, taken });
                }
            }
        }
        graph
    }

    fn block(&self, block: &Block) -> GraphBlock {
        let range = AddressRange {
            start: block.start,
            end: block.end,
        };
        let code = |address| CodeLine::of(self.program, &self.disassembler, &self.heat, address);
        GraphBlock {
            start: block.start,
            code: self.program.addresses(range).filter_map(code).collect(),
        }
    }
}

/// Where control goes from a block, and whether by a branch or jump that is taken.
fn targets(block: &Block) -> Vec<(u64, bool)> {
    match block.exit {
        Exit::Fall => vec![(block.end, false)],
        Exit::Jump { target, .. } => vec![(target, true)],
        Exit::Branch { target, .. } => vec![(block.end, false), (target, true)],
        Exit::Computed(_) | Exit::Dead => Vec::new(),
    }
}
