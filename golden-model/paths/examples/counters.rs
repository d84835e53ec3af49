//! Edge counts of a procedure from as few counters as do, beside a counter in each block.

use hpp_paths::counters::{BlockCounters, CounterPlaces, EdgeCounters};
use hpp_paths::graph::{Cfg, EdgeId, Weights};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A loop around a branch that is left in its middle.
    let cfg = Cfg::from_edges([
        ("entry", "test"),
        ("test", "odd"),
        ("test", "even"),
        ("odd", "join"),
        ("even", "join"),
        ("join", "next"),
        ("join", "exit"),
        ("next", "test"),
    ])?;
    // Guessed from the shape of the graph, before the program has run.
    let weights = Weights::heuristic(&cfg);
    let placement = EdgeCounters::optimal(&cfg, &weights);
    let mut counters = placement.places().counters();
    let mut redundant = CounterPlaces::redundant(&cfg).counters();
    for rounds in 1..=9 {
        let bodies = (0..rounds).flat_map(|i| {
            if i % 3 == 0 {
                [1, 3, 5, 7]
            } else {
                [2, 4, 5, 7]
            }
        });
        let mut edges: Vec<usize> = [0].into_iter().chain(bodies).collect();
        edges.truncate(edges.len() - 2);
        edges.push(6);
        let execution: Vec<EdgeId> = edges.into_iter().map(EdgeId::new).collect();
        counters.call(&execution)?;
        redundant.call(&execution)?;
    }
    let profile = placement.profile(&counters)?;
    for edge in cfg.edges() {
        let counted = if placement.places().has_edge(edge) {
            "counted"
        } else {
            ""
        };
        println!(
            "{:>16} {:>4} {counted}",
            cfg.edge_name(edge),
            profile.edge(edge)
        );
    }
    println!(
        "{} increments, {} with a counter in each block",
        counters.increments(),
        redundant.increments()
    );
    let blocks = BlockCounters::optimal(&cfg, &weights);
    println!(
        "blocks alone: {} counters in blocks",
        blocks.places().count()
    );
    Ok(())
}
