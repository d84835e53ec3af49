//! Paths of the acyclic form, and the routes through the program they stand for.
use std::borrow::Cow;

use thiserror::Error;

use super::acyclic::Acyclic;
use super::flow::{BlockId, EdgeId};
use super::form::{Crossing, DagEdge, DagEdgeId};

/// A path of an [`Acyclic`] from its entry to its exit, as the edges it takes. Edges and not
/// blocks, because parallel edges make different paths.
#[derive(
    Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
pub struct DagPath {
    edges: Vec<DagEdgeId>,
}

/// How a route ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathEnd {
    /// At the exit.
    Exit,
    /// By taking one of these broken edges.
    Break(Vec<EdgeId>),
}

/// What a path stands for: the blocks control goes through.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// The blocks, at least one. The first is the entry or the target of a broken edge.
    pub blocks: Vec<BlockId>,
    /// The edges between them, one fewer.
    pub edges: Vec<EdgeId>,
    /// How it ends, after the last block.
    pub end: PathEnd,
}

/// Why blocks or edges are not a path of a graph.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum PathError {
    #[error("a path has at least one block")]
    Empty,
    #[error("there is no edge from `{from}` to `{to}` that stays on one path")]
    NoEdge { from: String, to: String },
    #[error(
        "{count} edges lead from `{from}` to `{to}`, so blocks do not tell the path; \
         give its number instead"
    )]
    Ambiguous {
        from: String,
        to: String,
        count: usize,
    },
    #[error("no path begins at `{0}`; paths begin at the entry and at targets of broken edges")]
    NoStart(String),
    #[error("no path ends at `{0}`; paths end at the exit and at sources of broken edges")]
    NoEnd(String),
    #[error("edge {position} of the sequence leaves `{from}`, but control is in `{control}`")]
    Gap {
        position: usize,
        from: String,
        control: String,
    },
}

impl DagPath {
    /// The path of these edges. O(length).
    ///
    /// # Errors
    ///
    /// If they do not lead from the entry to the exit, one after the other.
    pub fn new(dag: &Acyclic, edges: Vec<DagEdgeId>) -> Result<Self, PathError> {
        let mut control = dag.entry();
        for (position, &edge) in edges.iter().enumerate() {
            let (from, to) = dag.ends(edge);
            if from != control {
                return Err(PathError::Gap {
                    position,
                    from: dag.flow().name(from).into(),
                    control: dag.flow().name(control).into(),
                });
            }
            control = to;
        }
        match control == dag.exit() {
            true => Ok(DagPath { edges }),
            false => Err(PathError::NoEnd(dag.flow().name(control).into())),
        }
    }

    /// A path known to lead from the entry to the exit.
    pub(crate) fn from_trusted(edges: Vec<DagEdgeId>) -> Self {
        DagPath { edges }
    }

    /// The path through these blocks.
    ///
    /// The list is either the route itself, or has entry and exit around it, as the literature writes paths of the acyclic form. For a
    /// path that a broken edge starts at block 4 and another ends at block 7, these are `4 5 7` and `1 4 5 7 8`. Where a real edge and a dummy join the same two blocks,
    /// the real one is meant.
    ///
    /// # Errors
    ///
    /// If there is no such path, or several, because edges run in parallel.
    pub fn from_blocks(dag: &Acyclic, blocks: &[BlockId]) -> Result<Self, PathError> {
        let (&first, &last) = blocks.first().zip(blocks.last()).ok_or(PathError::Empty)?;
        let mut edges = Vec::with_capacity(blocks.len() + 1);
        if first != dag.entry() {
            let start = one_edge(dag, dag.entry(), first, is_start);
            edges.push(
                start.map_err(|e| if_none(e, PathError::NoStart(dag.flow().name(first).into())))?,
            );
        }
        for pair in blocks.windows(2) {
            let real = one_edge(dag, pair[0], pair[1], is_real);
            let any = |e| match e {
                PathError::NoEdge { .. } => one_edge(dag, pair[0], pair[1], |_| true),
                other => Err(other),
            };
            edges.push(real.or_else(any)?);
        }
        if last != dag.exit() {
            let stop = one_edge(dag, last, dag.exit(), is_stop);
            edges.push(
                stop.map_err(|e| if_none(e, PathError::NoEnd(dag.flow().name(last).into())))?,
            );
        }
        Ok(DagPath { edges })
    }

    /// The same path in another acyclic form of the same graph, one that breaks what this one breaks and more, with dummies
    /// shared alike; `None` if the path takes an edge that is broken there. O(length).
    pub fn carried(&self, from: &Acyclic, to: &Acyclic) -> Option<DagPath> {
        let carry = |&edge: &DagEdgeId| match from.kind(edge) {
            DagEdge::Real(real) => match to.crossing(*real)? {
                Crossing::Inside(edge) => Some(edge),
                Crossing::Break { .. } => None,
            },
            DagEdge::Stop { breaks, .. } => match to.crossing(*breaks.first()?)? {
                Crossing::Break { stop, .. } => Some(stop),
                Crossing::Inside(_) => None,
            },
            DagEdge::Start { breaks } => match to.crossing(*breaks.first()?)? {
                Crossing::Break { start, .. } => start,
                Crossing::Inside(_) => None,
            },
        };
        let edges = self.edges.iter().map(carry).collect::<Option<_>>();
        edges.map(DagPath::from_trusted)
    }

    /// The edges.
    pub fn edges(&self) -> &[DagEdgeId] {
        &self.edges
    }

    /// The way back to the program: the blocks and edges the path stands for.
    pub fn route(&self, dag: &Acyclic) -> Route {
        let mut route = Route {
            blocks: vec![dag.entry()],
            edges: Vec::new(),
            end: PathEnd::Exit,
        };
        for &edge in &self.edges {
            match dag.kind(edge) {
                DagEdge::Real(real) => {
                    route.edges.push(*real);
                    route.blocks.push(dag.ends(edge).1);
                }
                DagEdge::Start { .. } => route.blocks = vec![dag.ends(edge).1],
                DagEdge::Stop { breaks, .. } => route.end = PathEnd::Break(breaks.clone()),
            }
        }
        route
    }

    /// The path as people write it: the blocks of its route, and `...` where it is cut.
    pub fn text(&self, dag: &Acyclic) -> String {
        let route = self.route(dag);
        let flow = dag.flow();
        let mut names: Vec<Cow<'_, str>> = route.blocks.iter().map(|&b| flow.name(b)).collect();
        if let Some(DagEdge::Start { .. }) = self.edges.first().map(|&e| dag.kind(e)) {
            names.insert(0, "...".into());
        }
        if route.end != PathEnd::Exit {
            names.push("...".into());
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
    from: BlockId,
    to: BlockId,
    kind: impl Fn(&DagEdge) -> bool,
) -> Result<DagEdgeId, PathError> {
    let fits = |&e: &DagEdgeId| dag.ends(e).1 == to && kind(dag.kind(e));
    let mut found = dag.out(from).iter().copied().filter(fits);
    let names = || {
        (
            dag.flow().name(from).to_string(),
            dag.flow().name(to).to_string(),
        )
    };
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
