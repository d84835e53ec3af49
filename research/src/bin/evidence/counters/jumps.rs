//! Unconditional jumps around counting code, by the layout of the program.
//!
//! Code of an edge stands in its source where that has one way out, and else before its target. Before a target there
//! can be only one piece of code into which control falls; what else arrives there over counting code, and the block
//! that falls through to the target, jump over the rest. Edges to a procedure's end stand for themselves.

use hpp_paths::counters::{CounterPlaces, EdgeProfile};
use hpp_paths::graph::{EdgeId, Weights};
use hpp_paths::placement::Site;
use hpp_riscv::procedures::{Body, Way};

/// What is needed for counters on edges.
#[derive(Clone, Copy, Debug, Default)]
pub struct Jumps {
    pub taken: u64,
    /// Counted edges that need none.
    pub no_jump: u64,
}

/// The jumps of a procedure. Of several counted edges to one block the heaviest falls in.
pub fn jumps(
    body: &Body,
    places: &CounterPlaces,
    weights: &Weights,
    profile: &EdgeProfile,
) -> Jumps {
    let cfg = &body.cfg;
    let mut jumps = Jumps::default();
    for block in cfg.blocks() {
        let alone = |&edge: &EdgeId| Site::of(cfg, edge) != Site::Split;
        let counted = cfg.predecessors(block).iter().copied();
        let (free, mut bound): (Vec<EdgeId>, Vec<EdgeId>) = counted
            .filter(|&edge| places.has_edge(edge))
            .partition(alone);
        jumps.no_jump += free.len() as u64;
        let falls_in = |&edge: &EdgeId| block != cfg.exit() && *cfg.edge(edge) == Way::Next;
        let through = cfg.predecessors(block).iter().copied().find(falls_in);
        bound.retain(|&edge| Some(edge) != through);
        bound.sort_by(|&a, &b| weights.edge(a).total_cmp(&weights.edge(b)));
        if block != cfg.exit() && bound.pop().is_some() {
            jumps.no_jump += 1;
            jumps.taken += through.map_or(0, |edge| profile.edge(edge));
        } else if through.is_some_and(|edge| places.has_edge(edge) && !free.contains(&edge)) {
            jumps.no_jump += 1;
        }
        jumps.taken += bound.iter().map(|&edge| profile.edge(edge)).sum::<u64>();
    }
    jumps
}
