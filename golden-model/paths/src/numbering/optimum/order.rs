//! The order in which a search goes through paths.

use std::collections::BTreeSet;

use crate::graph::{DagEdgeId, DagPath};

/// Arithmetic is modulo this prime. A path might be wrongly taken for a sum of others. That changes the order alone, not what the search finds.
const PRIME: u64 = (1 << 31) - 1;

/// Paths in an order in which the sum of each is fixed by those before it as early as can be: one that is fixed first, else the one
/// after which most others are.
pub fn early_fixed(paths: &[DagPath]) -> Vec<&DagPath> {
    let edges: BTreeSet<DagEdgeId> = paths.iter().flat_map(DagPath::edges).copied().collect();
    let row = |path: &DagPath| {
        let takes = |edge: &DagEdgeId| u64::from(path.edges().contains(edge));
        edges.iter().map(takes).collect::<Vec<_>>()
    };
    let mut left: Vec<(&DagPath, Vec<u64>)> = paths.iter().map(|path| (path, row(path))).collect();
    let (mut ordered, mut span) = (Vec::with_capacity(paths.len()), Span::default());
    while !left.is_empty() {
        let fixed = left.iter().position(|(_, row)| span.holds(row));
        let next = fixed.unwrap_or_else(|| {
            let spanned = |at: &usize| {
                let span = span.with(&left[*at].1);
                left.iter().filter(|(_, row)| span.holds(row)).count()
            };
            // The first of several.
            (0..left.len()).rev().max_by_key(spanned).unwrap_or(0)
        });
        let (path, row) = left.remove(next);
        span = span.with(&row);
        ordered.push(path);
    }
    ordered
}

/// All sums of multiples of some rows.
#[derive(Clone, Default)]
struct Span {
    /// Rows, each with the place of a 1 where those after it have 0.
    rows: Vec<(usize, Vec<u64>)>,
}

impl Span {
    /// What is left of a row without its part in the span.
    fn reduced(&self, row: &[u64]) -> Vec<u64> {
        let mut rest = row.to_vec();
        for (place, row) in &self.rows {
            let times = PRIME - rest[*place];
            for (cell, by) in rest.iter_mut().zip(row) {
                *cell = (*cell + times * by) % PRIME;
            }
        }
        rest
    }

    fn holds(&self, row: &[u64]) -> bool {
        self.reduced(row).iter().all(|&cell| cell == 0)
    }

    /// The span of these rows and one more.
    fn with(&self, row: &[u64]) -> Self {
        let mut span = self.clone();
        let mut rest = self.reduced(row);
        if let Some(place) = rest.iter().position(|&cell| cell != 0) {
            let by = inverse(rest[place]);
            rest.iter_mut().for_each(|cell| *cell = *cell * by % PRIME);
            span.rows.push((place, rest));
        }
        span
    }
}

/// The inverse of a number: its power of two less than the prime.
fn inverse(number: u64) -> u64 {
    let (mut power, mut square, mut left) = (1, number, PRIME - 2);
    while left > 0 {
        if left & 1 == 1 {
            power = power * square % PRIME;
        }
        square = square * square % PRIME;
        left >>= 1;
    }
    power
}
