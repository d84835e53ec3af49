//! The control-flow graph of a graph that a compiler has.
use petgraph::graph::DiGraph;
use petgraph::visit::{EdgeRef, IntoEdgeReferences, IntoNodeIdentifiers, NodeIndexable};

use super::cfg::{Cfg, CfgError};
use super::flow::{BlockId, Names};

/// What an edge of an imported graph stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin<E> {
    /// An edge of the compiler's graph.
    Edge(E),
    /// The call at this position (from 0) among those of a block, which goes on after it.
    Call(usize),
    /// The end of a block without successors: a return, or a call that does not come back.
    End,
}

impl<N: Copy, E: Copy> Cfg<Option<N>, Origin<E>> {
    /// The graph of any petgraph graph, also one with holes. O(V + E), and the calls.
    ///
    /// The blocks without successors, however many, lead to an exit that is added (it stands for no node). A block with
    /// calls becomes several in a row with a call between two of them, as a [`Procedure`](crate::interprocedural::Procedure)
    /// wants it; who follows no calls says that there are none. Blocks are named by their index, those after a call by
    /// index and position (`3.1`).
    ///
    /// ```
    /// use hpp_paths::graph::{Cfg, Origin};
    /// use hpp_paths::petgraph::graph::DiGraph;
    /// // One block returns, the other aborts; the first calls once.
    /// let mut code = DiGraph::<&str, ()>::new();
    /// let [test, done, abort] = ["test", "ret", "abort"].map(|text| code.add_node(text));
    /// let fails = code.add_edge(test, abort, ());
    /// code.add_edge(test, done, ());
    /// let cfg = Cfg::import(&code, test, |block| usize::from(block == test))?;
    /// let names: Vec<_> = cfg.edges().map(|edge| cfg.edge_name(edge)).collect();
    /// assert_eq!(names, ["0 -> 0.1", "0.1 -> 2", "0.1 -> 1", "1 -> exit", "2 -> exit"]);
    /// let origins: Vec<_> = cfg.edges().map(|edge| *cfg.edge(edge)).collect();
    /// assert_eq!(origins[..2], [Origin::Call(0), Origin::Edge(fails)]);
    /// assert_eq!(origins[3..], [Origin::End; 2]);
    /// # Ok::<(), hpp_paths::graph::CfgError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the entry is no node.
    pub fn import<G>(graph: G, entry: N, calls: impl Fn(N) -> usize) -> Result<Self, CfgError>
    where
        G: IntoNodeIdentifiers<NodeId = N, EdgeId = E> + IntoEdgeReferences + NodeIndexable,
    {
        let mut flow = DiGraph::new();
        let mut names = Vec::new();
        let mut pieces: Vec<Option<(BlockId, BlockId)>> = vec![None; graph.node_bound()];
        for node in graph.node_identifiers() {
            let index = graph.to_index(node);
            let first = flow.add_node(Some(node));
            names.push(index.to_string());
            let mut last = first;
            for call in 0..calls(node) {
                let after = flow.add_node(Some(node));
                names.push(format!("{index}.{}", call + 1));
                flow.add_edge(last, after, Origin::Call(call));
                last = after;
            }
            pieces[index] = Some((first, last));
        }
        let piece = |node: N| pieces.get(graph.to_index(node)).copied().flatten();
        for edge in graph.edge_references() {
            if let Some(((_, from), (to, _))) = piece(edge.source()).zip(piece(edge.target())) {
                flow.add_edge(from, to, Origin::Edge(edge.id()));
            }
        }
        let ends: Vec<BlockId> = flow.externals(petgraph::Outgoing).collect();
        let exit = flow.add_node(None);
        names.push("exit".into());
        for end in ends {
            flow.add_edge(end, exit, Origin::End);
        }
        let none = CfgError::NoSuchBlock(graph.to_index(entry));
        let (entry, _) = piece(entry).ok_or(none)?;
        Self::checked(flow, entry, Some(exit), Names::given(names))
    }
}
