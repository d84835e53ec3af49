//! How often control goes each way out of each copy.

use super::Copy;
use super::tree::Trees;

/// Sweeps until the estimate is at rest; each goes a part of the way, so that loops of copies do not swing.
const SWEEPS: usize = 80;

/// Estimates the flow of copies. Those of the first `blocks` are the blocks themselves; they have what the duplicates leave of the profile.
/// The others, the duplicates, divide what comes to them among their ways out by these chances.
pub fn estimate(
    blocks: usize,
    copies: &mut [Copy],
    chances: &[Vec<f64>],
    trees: &Trees,
    rounds: u32,
) {
    let part = 1.0 / (1.0 + f64::from(rounds));
    let ways = |copies: &[Copy], at: usize| -> Vec<f64> {
        let edge = |&to: &usize| trees.edges.get(&(at, copies[to].block)).copied();
        copies[at]
            .to
            .iter()
            .map(|to| edge(to).unwrap_or(0.0))
            .collect()
    };
    let totals: Vec<Vec<f64>> = (0..blocks).map(|at| ways(copies, at)).collect();
    for (copy, total) in copies.iter_mut().zip(&totals) {
        copy.flow.clone_from(total);
    }
    let mut visits = vec![0.0; chances.len()];
    for _ in 0..SWEEPS {
        let mut coming = vec![0.0; chances.len()];
        for copy in copies.iter() {
            for (&to, flow) in copy.to.iter().zip(&copy.flow) {
                if let Some(at) = to.checked_sub(blocks) {
                    coming[at] += flow;
                }
            }
        }
        for (visits, coming) in visits.iter_mut().zip(coming) {
            *visits += part * (coming - *visits);
        }
        let (originals, others) = copies.split_at_mut(blocks);
        for (copy, total) in originals.iter_mut().zip(&totals) {
            copy.flow.clone_from(total);
        }
        for ((copy, chances), visits) in others.iter_mut().zip(chances).zip(&visits) {
            let left = &mut originals[copy.block].flow;
            for ((flow, chance), left) in copy.flow.iter_mut().zip(chances).zip(left) {
                *flow = visits * chance;
                *left = (*left - *flow).max(0.0);
            }
        }
    }
}
