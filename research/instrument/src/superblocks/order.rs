//! In which order copies stand.

use super::Copies;
use crate::assembly::{Ending, Function};

/// What falling through saves, relative to jumping: a branch that is not taken, or a jump that is no more.
const BRANCH: f64 = 2.0;
const JUMP: f64 = 3.0;

/// The copies that control can come to, in an order in which hot ways fall through. The first block is first. `named` says which blocks something
/// else leads to. O(n log n).
pub fn order(function: &Function, copies: &Copies, named: &[bool]) -> Vec<usize> {
    let reached = reached(copies, named);
    let mut ways = Vec::new();
    for (from, copy) in copies.0.iter().enumerate().filter(|(at, _)| reached[*at]) {
        let gain = match function.blocks[copy.block].ending {
            Ending::Branch(_) => BRANCH,
            Ending::Fall | Ending::Jump(_) => JUMP,
            Ending::Table(_) | Ending::Leave | Ending::Dead => continue,
        };
        for (&to, flow) in copy.to.iter().zip(&copy.flow) {
            let as_before = to == from + 1 && to < function.blocks.len();
            ways.push((gain * flow, as_before, from, to));
        }
    }
    ways.sort_by(|a, b| {
        let by_gain = b.0.total_cmp(&a.0).then(b.1.cmp(&a.1));
        by_gain.then((a.2, a.3).cmp(&(b.2, b.3)))
    });
    let mut chains = Chains::new(copies.0.len());
    for (_, _, from, to) in ways {
        chains.join(from, to);
    }
    let heat = |copy: usize| copies.0[copy].flow.iter().sum::<f64>();
    let mut found: Vec<(Vec<usize>, f64)> = (0..copies.0.len())
        .filter(|&at| reached[at] && chains.before[at].is_none())
        .map(|head| chains.from(head))
        .map(|chain| {
            let hottest = chain.iter().map(|&at| heat(at)).fold(0.0, f64::max);
            (chain, hottest)
        })
        .collect();
    // The first block's chain, then the hot ones; the others as they were.
    found.sort_by(|a, b| (b.0[0] == 0).cmp(&(a.0[0] == 0)).then(b.1.total_cmp(&a.1)));
    found.into_iter().flat_map(|(chain, _)| chain).collect()
}

/// What the first block leads to, or something that is named.
fn reached(copies: &Copies, named: &[bool]) -> Vec<bool> {
    let mut reached = vec![false; copies.0.len()];
    let named = named.iter().enumerate().filter(|(_, named)| **named);
    let mut open: Vec<usize> = named.map(|(at, _)| at).chain([0]).collect();
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut reached[at], true) {
            open.extend(&copies.0[at].to);
        }
    }
    reached
}

/// Chains of copies that fall through.
struct Chains {
    before: Vec<Option<usize>>,
    after: Vec<Option<usize>>,
    /// Of a first or last copy the other end.
    other_end: Vec<usize>,
}

impl Chains {
    fn new(count: usize) -> Self {
        Chains {
            before: vec![None; count],
            after: vec![None; count],
            other_end: (0..count).collect(),
        }
    }

    /// Puts the chain that begins with `to` after the one that ends with `from`, if there are such.
    fn join(&mut self, from: usize, to: usize) {
        let is_free = self.after[from].is_none() && self.before[to].is_none();
        if !is_free || to == 0 || self.other_end[from] == to {
            return;
        }
        let (first, last) = (self.other_end[from], self.other_end[to]);
        self.after[from] = Some(to);
        self.before[to] = Some(from);
        self.other_end[first] = last;
        self.other_end[last] = first;
    }

    fn from(&self, head: usize) -> Vec<usize> {
        std::iter::successors(Some(head), |&at| self.after[at]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chain_is_not_joined_with_itself() {
        let mut chains = Chains::new(3);
        chains.join(1, 2);
        chains.join(2, 1);
        chains.join(0, 1);
        assert_eq!(chains.from(0), [0, 1, 2]);
        assert_eq!(chains.after[2], None);
    }
}
