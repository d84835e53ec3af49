//! Graphs built block by block, by name.
use petgraph::graph::DiGraph;
use rustc_hash::FxHashMap;

use super::cfg::{Cfg, CfgError};
use super::edge::{Edge, EdgeClass};
use super::flow::{BlockId, EdgeId, Names};

/// Collects named blocks and edges, then checks them. For data of your own build a petgraph graph and give it to
/// [`Cfg::new`].
#[derive(Clone, Debug, Default)]
pub struct CfgBuilder {
    /// Blocks with their addresses.
    graph: DiGraph<Option<u64>, Edge, u32>,
    names: Vec<String>,
    blocks: FxHashMap<String, BlockId>,
    entry: Option<BlockId>,
    exit: Option<BlockId>,
}

impl CfgBuilder {
    /// The block of this name, declared by this if it is new.
    pub fn block(&mut self, name: &str) -> BlockId {
        if let Some(&block) = self.blocks.get(name) {
            return block;
        }
        let block = self.graph.add_node(None);
        self.names.push(name.into());
        self.blocks.insert(name.into(), block);
        block
    }

    /// The block of this name, if it was declared.
    pub fn find(&self, name: &str) -> Option<BlockId> {
        self.blocks.get(name).copied()
    }

    /// Gives a block its address.
    pub fn address(&mut self, block: BlockId, address: u64) {
        self.graph[block] = Some(address);
    }

    /// Adds an edge; one beside an equal edge is a second, parallel edge.
    pub fn edge(&mut self, from: BlockId, to: BlockId, edge: Edge) -> EdgeId {
        self.graph.add_edge(from, to, edge)
    }

    /// The class an edge has by the addresses of its ends: backward when the target does not lie
    /// after the source. Blocks without addresses make it forward.
    pub fn class_by_address(&self, from: BlockId, to: BlockId) -> EdgeClass {
        match (self.graph[from], self.graph[to]) {
            (Some(from), Some(to)) if to <= from => EdgeClass::Backward,
            _ => EdgeClass::Forward,
        }
    }

    /// Gives an edge its [class by address](Self::class_by_address).
    pub fn classify_by_address(&mut self, edge: EdgeId) {
        let ends = self.graph.edge_endpoints(edge);
        let (from, to) = ends.expect("edges are never removed");
        self.graph[edge].class = self.class_by_address(from, to);
    }

    /// Names the entry; otherwise it is the first block.
    pub fn entry(&mut self, block: BlockId) {
        self.entry = Some(block);
    }

    /// Names the exit; otherwise it is the only block without a successor.
    pub fn exit(&mut self, block: BlockId) {
        self.exit = Some(block);
    }

    /// Checks the graph. O(V + E).
    ///
    /// # Errors
    ///
    /// If entry or exit is ambiguous, or control comes to an end elsewhere than at the exit.
    pub fn build(self) -> Result<Cfg, CfgError> {
        let first = self.graph.node_indices().next();
        let entry = self.entry.or(first).ok_or(CfgError::NoBlocks)?;
        Cfg::checked(self.graph, entry, self.exit, Names::given(self.names))
    }
}

impl Cfg {
    /// The graph of these edges, in this order; the entry is the first block, the exit the only
    /// one without a successor. O(V + E).
    ///
    /// # Errors
    ///
    /// If they make no graph.
    pub fn from_edges<'a>(
        edges: impl IntoIterator<Item = (&'a str, &'a str)>,
    ) -> Result<Self, CfgError> {
        let mut builder = CfgBuilder::default();
        for (from, to) in edges {
            let (from, to) = (builder.block(from), builder.block(to));
            builder.edge(from, to, Edge::default());
        }
        builder.build()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_what_would_have_been_right() {
        let error = |edges: &[(&'static str, &'static str)]| {
            Cfg::from_edges(edges.iter().copied())
                .expect_err("refused")
                .to_string()
        };
        assert_eq!(
            error(&[]),
            "the graph has no blocks; declare at least its entry"
        );
        assert_eq!(
            error(&[("a", "b"), ("b", "a")]),
            "every block has a successor, so no block can be the exit; add one, with edges to it from where control leaves"
        );
        assert_eq!(
            error(&[("a", "b"), ("a", "c")]),
            "2 blocks have no successor (`b`, `c`); name one as the exit and lead the others to it"
        );
    }

    #[test]
    fn the_exit_ends_control_and_nothing_else_does() {
        let mut builder = CfgBuilder::default();
        let [a, b, c] = ["a", "b", "c"].map(|n| builder.block(n));
        builder.edge(a, b, Edge::default());
        builder.edge(a, c, Edge::default());
        builder.exit(b);
        let dead_end = builder.clone().build().expect_err("c is a dead end");
        assert_eq!(dead_end, CfgError::DeadEnd("c".into()));
        builder.edge(c, b, Edge::default());
        assert!(builder.clone().build().is_ok());
        builder.edge(b, a, Edge::default());
        let error = builder.build().expect_err("the exit has a successor");
        assert_eq!(
            error.to_string(),
            "the exit `b` has an edge to `a`; add a block for the exit alone"
        );
    }

    #[test]
    fn blocks_nothing_reaches_may_be_anything() {
        let mut builder = CfgBuilder::default();
        let [a, b, lost] = ["a", "b", "lost"].map(|n| builder.block(n));
        builder.edge(a, b, Edge::default());
        builder.edge(lost, lost, Edge::default());
        let cfg = builder.build().expect("a graph");
        assert_eq!(cfg.reachable(), [true, true, false]);
    }

    #[test]
    fn addresses_tell_backward_edges() {
        let mut builder = CfgBuilder::default();
        let [a, b] = ["a", "b"].map(|n| builder.block(n));
        builder.address(a, 0x100);
        builder.address(b, 0x108);
        assert_eq!(builder.class_by_address(a, b), EdgeClass::Forward);
        assert_eq!(builder.class_by_address(b, a), EdgeClass::Backward);
        assert_eq!(builder.class_by_address(a, a), EdgeClass::Backward);
    }

    #[test]
    fn graphs_without_names_go_by_position() {
        let mut graph = DiGraph::<(), ()>::new();
        let [a, b, c] = [(); 3].map(|()| graph.add_node(()));
        graph.extend_with_edges([(a, b), (a, c)]);
        let error = Cfg::new(graph.clone(), a, b).expect_err("c is a dead end");
        assert_eq!(error, CfgError::DeadEnd("2".into()));
        let error = Cfg::new(graph.clone(), a, BlockId::new(7)).expect_err("no block 7");
        assert_eq!(error, CfgError::NoSuchBlock(7));
        graph.add_edge(c, b, ());
        let cfg = Cfg::new(graph, a, b).expect("a graph");
        assert_eq!(cfg.edge_name(EdgeId::new(1)), "0 -> 2");
        assert_eq!(cfg.find("2"), Some(c));
        for nobody in ["3", "4294967298", "+2", "02", ""] {
            assert_eq!(cfg.find(nobody), None, "{nobody}");
        }
    }
    /// Of blocks that could all be the exit five are named, and it is said when there are more.
    #[test]
    fn the_first_few_of_many_exits_are_named() {
        let error = |exits: usize| {
            let names: Vec<String> = (0..exits).map(|exit| exit.to_string()).collect();
            let edges = names.iter().map(|name| ("entry", name.as_str()));
            let error = Cfg::from_edges(edges).expect_err("several exits");
            assert_eq!(error, CfgError::ManyExits(names.clone()));
            error.to_string()
        };
        let remedy = "; name one as the exit and lead the others to it";
        for (exits, named) in [
            (5, "(`0`, `1`, `2`, `3`, `4`)"),
            (6, "(`0`, `1`, `2`, `3`, `4`, ...)"),
            (7, "(`0`, `1`, `2`, `3`, `4`, ...)"),
        ] {
            assert_eq!(
                error(exits),
                format!("{exits} blocks have no successor {named}{remedy}")
            );
        }
    }
}
