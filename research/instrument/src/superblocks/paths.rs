//! Weighted paths of a function: those that ran, or those that an edge profile predicts.

use hpp_paths::graph::{BlockId, Crossing, EdgeId, PathEnd};

use crate::exact::{Followed, Profile};

/// Predicted paths that make less than this share of those of their function are cut off where they become so rare.
const RARE: f64 = 1e-4;

/// A path, and how often it ran.
#[derive(Clone, Debug, PartialEq)]
pub struct HotPath {
    /// Its blocks, at least one.
    pub blocks: Vec<usize>,
    /// The block where the next path of the same call begins, if it is known.
    pub then: Option<usize>,
    /// How often.
    pub count: f64,
}

/// The paths of an exact profile. Linear in their blocks, after sorting.
pub fn of_paths(followed: &Followed, profile: &Profile) -> Vec<HotPath> {
    let dag = &followed.dag;
    let mut paths: Vec<_> = profile.paths.iter().collect();
    paths.sort();
    let hot = |(path, &count): (&hpp_paths::graph::DagPath, &u64)| {
        let route = path.route(dag);
        let mut blocks: Vec<usize> = route.blocks.iter().map(|block| block.index()).collect();
        // The exit is no block of the text.
        blocks.retain(|&block| block < followed.function.blocks.len());
        let then = match &route.end {
            PathEnd::Exit => None,
            PathEnd::Break(edges) => edges.first().map(|&edge| followed.cfg.ends(edge).1.index()),
        };
        HotPath {
            blocks,
            then,
            count: count as f64,
        }
    };
    paths.into_iter().map(hot).collect()
}

/// The paths that an edge profile predicts, if each branch goes its ways as often as ever, whatever was before. They begin and end where those
/// of the exact profile do.
pub fn of_edges(followed: &Followed, profile: &Profile) -> Vec<HotPath> {
    let cfg = &followed.cfg;
    let count = |edge: EdgeId| profile.edges.get(edge.index()).copied().unwrap_or(0);
    let breaks = |edge: EdgeId| matches!(followed.dag.crossing(edge), Some(Crossing::Break { .. }));
    let mut starts = vec![0; followed.function.blocks.len()];
    let entered: u64 = cfg
        .predecessors(BlockId::new(0))
        .iter()
        .map(|&edge| count(edge))
        .sum();
    let ran = profile.blocks.first().copied().unwrap_or(0);
    starts[0] = ran.saturating_sub(entered);
    for edge in cfg.edges().filter(|&edge| breaks(edge)) {
        starts[cfg.ends(edge).1.index()] += count(edge);
    }
    let least = starts.iter().sum::<u64>() as f64 * RARE;
    let mut paths = Vec::new();
    let starts = starts.iter().enumerate().filter(|(_, count)| **count > 0);
    let mut open: Vec<(Vec<usize>, f64)> = starts
        .map(|(block, &count)| (vec![block], count as f64))
        .collect();
    while let Some((blocks, weight)) = open.pop() {
        let last = blocks[blocks.len() - 1];
        let out = cfg.successors(BlockId::new(last));
        let all: u64 = out.iter().map(|&edge| count(edge)).sum();
        if all == 0 || weight < least {
            let then = None;
            paths.push(HotPath {
                blocks,
                then,
                count: weight,
            });
            continue;
        }
        for &edge in out.iter().filter(|&&edge| count(edge) > 0) {
            let share = weight * count(edge) as f64 / all as f64;
            let to = cfg.ends(edge).1;
            if to == cfg.exit() || breaks(edge) {
                paths.push(HotPath {
                    blocks: blocks.clone(),
                    then: (to != cfg.exit()).then(|| to.index()),
                    count: share,
                });
            } else {
                let blocks = blocks.iter().copied().chain([to.index()]).collect();
                open.push((blocks, share));
            }
        }
    }
    paths
}
