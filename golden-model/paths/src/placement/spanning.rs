//! Moving the values of a numbering onto few, rarely taken edges.
//!
//! Close the acyclic form with an edge from its exit to its entry and take a spanning tree that holds this edge.
//! Values can be changed so that every edge of the tree has 0 and every path keeps its sum:
//!
//! 1. Give each block a potential, the sum of the values on its path through the tree.
//! 2. Add to every other edge, a *chord*, the difference of potential between its source and its target.
//!
//! Along a path the differences cancel, because entry and exit have the same potential. A tree of maximal weight
//! leaves the chords where little runs.
//!
//! From Ball, "Efficiently Counting Program Events with Support for On-line Queries" (1994), as used
//! by Ball and Larus, "Efficient Path Profiling" (1996).
use petgraph::unionfind::UnionFind;

use crate::Number;
use crate::graph::{Acyclic, BlockId, DagEdgeId, Weights};
use crate::numbering::EdgeValues;

/// For each edge (weight, source, target) whether it is in a spanning forest of maximal weight that also holds the edges
/// `joined`: Kruskal's algorithm, edges from the heaviest down, each unless it closes a cycle; equal ones in their
/// order. O(E log E).
pub(crate) fn maximal_forest(
    vertices: usize,
    joined: impl IntoIterator<Item = (usize, usize)>,
    edges: impl IntoIterator<Item = (f64, usize, usize)>,
) -> Vec<bool> {
    let mut components = UnionFind::new(vertices);
    for (from, to) in joined {
        components.union(from, to);
    }
    let edges: Vec<(f64, usize, usize)> = edges.into_iter().collect();
    let mut order: Vec<usize> = (0..edges.len()).collect();
    order.sort_by(|&a, &b| edges[b].0.total_cmp(&edges[a].0));
    let mut member = vec![false; edges.len()];
    for edge in order {
        let (_, from, to) = edges[edge];
        member[edge] = components.union(from, to);
    }
    member
}

/// A spanning tree of an [`Acyclic`] closed from exit to entry.
///
/// ```
/// use hpp_paths::graph::{Acyclic, Cfg, Weights};
/// use hpp_paths::numbering::BallLarus;
/// use hpp_paths::placement::SpanningTree;
/// // Figure 3.4 (a) of Vaswani's thesis.
/// let cfg = Cfg::from_edges([
///     ("s", "a"), ("s", "b"), ("a", "c"), ("a", "b"), ("b", "c"), ("c", "d"), ("c", "t"), ("d", "t"),
/// ])?;
/// let dag = Acyclic::depth_first(&cfg);
/// let numbering = BallLarus::new(&dag)?;
/// let tree = SpanningTree::maximal(&dag, &Weights::heuristic(&cfg));
/// // 8 edges and 6 blocks: the closing edge and 4 others make the tree.
/// assert_eq!(dag.edges().filter(|&edge| tree.is_chord(edge)).count(), 4);
/// let increments = tree.increments(&numbering.values());
/// for number in 0..6u32 {
///     let path = numbering.path(&number.into())?;
///     assert_eq!(increments.sum(&path), number.into());
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SpanningTree {
    member: Vec<bool>,
}

impl SpanningTree {
    /// The tree of maximal weight; of equal edges the first ones. O(E log E).
    pub fn maximal(dag: &Acyclic, weights: &Weights) -> Self {
        let ends = |e: DagEdgeId| {
            let (from, to) = dag.ends(e);
            (weights.dag_edge(dag, e), from.index(), to.index())
        };
        let closing = (dag.exit().index(), dag.entry().index());
        let member = maximal_forest(dag.block_count(), [closing], dag.edges().map(ends));
        SpanningTree { member }
    }

    /// The tree without edges, under which every edge is a chord and keeps its value.
    pub fn empty(dag: &Acyclic) -> Self {
        SpanningTree {
            member: vec![false; dag.edge_count()],
        }
    }

    /// Whether an edge is outside of the tree.
    pub fn is_chord(&self, edge: DagEdgeId) -> bool {
        !self.member[edge.index()]
    }

    /// The increments: values with the same sum along every path, 0 on the tree. O(V + E).
    pub fn increments(&self, values: &EdgeValues) -> EdgeValues {
        let dag = values.dag();
        let potentials = self.potentials(values);
        EdgeValues::from_fn(dag, |edge| {
            let (from, to) = dag.ends(edge);
            &potentials[from.index()] - &potentials[to.index()] + values.get(edge)
        })
    }

    /// For each block the values on the way to it through the tree, against edges counting
    /// negative.
    fn potentials(&self, values: &EdgeValues) -> Vec<Number> {
        let dag = values.dag();
        let mut potentials = vec![Number::ZERO; dag.block_count()];
        let mut done = vec![false; dag.block_count()];
        // Entry and exit are joined by the closing edge, which has the value 0.
        let mut open: Vec<BlockId> = vec![dag.entry(), dag.exit()];
        open.iter().for_each(|b| done[b.index()] = true);
        while let Some(block) = open.pop() {
            let edges = dag.out(block).iter().chain(dag.incoming(block));
            for &edge in edges.filter(|e| !self.is_chord(**e)) {
                let (from, to) = dag.ends(edge);
                let next = if from == block { to } else { from };
                if !std::mem::replace(&mut done[next.index()], true) {
                    let (here, value) = (&potentials[block.index()], values.get(edge));
                    potentials[next.index()] = if from == block {
                        here + value
                    } else {
                        here - value
                    };
                    open.push(next);
                }
            }
        }
        potentials
    }
}
