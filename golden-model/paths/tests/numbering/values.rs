//! Values on edges.
use hpp_paths::Number;
use hpp_paths::graph::Acyclic;
use hpp_paths::numbering::EdgeValues;
use proptest::prelude::*;

use crate::graphs::graph;

proptest! {
    /// Values are equal exactly if they are so on each edge; those other than 0 are what a probe is needed for.
    #[test]
    fn values_are_told_apart_by_each_edge(
        cfg in graph(2..10), drawn in prop::collection::vec(-2..3i64, 8),
        edge in any::<prop::sample::Index>(), other in -2..3i64,
    ) {
        let dag = Acyclic::depth_first(&cfg);
        let value = |at: usize| Number::from(drawn[at % drawn.len()]);
        let values = EdgeValues::from_fn(&dag, |edge| value(edge.index()));
        let edge = dag.edges().nth(edge.index(dag.edge_count())).expect("an edge");
        let mut changed = values.clone();
        changed.set(edge, other.into());
        prop_assert_eq!(changed == values, value(edge.index()) == other.into());
        prop_assert_eq!(changed.get(edge), &other.into());
        let zeros = dag.edges().filter(|&edge| values.get(edge).is_zero()).count();
        prop_assert_eq!(values.probes(), dag.edge_count() - zeros);
    }
}
