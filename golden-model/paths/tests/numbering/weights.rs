//! The heuristic weights on loops and branches.
use hpp_paths::graph::{Cfg, Weights};
use proptest::prelude::*;

use crate::graphs::{graph, graph_of, read};
use crate::structured::structured;

/// Weights as text, by edge.
fn text(cfg: &Cfg) -> Vec<String> {
    let weights = Weights::heuristic(cfg);
    let line = |e| format!("{}: {}", cfg.edge_name(e), weights.edge(e));
    cfg.edges().map(line).collect()
}

#[test]
fn a_loop_goes_round_ten_times_and_is_left_once() {
    let cfg = graph_of("a h, h b, b h, h x");
    assert_eq!(
        text(&cfg),
        ["a -> h: 1", "h -> b: 9", "b -> h: 9", "h -> x: 1"]
    );
}

#[test]
fn branches_share_and_exits_share() {
    // A loop with a condition inside, left at the header and from one arm.
    let cfg = graph_of("h b, h x, b l, b r, l h, r h, r x");
    assert_eq!(
        text(&cfg),
        [
            "h -> b: 9.5",
            "h -> x: 0.5",
            "b -> l: 4.75",
            "b -> r: 4.75",
            "l -> h: 4.75",
            "r -> h: 4.25",
            "r -> x: 0.5",
        ]
    );
}

#[test]
fn measured_weights_come_from_the_edges() {
    let partly = read("a -> b weight 7\na -> b");
    assert_eq!(Weights::measured(&partly), None);
    // What control cannot reach did not run.
    let reached = read("a -> b weight 7\nlost -> b");
    let weights = Weights::measured(&reached).expect("all measured");
    let measured: Vec<f64> = reached.edges().map(|edge| weights.edge(edge)).collect();
    assert_eq!(measured, [7.0, 0.0]);
}

proptest! {
    /// In a structured program as much flows out of every block as in (Kirchhoff's law).
    #[test]
    fn structured_programs_keep_the_flow(cfg in structured(4, 24)) {
        let weights = Weights::heuristic(&cfg);
        for block in cfg.blocks() {
            let calls = f64::from(u8::from(block == cfg.entry()));
            let returns = f64::from(u8::from(block == cfg.exit()));
            let into = cfg.edges().filter(|&e| cfg.ends(e).1 == block).map(|e| weights.edge(e));
            let out = cfg.successors(block).iter().map(|&e| weights.edge(e));
            let (into, out) = (into.sum::<f64>() + calls, out.sum::<f64>() + returns);
            prop_assert!((into - out).abs() <= 1e-9 * into.max(1.0), "{into} into {}, {out} out", cfg.name(block));
        }
    }

    /// On any graph weights are finite and not negative.
    #[test]
    fn weights_are_frequencies(cfg in graph(2..20)) {
        let weights = Weights::heuristic(&cfg);
        for edge in cfg.edges() {
            prop_assert!(weights.edge(edge).is_finite() && weights.edge(edge) >= 0.0);
        }
    }
}
