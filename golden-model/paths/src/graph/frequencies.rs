//! Frequencies of blocks from the probabilities of branches alone.

use rustc_hash::FxHashMap;

use super::acyclic::Acyclic;
use super::flow::{EdgeId, Flow};

/// The greatest frequency the heuristic gives a block: what hundred loops in one another multiply to. Beyond, it no longer distinguishes them, but sums stay
/// finite.
pub const MOST: f64 = 1e100;

/// How often each block runs for one run of the entry from outside, if each edge is taken with this probability whenever its block runs.
///
/// Blocks are taken out from the last to the first, in an order in which only back edges lead backwards; what went through a block then goes
/// past it. In the other direction each block gets its frequency from those before it.
pub(super) fn frequencies(flow: &Flow, probability: impl Fn(EdgeId) -> f64) -> Vec<f64> {
    let dag = Acyclic::depth_first(flow);
    let order = dag.topological();
    let mut places = vec![None; flow.blocks().len()];
    for (place, block) in order.iter().enumerate() {
        places[block.index()] = Some(place);
    }
    let mut ways = Ways {
        out: vec![FxHashMap::default(); order.len()],
        into: vec![Vec::new(); order.len()],
    };
    for edge in flow.edges() {
        let (from, to) = flow.ends(edge);
        // Others cannot be reached.
        if let (Some(from), Some(to)) = (places[from.index()], places[to.index()]) {
            ways.add(from, to, probability(edge));
        }
    }
    // What comes in from blocks before, and how many runs follow from one that comes in.
    let mut coming: Vec<Vec<(usize, f64)>> = vec![Vec::new(); order.len()];
    let mut rounds = vec![1.0; order.len()];
    for last in (0..order.len()).rev() {
        let back = std::mem::take(&mut ways.out[last]);
        let again = back.get(&last).copied().unwrap_or(0.0);
        rounds[last] = 1.0 / (1.0 - again).max(1.0 / MOST);
        let before = std::mem::take(&mut ways.into[last]);
        for from in before.into_iter().filter(|&from| from < last) {
            let Some(chance) = ways.out[from].remove(&last) else {
                continue;
            };
            coming[last].push((from, chance));
            for (&to, way) in back.iter().filter(|(to, _)| **to < last) {
                ways.add(from, to, chance * rounds[last] * way);
            }
        }
    }
    let mut runs = vec![0.0; order.len()];
    for at in 0..order.len() {
        let called = f64::from(u8::from(order[at] == flow.entry()));
        let from_before = coming[at].iter().map(|&(from, chance)| runs[from] * chance);
        runs[at] = ((called + from_before.sum::<f64>()) * rounds[at]).min(MOST);
    }
    let runs_of = |place: Option<usize>| place.map_or(0.0, |at| runs[at]);
    places.into_iter().map(runs_of).collect()
}

/// Probabilities of ways from block to block, by their places.
struct Ways {
    out: Vec<FxHashMap<usize, f64>>,
    /// Where ways come from, some of which may be gone.
    into: Vec<Vec<usize>>,
}

impl Ways {
    fn add(&mut self, from: usize, to: usize, chance: f64) {
        if chance <= 0.0 {
            return;
        }
        let known = self.out[from].len();
        *self.out[from].entry(to).or_default() += chance;
        if self.out[from].len() > known {
            self.into[to].push(from);
        }
    }
}
