//! Common prefixes of interesting paths, distinguished by small integers.
//!
//! Sorted by their edges, the paths that share a prefix are neighbours, so a prefix can be named by the first of
//! them, its *leader*. The length of the longest common prefix of neighbours shows where a new leader begins.
//! Prefixes are never stored or compared: for P paths of at most L edges the table takes O(P L) time and space,
//! after a sort.
use super::interesting::Interesting;
use crate::graph::DagEdgeId;

/// One interesting path on one edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Passage {
    /// Rank of the path in the sorted order.
    pub path: u32,
    /// Leader of the prefix with which the path arrives at the edge's source. Unique among the
    /// prefixes that end at that block.
    pub prefix: u32,
}

/// For every edge the interesting paths that take it.
pub(super) struct Prefixes {
    /// Passages of all edges; those of edge `e` are `starts[e]..starts[e + 1]`, by rank.
    passages: Vec<Passage>,
    starts: Vec<usize>,
    /// The position in the interesting set for each rank.
    order: Vec<usize>,
}

impl Prefixes {
    pub fn new(interesting: &Interesting) -> Self {
        let (dag, paths) = (interesting.dag(), interesting.paths());
        let mut order: Vec<usize> = (0..paths.len()).collect();
        order.sort_by(|&a, &b| paths[a].edges().cmp(paths[b].edges()));
        let mut starts = vec![0; dag.edge_count() + 1];
        for edge in paths.iter().flat_map(|p| p.edges()) {
            starts[edge.index() + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut table = Prefixes {
            passages: vec![Passage { path: 0, prefix: 0 }; starts[dag.edge_count()]],
            starts,
            order,
        };
        table.fill(interesting);
        table
    }

    fn fill(&mut self, interesting: &Interesting) {
        let mut next = self.starts.clone();
        let mut leaders: Vec<u32> = Vec::new();
        let mut above: &[DagEdgeId] = &[];
        for (rank, &position) in (0u32..).zip(&self.order) {
            let edges = interesting.paths()[position].edges();
            let shared = above.iter().zip(edges).take_while(|(a, b)| a == b).count();
            // The prefix before edge `at` is shared when the first `at` edges are.
            leaders.truncate(shared + 1);
            leaders.resize(edges.len(), rank);
            for (edge, &prefix) in edges.iter().zip(&leaders) {
                let slot = &mut next[edge.index()];
                self.passages[*slot] = Passage { path: rank, prefix };
                *slot += 1;
            }
            above = edges;
        }
    }

    /// The passages over an edge, by rank: those with one prefix stand side by side.
    pub fn over(&self, edge: DagEdgeId) -> &[Passage] {
        &self.passages[self.starts[edge.index()]..self.starts[edge.index() + 1]]
    }

    /// The position in the interesting set for each rank.
    pub fn order(&self) -> &[usize] {
        &self.order
    }
}
