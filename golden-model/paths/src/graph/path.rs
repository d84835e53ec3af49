//! Paths of the acyclic form, and the walks through the program they stand for.
use thiserror::Error;

use super::acyclic::{Acyclic, Crossing, DagEdge, DagEdgeId};
use super::cfg::{BlockId, Cfg, EdgeId};

/// A path of an [`Acyclic`] from its entry to its exit, as the edges it takes. Edges and not
/// blocks, because parallel edges make different paths.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DagPath {
    edges: Vec<DagEdgeId>,
}

/// How a walk ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathEnd {
    /// At the exit.
    Exit,
    /// By taking one of these broken edges.
    Break(Vec<EdgeId>),
}

/// What a path stands for: the blocks control goes through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Walk {
    /// The blocks, at least one. The first is the entry or the target of a broken edge.
    pub blocks: Vec<BlockId>,
    /// The edges between them, one fewer.
    pub edges: Vec<EdgeId>,
    /// How it ends, behind the last block.
    pub end: PathEnd,
}

/// Why blocks or edges are not a path of a graph.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PathError {
    /// No blocks.
    #[error("a path has at least one block")]
    Empty,
    /// Two blocks in a row without an edge.
    #[error("there is no edge from `{from}` to `{to}` that stays on one path")]
    NoEdge {
        /// Name of the first block.
        from: String,
        /// Name of the second.
        to: String,
    },
    /// Two blocks in a row with several edges.
    #[error(
        "{count} edges lead from `{from}` to `{to}`, so blocks do not tell the path; \
         give its number instead"
    )]
    Ambiguous {
        /// Name of the first block.
        from: String,
        /// Name of the second.
        to: String,
        /// How many.
        count: usize,
    },
    /// The first block begins no path.
    #[error("no path begins at `{0}`; paths begin at the entry and at targets of broken edges")]
    NoStart(String),
    /// The last block ends no path.
    #[error("no path ends at `{0}`; paths end at the exit and at sources of broken edges")]
    NoEnd(String),
    /// An edge does not go on where the one before it ended.
    #[error("edge {position} of the sequence leaves `{from}`, but control is in `{control}`")]
    Gap {
        /// Position, from 0.
        position: usize,
        /// Name of the block the edge leaves.
        from: String,
        /// Name of the block control is in.
        control: String,
    },
}

impl DagPath {
    /// The path of these edges. They must lead from the entry to the exit.
    pub fn new(dag: &Acyclic, cfg: &Cfg, edges: Vec<DagEdgeId>) -> Result<Self, PathError> {
        let mut control = dag.entry();
        for (position, &edge) in edges.iter().enumerate() {
            let (from, to) = dag.ends(edge);
            if from != control {
                return Err(PathError::Gap {
                    position,
                    from: cfg.name(from).into(),
                    control: cfg.name(control).into(),
                });
            }
            control = to;
        }
        match control == dag.exit() {
            true => Ok(DagPath { edges }),
            false => Err(PathError::NoEnd(cfg.name(control).into())),
        }
    }

    /// A path known to lead from the entry to the exit.
    pub(crate) fn from_trusted(edges: Vec<DagEdgeId>) -> Self {
        DagPath { edges }
    }

    /// The path through these blocks.
    ///
    /// The list is either the walk itself (`4 5 7` for a path that a broken edge starts at block 4
    /// and another ends at block 7) or has entry and exit around it, as the literature writes paths
    /// of the acyclic form (`1 4 5 7 8`). Where a real edge and a dummy join the same two blocks,
    /// the real one is meant.
    pub fn from_blocks(dag: &Acyclic, cfg: &Cfg, blocks: &[BlockId]) -> Result<Self, PathError> {
        let (&first, &last) = blocks.first().zip(blocks.last()).ok_or(PathError::Empty)?;
        let mut edges = Vec::with_capacity(blocks.len() + 1);
        if first != dag.entry() {
            let start = one_edge(dag, cfg, dag.entry(), first, is_start);
            edges.push(start.map_err(|e| if_none(e, PathError::NoStart(cfg.name(first).into())))?);
        }
        for pair in blocks.windows(2) {
            let real = one_edge(dag, cfg, pair[0], pair[1], is_real);
            let any = |e| match e {
                PathError::NoEdge { .. } => one_edge(dag, cfg, pair[0], pair[1], |_| true),
                other => Err(other),
            };
            edges.push(real.or_else(any)?);
        }
        if last != dag.exit() {
            let stop = one_edge(dag, cfg, last, dag.exit(), is_stop);
            edges.push(stop.map_err(|e| if_none(e, PathError::NoEnd(cfg.name(last).into())))?);
        }
        Ok(DagPath { edges })
    }

    /// The edges.
    pub fn edges(&self) -> &[DagEdgeId] {
        &self.edges
    }

    /// The way back to the program: the blocks and edges the path stands for.
    pub fn walk(&self, dag: &Acyclic) -> Walk {
        let mut walk = Walk {
            blocks: vec![dag.entry()],
            edges: Vec::new(),
            end: PathEnd::Exit,
        };
        for &edge in &self.edges {
            match dag.kind(edge) {
                DagEdge::Real(real) => {
                    walk.edges.push(*real);
                    walk.blocks.push(dag.ends(edge).1);
                }
                DagEdge::Start { .. } => walk.blocks = vec![dag.ends(edge).1],
                DagEdge::Stop { breaks, .. } => walk.end = PathEnd::Break(breaks.clone()),
            }
        }
        walk
    }

    /// The path as people write it: the blocks of its walk, and `...` where it is cut.
    pub fn text(&self, dag: &Acyclic, cfg: &Cfg) -> String {
        let walk = self.walk(dag);
        let mut names: Vec<&str> = walk.blocks.iter().map(|&b| cfg.name(b)).collect();
        if let Some(DagEdge::Start { .. }) = self.edges.first().map(|&e| dag.kind(e)) {
            names.insert(0, "...");
        }
        if walk.end != PathEnd::Exit {
            names.push("...");
        }
        names.join(" ")
    }
}

fn is_real(kind: &DagEdge) -> bool {
    matches!(kind, DagEdge::Real(_))
}

fn is_start(kind: &DagEdge) -> bool {
    matches!(kind, DagEdge::Start { .. })
}

fn is_stop(kind: &DagEdge) -> bool {
    matches!(kind, DagEdge::Stop { .. })
}

/// Replaces "no edge" by a better reason.
fn if_none(error: PathError, better: PathError) -> PathError {
    match error {
        PathError::NoEdge { .. } => better,
        other => other,
    }
}

/// The only edge of a kind between two blocks.
fn one_edge(
    dag: &Acyclic,
    cfg: &Cfg,
    from: BlockId,
    to: BlockId,
    kind: impl Fn(&DagEdge) -> bool,
) -> Result<DagEdgeId, PathError> {
    let fits = |&e: &DagEdgeId| dag.ends(e).1 == to && kind(dag.kind(e));
    let mut found = dag.out(from).iter().copied().filter(fits);
    let names = || (cfg.name(from).to_string(), cfg.name(to).to_string());
    match (found.next(), found.count()) {
        (None, _) => {
            let (from, to) = names();
            Err(PathError::NoEdge { from, to })
        }
        (Some(edge), 0) => Ok(edge),
        (Some(_), more) => {
            let (from, to) = names();
            let count = more + 1;
            Err(PathError::Ambiguous { from, to, count })
        }
    }
}

/// One execution cut into paths.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Segments {
    /// The paths that ended, in order.
    pub paths: Vec<DagPath>,
    /// The edges of the path under way when the execution stopped short of the exit.
    pub unfinished: Vec<DagEdgeId>,
}

impl Segments {
    /// Cuts an execution, the edges control takes from the entry on, into its paths. O(length).
    pub fn of(dag: &Acyclic, cfg: &Cfg, execution: &[EdgeId]) -> Result<Self, PathError> {
        let mut segments = Segments::default();
        let mut control = dag.entry();
        for (position, &edge) in execution.iter().enumerate() {
            let (from, to) = cfg.ends(edge);
            let crossing = dag.crossing(edge).filter(|_| from == control);
            match crossing {
                Some(Crossing::Inside(edge)) => segments.unfinished.push(edge),
                Some(Crossing::Break { stop, start }) => {
                    segments.unfinished.push(stop);
                    segments.close();
                    segments.unfinished.extend(start);
                }
                None => {
                    return Err(PathError::Gap {
                        position,
                        from: cfg.name(from).into(),
                        control: cfg.name(control).into(),
                    });
                }
            }
            control = to;
        }
        if control == dag.exit() {
            segments.close();
        }
        Ok(segments)
    }

    fn close(&mut self) {
        let edges = std::mem::take(&mut self.unfinished);
        self.paths.push(DagPath { edges });
    }
}
