//! No cheaper counters do, by trying all of small graphs.
use hpp_paths::counters::{BlockCounters, CounterPlaces, EdgeCounters, PrunedEdgeCounters};
use hpp_paths::graph::{BlockId, Cfg, EdgeId, Weights};
use proptest::prelude::*;

use crate::linear::Flows;
use crate::random_graphs::graph;

/// Graphs with at most so many edges have all subsets of edges and of blocks tried.
const SMALL: usize = 9;

fn small() -> impl Strategy<Value = (Cfg, Weights)> {
    let small = graph(2..6).prop_filter("few edges", |cfg| cfg.edges().len() <= SMALL);
    (small, prop::collection::vec(0..9u32, SMALL)).prop_map(|(cfg, values)| {
        let weights = Weights::from_fn(&cfg, |edge| f64::from(values[edge.index()]));
        (cfg, weights)
    })
}

/// The least cost of a subset that does.
fn cheapest<T: Copy>(all: &[T], cost: impl Fn(T) -> f64, does: impl Fn(&[T]) -> bool) -> f64 {
    let mut least = f64::INFINITY;
    for mask in 0..1u32 << all.len() {
        let chosen: Vec<T> = (0..all.len())
            .filter(|i| mask >> i & 1 == 1)
            .map(|i| all[i])
            .collect();
        let cost: f64 = chosen.iter().map(|&one| cost(one)).sum();
        if cost < least && does(&chosen) {
            least = cost;
        }
    }
    least
}

/// Rows of the places and of all blocks.
fn rows(flows: &Flows, cfg: &Cfg, places: &CounterPlaces) -> [Vec<Vec<i64>>; 2] {
    let edges = places.edges().map(|e| flows.edge(e));
    let counted = edges.chain(places.blocks().map(|b| flows.block(b)));
    [counted.collect(), blocks(flows, cfg)]
}

fn blocks(flows: &Flows, cfg: &Cfg) -> Vec<Vec<i64>> {
    cfg.blocks().map(|b| flows.block(b)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn no_cheaper_edge_counters_tell_every_edge((cfg, weights) in small()) {
        let flows = Flows::of(&cfg);
        let all: Vec<Vec<i64>> = flows.edges().iter().map(|&e| flows.edge(e)).collect();
        let does = |edges: &[EdgeId]| {
            let counted: Vec<_> = edges.iter().map(|&e| flows.edge(e)).collect();
            flows.determine(&counted, &all)
        };
        let least = cheapest(flows.edges(), |e| weights.edge(e), does);
        let ours = EdgeCounters::optimal(&cfg, &weights);
        prop_assert_eq!(ours.places().cost(&weights), least);
    }

    #[test]
    fn no_spanning_tree_has_dearer_chords_than_the_worst((cfg, weights) in small()) {
        let flows = Flows::of(&cfg);
        let all: Vec<Vec<i64>> = flows.edges().iter().map(|&e| flows.edge(e)).collect();
        let worst = EdgeCounters::worst(&cfg, &weights);
        let does = |edges: &[EdgeId]| {
            let counted: Vec<_> = edges.iter().map(|&e| flows.edge(e)).collect();
            edges.len() == worst.places().edges().count() && flows.determine(&counted, &all)
        };
        let most = -cheapest(flows.edges(), |e| -weights.edge(e), does);
        prop_assert_eq!(worst.places().cost(&weights), most);
    }

    #[test]
    fn no_cheaper_block_counters_tell_every_block((cfg, weights) in small()) {
        let flows = Flows::of(&cfg);
        let reached = cfg.reachable();
        let reachable: Vec<BlockId> = cfg.blocks().filter(|b| reached[b.index()]).collect();
        let does = |counted: &[BlockId]| {
            let counted: Vec<_> = counted.iter().map(|&b| flows.block(b)).collect();
            flows.determine(&counted, &blocks(&flows, &cfg))
        };
        let least = cheapest(&reachable, |b| weights.block(&cfg, b), does);
        let ours = BlockCounters::optimal(&cfg, &weights);
        prop_assert_eq!(ours.places().cost(&weights), least);
    }

    #[test]
    fn pruned_edge_counters_do_and_cost_between_the_optimum_and_all((cfg, weights) in small()) {
        let flows = Flows::of(&cfg);
        let does = |edges: &[EdgeId]| {
            let counted: Vec<_> = edges.iter().map(|&e| flows.edge(e)).collect();
            flows.determine(&counted, &blocks(&flows, &cfg))
        };
        let least = cheapest(flows.edges(), |e| weights.edge(e), does);
        let ours = PrunedEdgeCounters::heuristic(&cfg, &weights);
        let [counted, all] = rows(&flows, &cfg, ours.places());
        prop_assert!(flows.determine(&counted, &all));
        let unpruned = EdgeCounters::optimal(&cfg, &weights).places().cost(&weights);
        prop_assert!((least..=unpruned).contains(&ours.places().cost(&weights)));
        // No more can be taken away.
        for edge in ours.places().edges() {
            let rest: Vec<EdgeId> = ours.places().edges().filter(|&e| e != edge).collect();
            prop_assert!(!does(&rest));
        }
    }
}
