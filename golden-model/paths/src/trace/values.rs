//! Few values for the witnesses of a procedure.
use petgraph::algo::coloring::dsatur_coloring;
use petgraph::graph::UnGraph;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::graph::{BlockId, EdgeId};

/// The witnesses that may come next when control takes an edge out of a predicate.
#[derive(Clone, Debug)]
pub(super) struct WitnessSet {
    pub predicate: BlockId,
    pub edge: EdgeId,
    pub witnesses: Vec<EdgeId>,
}

/// The most pairs of witnesses that are distinguished for which colours are sought by [`dsatur`].
const MOST_PAIRS: usize = 1 << 20;

/// Gives each witnessed edge a value, and returns the values and how many different ones there are. Two witnesses have different values if they tell
/// ways out of one predicate apart. As few values as possible are hard to find: [`first_fit`] has found them if some predicate has as many ways as it
/// used values. Else [`dsatur`] tries, too.
pub(super) fn reuse(edges: usize, sets: &[WitnessSet]) -> (Vec<Option<u32>>, u32) {
    let fitted = first_fit(edges, sets);
    let ways = of_predicates(sets).map(|sets| sets.iter().filter(|s| !s.witnesses.is_empty()));
    let least = ways.map(Iterator::count).max().unwrap_or(0);
    let pairs = of_predicates(sets)
        .map(pairs)
        .fold(0, usize::saturating_add);
    if fitted.1 as usize <= least || pairs > MOST_PAIRS {
        return fitted;
    }
    let coloured = dsatur(edges, sets);
    if coloured.1 < fitted.1 {
        coloured
    } else {
        fitted
    }
}

fn of_predicates(sets: &[WitnessSet]) -> impl Iterator<Item = &[WitnessSet]> {
    sets.chunk_by(|a, b| a.predicate == b.predicate)
}

/// How many pairs of witnesses one predicate distinguishes.
fn pairs(sets: &[WitnessSet]) -> usize {
    let (mut before, mut pairs) = (0_usize, 0_usize);
    for set in sets {
        pairs = pairs.saturating_add(before.saturating_mul(set.witnesses.len()));
        before += set.witnesses.len();
    }
    pairs
}

/// The values that one predicate has given away: by value the way out that leads to its witnesses, and by way its values.
#[derive(Default)]
struct Taken {
    ways: FxHashMap<u32, u32>,
    /// For each way, its values.
    values: Vec<Vec<u32>>,
    /// All values below are taken.
    free: u32,
    /// No value from here on is taken.
    top: u32,
}

/// So many values are tried for a witness before it takes one that no other has.
const TRIES: usize = 8;

/// Each witness in turn takes a value of its way that no predicate has for another way, or one that is free at all its predicates. Linear in the sizes of
/// the sets.
fn first_fit(edges: usize, sets: &[WitnessSet]) -> (Vec<Option<u32>>, u32) {
    let mut places: Vec<Vec<(u32, u32)>> = vec![Vec::new(); edges];
    let mut taken = Vec::new();
    for (predicate, ways) in (0..).zip(of_predicates(sets)) {
        for (way, set) in (0..).zip(ways) {
            for witness in &set.witnesses {
                places[witness.index()].push((predicate, way));
            }
        }
        taken.push(Taken {
            values: vec![Vec::new(); ways.len()],
            ..Taken::default()
        });
    }
    let mut values: Vec<Option<u32>> = vec![None; edges];
    for witness in sets.iter().flat_map(|set| &set.witnesses) {
        let (value, places) = (&mut values[witness.index()], &places[witness.index()]);
        if value.is_some() {
            continue;
        }
        let fits = |value: &u32| {
            let other = |&(predicate, way): &(u32, u32)| {
                let taken: &Taken = &taken[predicate as usize];
                taken.ways.get(value).is_some_and(|&by| by != way)
            };
            !places.iter().any(other)
        };
        let (predicate, way) = places[0];
        let shared = &taken[predicate as usize].values[way as usize];
        let shared = shared.iter().copied().take(TRIES).find(fits);
        let of_all = |of: fn(&Taken) -> u32| {
            let values = places
                .iter()
                .map(|&(predicate, _)| of(&taken[predicate as usize]));
            values.max().expect("a witness is in a set")
        };
        let free = || (of_all(|taken| taken.free)..).take(TRIES).find(fits);
        let chosen = shared.or_else(free);
        let chosen = chosen.unwrap_or_else(|| of_all(|taken| taken.top));
        *value = Some(chosen);
        for &(predicate, way) in places {
            let taken = &mut taken[predicate as usize];
            if taken.ways.insert(chosen, way).is_none() {
                taken.values[way as usize].push(chosen);
            }
            taken.top = taken.top.max(chosen + 1);
            while taken.ways.contains_key(&taken.free) {
                taken.free += 1;
            }
        }
    }
    let count = values.iter().flatten().max().map_or(0, |most| most + 1);
    (values, count)
}

/// Petgraph's DSATUR over the pairs of witnesses that are distinguished.
fn dsatur(edges: usize, sets: &[WitnessSet]) -> (Vec<Option<u32>>, u32) {
    let mut graph = UnGraph::<EdgeId, ()>::new_undirected();
    let mut nodes = FxHashMap::default();
    for &witness in sets.iter().flat_map(|set| &set.witnesses) {
        nodes
            .entry(witness)
            .or_insert_with(|| graph.add_node(witness));
    }
    let mut joined = FxHashSet::default();
    for of_one in of_predicates(sets) {
        for (position, one) in of_one.iter().enumerate() {
            let others = of_one[position + 1..].iter().flat_map(|set| &set.witnesses);
            for other in others {
                for witness in &one.witnesses {
                    let pair = (witness.min(other), witness.max(other));
                    if joined.insert(pair) {
                        graph.add_edge(nodes[witness], nodes[other], ());
                    }
                }
            }
        }
    }
    let (colours, count) = dsatur_coloring(&graph);
    let mut values = vec![None; edges];
    for (node, colour) in colours {
        values[graph[node].index()] = Some(colour as u32);
    }
    (values, count as u32)
}
