//! Counters in given places, and whether they are enough.
use hpp_paths::counters::PrunedEdgeCounters;
use hpp_paths::graph::{Cfg, EdgeId};
use proptest::prelude::*;

use crate::linear::Flows;
use crate::random_executions::execute;
use crate::random_graphs::{graph, graph_of};
use crate::recovery::Exact;

/// Whether counts of these edges determine all counts of blocks, by linear algebra.
fn determined(cfg: &Cfg, counted: &[EdgeId]) -> bool {
    let flows = Flows::of(cfg);
    let counted: Vec<_> = counted.iter().map(|&edge| flows.edge(edge)).collect();
    let blocks: Vec<_> = cfg.blocks().map(|block| flows.block(block)).collect();
    flows.determine(&counted, &blocks)
}

proptest! {
    /// Whether given counters are enough for blocks is decided as linear algebra does, and what they count is recovered.
    #[test]
    fn any_counters_are_enough_or_not(
        cfg in graph(2..10),
        has in prop::collection::vec(prop::bool::weighted(0.6), 40),
        choices in prop::collection::vec(prop::collection::vec(any::<u8>(), 0..60), 0..4),
    ) {
        let counted: Vec<EdgeId> = cfg.edges().filter(|edge| has[edge.index() % has.len()]).collect();
        let counters = PrunedEdgeCounters::at(&cfg, &counted);
        prop_assert_eq!(counters.is_ok(), determined(&cfg, &counted));
        let Ok(counters) = counters else { return Ok(()) };
        let calls: Vec<_> = choices.iter().map(|choices| execute(&cfg, choices)).collect();
        let mut ran = counters.places().counters();
        for call in &calls {
            ran.call(call).expect("an execution");
        }
        let profile = counters.profile(&ran).expect("counts of an execution");
        let exact = Exact::of(&cfg, &calls);
        prop_assert!(cfg.blocks().all(|block| profile.block(block) == exact.blocks[block.index()]));
    }
}

/// Two cycles without a pipe that meet in a block, and so make one with a pipe that is not simple (figure 9).
#[test]
fn cycles_that_meet_in_a_block_may_be_without_counters() {
    let cfg = graph_of("s a, s b, a c, a m, b c, b m, m d, m e, c f, f d, f e, d t, e t");
    let free = [2, 3, 4, 5, 6, 7, 9, 10];
    let counted: Vec<EdgeId> = cfg
        .edges()
        .filter(|edge| !free.contains(&edge.index()))
        .collect();
    let counters = PrunedEdgeCounters::at(&cfg, &counted).expect("both cycles are without a pipe");
    assert_eq!(counters.removed().len(), 2);
    let mut ran = counters.places().counters();
    // s a m d t, and s b c f e t.
    for call in [&[0, 3, 6, 11][..], &[1, 4, 8, 10, 12]] {
        ran.call(
            &call
                .iter()
                .map(|&edge| EdgeId::new(edge))
                .collect::<Vec<_>>(),
        )
        .expect("an execution");
    }
    let profile = counters.profile(&ran).expect("counts of an execution");
    assert_eq!(profile.block(cfg.find("m").expect("a block")), 1);
}
