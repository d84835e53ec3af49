//! In which order the edges out of a block get their values.
//!
//! An edge has one value for all prefixes, so an edge after one over which prefixes have intervals of different sizes leaves holes. Edges whose intervals are
//! equally large therefore come first.

use super::prefixes::Prefixes;
use crate::graph::DagEdgeId;
use crate::number::Integer;

/// The order in which [preferential numbering](super::preferential) visits the edges out of a block.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EdgeOrder {
    /// The order of the graph.
    Given,
    /// For each block the order in which the intervals of its prefixes add up to least: of all orders of up to four edges; of more, the graph's and the one
    /// that begins with the edges whose intervals differ least. Where the given order as a whole is not wider, that one.
    #[default]
    Chosen,
}

/// A block with at most so many edges has all their orders tried.
const EXACT: usize = 4;

/// The partial numbers of the interesting paths of a prefix over an edge.
struct Part<T> {
    prefix: usize,
    low: T,
    high: T,
}

/// The edges of `out` that interesting paths take, in the order to be numbered; `None` if integers overflow. `sizes` has to be all 0, and is left all
/// 0.
pub(super) fn choose<T: Integer>(
    out: &[DagEdgeId],
    prefixes: &Prefixes,
    partial: &[T],
    sizes: &mut [T],
) -> Option<Vec<DagEdgeId>> {
    let taken = out.iter().copied();
    let taken: Vec<DagEdgeId> = taken.filter(|&e| !prefixes.over(e).is_empty()).collect();
    let passages = taken.iter().flat_map(|&edge| prefixes.over(edge));
    let mut leaders = passages.map(|passage| passage.prefix);
    let first = leaders.next();
    if taken.len() < 2 || leaders.all(|leader| Some(leader) == first) {
        return Some(taken);
    }
    let parts: Vec<Vec<Part<T>>> = taken.iter().map(|&e| parts(e, prefixes, partial)).collect();
    let given: Vec<usize> = (0..taken.len()).collect();
    let mut best = (total(&given, &parts, sizes)?, given.clone());
    let mut consider = |order: &[usize]| {
        let total = total(order, &parts, sizes)?;
        if total < best.0 {
            best = (total, order.to_vec());
        }
        Some(())
    };
    if taken.len() <= EXACT {
        let mut order = given;
        while next_permutation(&mut order) {
            consider(&order)?;
        }
    } else {
        let unevenness: Option<Vec<T>> = parts.iter().map(|parts| unevenness(parts)).collect();
        let (unevenness, mut order) = (unevenness?, given);
        order.sort_by_key(|&edge| unevenness[edge].clone());
        consider(&order)?;
    }
    Some(best.1.into_iter().map(|edge| taken[edge]).collect())
}

/// The parts of an edge's interval, one for each prefix.
fn parts<T: Clone + Ord>(edge: DagEdgeId, prefixes: &Prefixes, partial: &[T]) -> Vec<Part<T>> {
    let by_prefix = prefixes.over(edge).chunk_by(|a, b| a.prefix == b.prefix);
    let part = |group: &[super::prefixes::Passage]| {
        let numbers = group.iter().map(|passage| &partial[passage.path as usize]);
        Part {
            prefix: group[0].prefix as usize,
            low: numbers.clone().min().expect("a group has paths").clone(),
            high: numbers.max().expect("a group has paths").clone(),
        }
    };
    by_prefix.map(part).collect()
}

/// The sizes of the prefixes' intervals, added up, if the edges are numbered in this order.
fn total<T: Integer>(order: &[usize], parts: &[Vec<Part<T>>], sizes: &mut [T]) -> Option<T> {
    for &edge in order {
        let mut weight: Option<T> = None;
        for part in &parts[edge] {
            weight = weight.max(Some(sizes[part.prefix].minus(&part.low)?));
        }
        let weight = weight?;
        for part in &parts[edge] {
            sizes[part.prefix] = part.high.plus(&weight)?.plus(&T::from(1))?;
        }
    }
    let mut total = T::default();
    for part in parts.iter().flatten() {
        let size = std::mem::take(&mut sizes[part.prefix]);
        total = total.plus(&size)?;
    }
    Some(total)
}

/// By how much the intervals over an edge are smaller than the largest of them, added up.
fn unevenness<T: Integer>(parts: &[Part<T>]) -> Option<T> {
    let lengths: Option<Vec<T>> = parts.iter().map(|p| p.high.minus(&p.low)).collect();
    let lengths = lengths?;
    let longest = lengths.iter().max()?.clone();
    lengths.iter().try_fold(T::default(), |sum, length| {
        sum.plus(&longest.minus(length)?)
    })
}

/// The next order of numbers in lexicographic order; `false` after the last.
fn next_permutation(order: &mut [usize]) -> bool {
    let Some(at) = order.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        return false;
    };
    let larger = order.iter().rposition(|&edge| edge > order[at]);
    order.swap(at, larger.expect("the next one is larger"));
    order[at + 1..].reverse();
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_order_comes_once() {
        let mut order = [0, 1, 2, 3];
        let mut seen = vec![order];
        while next_permutation(&mut order) {
            seen.push(order);
        }
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 24);
    }
}
