//! Preferential path profiling: small numbers for the paths one is interested in.
//!
//! Of all paths through a procedure a program takes few. When those are known (from a run, from a
//! test suite, from the hardware's table), only they need distinct numbers, and numbers small
//! enough for an array of counters. Other paths may get any number, also one that is taken; a
//! second counter with the Ball-Larus number distinguishes such an *alias*.
//!
//! # How
//!
//! Blocks are visited in reverse topological order. For an edge `e` out of block `v`, and for each prefix `q` with which interesting paths arrive at
//! `v`, the partial numbers (the values already given, summed) of the interesting paths through `q` and `e` fill an interval. The intervals of one
//! prefix on the edges of `v` must not overlap; so the prefix asks for the value `cis(q) - min`, which puts the interval after those of the edges
//! before. An edge has one value for all its prefixes: the largest that one of them asks for (the *join*), which leaves holes in the intervals of the
//! other prefixes. Edges no interesting path takes keep the value 0. How many holes there are depends on the order of the edges, which the thesis
//! leaves open: [`EdgeOrder`].
//!
//! A perfect numbering, with numbers below the number of paths, does not always exist; how far from it the
//! result is, the compactness says. From Vaswani's thesis, section 3.3, figure 3.10.

use super::ball_larus::BallLarus;
use super::classifier::Classifier;
use super::edge_order::{EdgeOrder, choose};
use super::interesting::Interesting;
use super::prefixes::{Passage, Prefixes};
use super::values::EdgeValues;
use crate::Number;
use crate::graph::{Acyclic, BlockId, DagEdgeId};
use crate::metrics::Compactness;
use crate::number::Integer;

/// The preferential numbering of some paths of an [`Acyclic`].
///
/// The worked example of the thesis, section 3.3.2:
///
/// ```
/// use hpp_paths::graph::{Acyclic, Cfg};
/// use hpp_paths::numbering::{BallLarus, Interesting, Preferential};
/// let cfg = Cfg::from_edges([
///     ("s", "a"), ("s", "b"), ("a", "c"), ("a", "b"), ("b", "c"), ("c", "d"), ("c", "t"), ("d", "t"),
/// ])?;
/// let dag = Acyclic::depth_first(&cfg);
/// // sacdt, sact and sbct, by their Ball-Larus numbers.
/// let all = BallLarus::new(&dag)?;
/// let interesting = Interesting::from_numbers(&all, &[0.into(), 1.into(), 5.into()])?;
/// let numbering = Preferential::new(&interesting);
/// assert_eq!(numbering.numbers(), [0u32.into(), 1u32.into(), 2u32.into()]);
/// assert_eq!(numbering.compactness().to_string(), "3/3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preferential {
    values: EdgeValues,
    /// By edge, when its block's edges were numbered.
    ranks: Vec<u32>,
    numbers: Vec<Number>,
    width: Number,
}

impl Preferential {
    /// Numbers the interesting paths: in machine words as long as they do, in big integers from then on. O(E P) for E
    /// edges and P paths, and a sort of the edges out of each block.
    pub fn new(interesting: &Interesting) -> Self {
        Self::in_order(interesting, EdgeOrder::Chosen)
    }

    /// The same with the edges out of a block in that order.
    pub fn in_order(interesting: &Interesting, order: EdgeOrder) -> Self {
        let (dag, prefixes) = (interesting.dag(), Prefixes::new(interesting));
        match narrowest::<i64>(dag, &prefixes, order) {
            Some(assigned) => Self::finish(interesting, &prefixes, assigned),
            None => {
                let assigned = narrowest::<Number>(dag, &prefixes, order);
                Self::finish(interesting, &prefixes, assigned.expect("any number fits"))
            }
        }
    }

    fn finish<T: Into<Number> + Clone>(
        interesting: &Interesting,
        prefixes: &Prefixes,
        assigned: Assigned<T>,
    ) -> Self {
        let mut numbers = vec![Number::ZERO; interesting.count()];
        for (number, &position) in assigned.numbers.into_iter().zip(prefixes.order()) {
            numbers[position] = number.into();
        }
        let weights = &assigned.weights;
        Preferential {
            values: EdgeValues::from_fn(interesting.dag(), |e| weights[e.index()].clone().into()),
            ranks: assigned.ranks,
            numbers,
            width: assigned.width.into(),
        }
    }

    /// The values of all edges.
    pub fn values(&self) -> &EdgeValues {
        &self.values
    }

    /// The edges out of a block in the order in which they were numbered, those that no interesting path takes last.
    pub fn ordered(&self, dag: &Acyclic, block: BlockId) -> Vec<DagEdgeId> {
        let mut edges = dag.out(block).to_vec();
        edges.sort_by_key(|edge| self.ranks[edge.index()]);
        edges
    }

    /// The numbers of the interesting paths, in the order of the set. All distinct; the smallest
    /// is 0.
    pub fn numbers(&self) -> &[Number] {
        &self.numbers
    }

    /// How many counters an array of them needs: the largest number plus one.
    pub fn width(&self) -> &Number {
        &self.width
    }

    /// The compactness delta.
    pub fn compactness(&self) -> Compactness {
        Compactness {
            interval: self.width().clone(),
            paths: self.numbers.len(),
        }
    }

    /// What tells the interesting paths from all others at run time, given the Ball-Larus
    /// numbering of the same graph as the second counter.
    pub fn classifier(&self, interesting: &Interesting, second: &BallLarus) -> Classifier {
        let seconds = interesting.paths().iter().map(|p| second.number(p));
        let slots = self.numbers.iter().cloned().zip(seconds.enumerate());
        Classifier::new(slots.collect(), self.width.clone())
    }
}

/// A finished assignment; `numbers` by rank.
struct Assigned<T> {
    weights: Vec<T>,
    ranks: Vec<u32>,
    /// The edges of a block were not numbered in the graph's order.
    reordered: bool,
    numbers: Vec<T>,
    width: T,
}

/// The narrower of the numberings in the chosen order and in the given one.
fn narrowest<T: Integer>(
    dag: &Acyclic,
    prefixes: &Prefixes,
    order: EdgeOrder,
) -> Option<Assigned<T>> {
    let assigned = assign::<T>(dag, prefixes, order)?;
    let given = match assigned.reordered {
        true => assign::<T>(dag, prefixes, EdgeOrder::Given),
        false => None,
    };
    let no_wider = given.filter(|given| given.width <= assigned.width);
    Some(no_wider.unwrap_or(assigned))
}

/// Figure 3.10, in integers of type T; `None` if they overflow.
fn assign<T: Integer>(dag: &Acyclic, prefixes: &Prefixes, order: EdgeOrder) -> Option<Assigned<T>> {
    let mut weights = vec![T::default(); dag.edge_count()];
    let mut partial = vec![T::default(); prefixes.order().len()];
    // Cumulative interval sizes of the prefixes that arrive at the block being visited.
    let mut sizes = partial.clone();
    let mut width = T::default();
    let (mut ranks, mut reordered) = (vec![u32::MAX; dag.edge_count()], false);
    for &block in dag.topological().iter().rev() {
        let edges = match order {
            EdgeOrder::Given => dag.out(block).to_vec(),
            EdgeOrder::Chosen => choose(dag.out(block), prefixes, &partial, &mut sizes)?,
        };
        let taken = |edge: &&DagEdgeId| !prefixes.over(**edge).is_empty();
        reordered |= order == EdgeOrder::Chosen && dag.out(block).iter().filter(taken).ne(&edges);
        for (rank, &edge) in (0..).zip(&edges) {
            ranks[edge.index()] = rank;
            let passages = prefixes.over(edge);
            let Some(weight) = join(passages, &partial, &sizes)? else {
                continue;
            };
            for group in groups(passages) {
                let mut highest = None;
                for passage in group {
                    let number = &mut partial[passage.path as usize];
                    *number = number.plus(&weight)?;
                    highest = highest.max(Some(number.clone()));
                }
                sizes[group[0].prefix as usize] = highest?.plus(&T::from(1))?;
            }
            weights[edge.index()] = weight;
        }
        for passage in dag.out(block).iter().flat_map(|&e| prefixes.over(e)) {
            let size = std::mem::take(&mut sizes[passage.prefix as usize]);
            if block == dag.entry() {
                width = width.max(size);
            }
        }
    }
    if dag.entry() == dag.exit() {
        width = T::from(1);
    }
    Some(Assigned {
        weights,
        ranks,
        reordered,
        numbers: partial,
        width,
    })
}

/// The passages over an edge, by prefix.
fn groups(passages: &[Passage]) -> impl Iterator<Item = &[Passage]> {
    passages.chunk_by(|a, b| a.prefix == b.prefix)
}

/// The largest weight any prefix asks for on an edge: the inner option is `None` if no interesting
/// path takes the edge, the outer one if integers overflow.
fn join<T: Integer>(passages: &[Passage], partial: &[T], sizes: &[T]) -> Option<Option<T>> {
    let mut weight: Option<T> = None;
    for group in groups(passages) {
        let lowest = group.iter().map(|p| &partial[p.path as usize]).min()?;
        let asked = sizes[group[0].prefix as usize].minus(lowest)?;
        weight = weight.max(Some(asked));
    }
    Some(weight)
}
