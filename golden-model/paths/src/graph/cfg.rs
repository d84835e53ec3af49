//! The control-flow graph of one procedure.
//!
//! Blocks are the vertices and transfers of control the edges of a petgraph [`DiGraph`], with any data on either. The
//! graph has one entry and one exit; parallel edges (the cases of a switch), self loops, irreducible loops
//! and unreachable blocks are all allowed. What is checked when the graph is built: every block
//! that control can reach either is the exit or has a successor, and the exit has none. (Ball and
//! Larus, "Optimally Profiling and Tracing Programs", section 2, also ask that the exit can be
//! reached from every block; a procedure that never returns is fine here, because its paths end
//! where its loops are cut.)
use std::fmt;
use std::ops::Deref;

use petgraph::graph::DiGraph;
use thiserror::Error;

use super::edge::Edge;
use super::flow::{BlockId, EdgeId, Flow, Names};

/// Why blocks and edges do not make a control-flow graph. Blocks are named, or counted from 0 where they have no name.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum CfgError {
    #[error("the graph has no blocks; declare at least its entry")]
    NoBlocks,
    #[error("block {0} (from 0) is no block of the graph; name one that is")]
    NoSuchBlock(usize),
    #[error(
        "every block has a successor, so no block can be the exit; add one, with edges to it from where control leaves"
    )]
    NoExit,
    #[error("{} blocks have no successor ({}); name one as the exit and lead the others to it",
        .0.len(), list(.0))]
    ManyExits(Vec<String>),
    #[error("the exit `{exit}` has an edge to `{to}`; add a block for the exit alone")]
    ExitHasSuccessor { exit: String, to: String },
    #[error("block `{0}` has no successor and is not the exit; add an edge from it to the exit")]
    DeadEnd(String),
}

/// Quotes the first few names.
fn list(names: &[String]) -> String {
    const SHOWN: usize = 5;
    let mut text: Vec<String> = names.iter().take(SHOWN).map(|n| format!("`{n}`")).collect();
    if names.len() > SHOWN {
        text.push("...".into());
    }
    text.join(", ")
}

/// A checked control-flow graph with data of type `N` on its blocks and `E` on its edges.
///
/// The data are the caller's own; no algorithm here looks at them. What algorithms look at is the [`Flow`], to which a
/// graph dereferences. The types that stand for nothing said are those of the [text format](crate::format): the
/// address of a block, and an [`Edge`].
///
/// From an existing graph:
///
/// ```
/// use hpp_paths::graph::{Acyclic, Cfg};
/// use hpp_paths::numbering::BallLarus;
/// use hpp_paths::petgraph::graph::DiGraph;
/// let mut graph = DiGraph::new();
/// let [test, then, end] = ["if x < 1", "x = 1", "return x"].map(|code| graph.add_node(code));
/// graph.extend_with_edges([(test, then, "true"), (test, end, "false"), (then, end, "")]);
/// let cfg = Cfg::new(graph, test, end)?;
/// let numbering = BallLarus::new(&Acyclic::depth_first(&cfg))?;
/// assert_eq!(numbering.paths(), 2u32.into());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// From names:
///
/// ```
/// use hpp_paths::graph::Cfg;
/// let cfg = Cfg::from_edges([("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])?;
/// assert_eq!(cfg.name(cfg.exit()), "d");
/// # Ok::<(), hpp_paths::graph::CfgError>(())
/// ```
#[derive(Clone)]
pub struct Cfg<N = Option<u64>, E = Edge> {
    graph: DiGraph<N, E, u32>,
    flow: Flow,
}

impl<N, E> Cfg<N, E> {
    /// An existing graph, whose blocks go by their positions. O(V + E).
    ///
    /// # Errors
    ///
    /// If a block that control can reach goes nowhere, or the exit does go somewhere.
    pub fn new(graph: DiGraph<N, E, u32>, entry: BlockId, exit: BlockId) -> Result<Self, CfgError> {
        Self::checked(graph, entry, Some(exit), Names::Positions)
    }

    /// An existing graph, with a name for each block, best a different one. O(V + E).
    ///
    /// # Errors
    ///
    /// As [`new`](Self::new); the errors name the blocks.
    pub fn named(
        graph: DiGraph<N, E, u32>,
        entry: BlockId,
        exit: BlockId,
        name: impl Fn(BlockId, &N) -> String,
    ) -> Result<Self, CfgError> {
        let names = graph.node_indices().map(|b| name(b, &graph[b])).collect();
        Self::checked(graph, entry, Some(exit), Names::given(names))
    }

    pub(crate) fn checked(
        graph: DiGraph<N, E, u32>,
        entry: BlockId,
        exit: Option<BlockId>,
        names: Names,
    ) -> Result<Self, CfgError> {
        for block in [Some(entry), exit].into_iter().flatten() {
            if block.index() >= graph.node_count() {
                return Err(CfgError::NoSuchBlock(block.index()));
            }
        }
        let exit = match exit {
            Some(exit) => exit,
            None => only_sink(&graph, &names)?,
        };
        let flow = Flow::new(&graph, entry, exit, names);
        check(&flow)?;
        Ok(Cfg { graph, flow })
    }

    /// The underlying graph.
    pub fn graph(&self) -> &DiGraph<N, E, u32> {
        &self.graph
    }

    /// The shape alone.
    pub fn flow(&self) -> &Flow {
        &self.flow
    }

    /// What is known of a block.
    pub fn block(&self, block: BlockId) -> &N {
        &self.graph[block]
    }

    /// What is known of an edge.
    pub fn edge(&self, edge: EdgeId) -> &E {
        &self.graph[edge]
    }
}

impl<N, E> Deref for Cfg<N, E> {
    type Target = Flow;
    fn deref(&self) -> &Flow {
        &self.flow
    }
}

/// Shows the edges as text, so that a failed property can be read.
impl<N, E: fmt::Debug> fmt::Debug for Cfg<N, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [entry, exit] = [self.entry(), self.exit()].map(|block| self.name(block));
        write!(f, "Cfg {entry} to {exit}: ")?;
        f.debug_list()
            .entries(self.edges().map(|e| (self.edge_name(e), self.edge(e))))
            .finish()
    }
}

/// The one block without successors.
fn only_sink<N, E>(graph: &DiGraph<N, E, u32>, names: &Names) -> Result<BlockId, CfgError> {
    let sinks: Vec<BlockId> = graph.externals(petgraph::Direction::Outgoing).collect();
    match sinks[..] {
        [] => Err(CfgError::NoExit),
        [exit] => Ok(exit),
        _ => Err(CfgError::ManyExits(
            sinks.iter().map(|&b| names.of(b).into()).collect(),
        )),
    }
}

/// Control ends at the exit and nowhere else.
fn check(flow: &Flow) -> Result<(), CfgError> {
    if let Some(&edge) = flow.successors(flow.exit()).first() {
        return Err(CfgError::ExitHasSuccessor {
            exit: flow.name(flow.exit()).into(),
            to: flow.name(flow.ends(edge).1).into(),
        });
    }
    let reached = flow.reachable();
    let stuck =
        |b: &BlockId| reached[b.index()] && *b != flow.exit() && flow.successors(*b).is_empty();
    match flow.blocks().find(stuck) {
        Some(block) => Err(CfgError::DeadEnd(flow.name(block).into())),
        None => Ok(()),
    }
}
