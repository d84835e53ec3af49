//! The best possible numbering of a few interesting paths, by exact search.
//!
//! [Preferential](super::preferential) numbering is fast, not optimal. For small cases this module finds values
//! under which the interesting paths have distinct numbers in the smallest possible interval (problem A of
//! Vaswani's thesis, section 3.3).
//!
//! # The search
//!
//! A column says for an edge which paths take it. The possible sums of the paths are the integer combinations of
//! these columns: a lattice. Euclid's algorithm on the columns brings its basis into echelon form. Going through
//! the paths in order, the sum of a path is either fixed by earlier paths, or one basis vector, its *pivot*,
//! changes it in steps and leaves earlier sums unchanged. A backtracking search over the paths therefore visits
//! exactly the possible sums, in integers, without a bound on values.
//!
//! Paths with fixed sums come as early as possible, so that a wrong choice is detected early. Widths are tried from
//! the number of paths up to that of the preferential numbering, which is feasible. By symmetry the range begins at
//! 0, and the first path takes a number of the lower half.
mod order;

use std::collections::BTreeSet;

use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use order::early_fixed;

use super::interesting::Interesting;
use super::preferential::Preferential;
use super::values::EdgeValues;
use crate::Number;
use crate::graph::{Acyclic, DagEdgeId, DagPath};

/// The most interesting paths taken on.
pub const MOST_PATHS: usize = 16;

/// The most sums tried.
pub const MOST_STEPS: u64 = 20_000_000;

/// The widest interval tried.
pub const WIDEST: u32 = 64;

/// The case is too large to search, or was not decided within [`MOST_STEPS`].
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[error(
    "{paths} paths in an interval of {width} are too many to try all numberings; \
     at most {MOST_PATHS} paths and {WIDEST} numbers are, in {MOST_STEPS} steps"
)]
pub struct TooLarge {
    /// How many paths.
    pub paths: usize,
    /// The width of their preferential numbering.
    pub width: String,
}

/// An optimal numbering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimum {
    /// The values of the edges.
    pub values: EdgeValues,
    /// The size of the interval; divided by the number of paths, the least possible delta.
    pub width: u32,
}

/// The optimal numbering of a few interesting paths. Exponential in their number.
///
/// Two paths that cross, in figure 3.5 of the thesis:
///
/// ```
/// use hpp_paths::graph::{Acyclic, Cfg};
/// use hpp_paths::numbering::optimum::optimum;
/// use hpp_paths::numbering::{BallLarus, Interesting};
/// let cfg = Cfg::from_edges([
///     ("s", "a"), ("s", "b"), ("a", "c"), ("b", "c"), ("c", "d"), ("c", "e"), ("d", "t"), ("e", "t"),
/// ])?;
/// let dag = Acyclic::depth_first(&cfg);
/// // Of the paths 0 to 3: s a c e t and s b c d t.
/// let all = BallLarus::new(&dag)?;
/// let crossed = Interesting::from_numbers(&all, &[1.into(), 2.into()])?;
/// assert_eq!(optimum(&crossed)?.width, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
///
/// If there are too many of them, their preferential numbers lie too far apart, or the search takes too long.
pub fn optimum(interesting: &Interesting) -> Result<Optimum, TooLarge> {
    let paths = interesting.count();
    let too_large = |width: String| TooLarge { paths, width };
    let preferential = Preferential::new(interesting);
    let width = preferential.width();
    let widest = u32::try_from(width).ok();
    let widest = widest.filter(|&width| width <= WIDEST && paths <= MOST_PATHS);
    let widest = widest.ok_or_else(|| too_large(width.to_string()))?;
    let ordered = early_fixed(interesting.paths());
    let lattice = Lattice::new(interesting.dag(), ordered.iter().copied());
    let mut steps = MOST_STEPS;
    for width in paths as u32..widest {
        let mut search = Search::new(&lattice, width, steps);
        let found = search.run();
        steps = search.left;
        if let Some(values) = found {
            return Ok(Optimum { values, width });
        }
        if steps == 0 {
            return Err(too_large(widest.to_string()));
        }
    }
    Ok(Optimum {
        values: preferential.values().clone(),
        width: widest,
    })
}

/// A combination of edges, and what it adds to the sum of each path.
#[derive(Clone, Debug)]
struct Vector {
    sums: Vec<i64>,
    edges: FxHashMap<DagEdgeId, i64>,
}

impl Vector {
    fn subtract(&mut self, other: &Vector, times: i64) {
        for (sum, by) in self.sums.iter_mut().zip(&other.sums) {
            *sum -= by * times;
        }
        for (&edge, by) in &other.edges {
            *self.edges.entry(edge).or_default() -= by * times;
        }
    }
}

/// The sums that some paths can have.
struct Lattice<'a> {
    dag: &'a Acyclic,
    /// For each path its pivot; that of a later path has 0 for it.
    pivots: Vec<Option<Vector>>,
}

impl<'a> Lattice<'a> {
    fn new<'p>(dag: &'a Acyclic, paths: impl Iterator<Item = &'p DagPath> + Clone) -> Self {
        let count = paths.clone().count();
        let mut vectors = columns(paths);
        let pivots = (0..count).map(|path| pivot(&mut vectors, path)).collect();
        Lattice { dag, pivots }
    }
}

/// The columns of the edges that these paths take, each column once.
fn columns<'p>(paths: impl Iterator<Item = &'p DagPath> + Clone) -> Vec<Vector> {
    let edges: BTreeSet<DagEdgeId> = paths.clone().flat_map(DagPath::edges).copied().collect();
    let mut known = FxHashSet::default();
    let mut columns = Vec::new();
    for edge in edges {
        let takes = |path: &DagPath| i64::from(path.edges().contains(&edge));
        let sums: Vec<i64> = paths.clone().map(takes).collect();
        if known.insert(sums.clone()) {
            let edges = FxHashMap::from_iter([(edge, 1)]);
            columns.push(Vector { sums, edges });
        }
    }
    columns
}

/// Euclid's algorithm on the vectors that change the sum of a path: all but one come to leave it alone, and that one is
/// taken out.
fn pivot(vectors: &mut Vec<Vector>, path: usize) -> Option<Vector> {
    loop {
        let changing = (0..vectors.len()).filter(|&at| vectors[at].sums[path] != 0);
        let least = changing.min_by_key(|&at| vectors[at].sums[path].abs())?;
        let least = vectors.swap_remove(least);
        let step = least.sums[path];
        let others = vectors.iter_mut().filter(|v| v.sums[path] != 0);
        let mut others = others.peekable();
        if others.peek().is_none() {
            return Some(least);
        }
        for vector in others {
            vector.subtract(&least, vector.sums[path].div_euclid(step));
        }
        vectors.push(least);
    }
}

/// A search through a lattice for distinct sums in an interval from 0.
struct Search<'a> {
    lattice: &'a Lattice<'a>,
    width: u32,
    sums: Vec<i64>,
    steps: Vec<i64>,
    used: FxHashSet<i64>,
    /// How many more sums are tried.
    left: u64,
}

impl<'a> Search<'a> {
    fn new(lattice: &'a Lattice<'a>, width: u32, left: u64) -> Self {
        let paths = lattice.pivots.len();
        Search {
            lattice,
            width,
            sums: vec![0; paths],
            steps: vec![0; paths],
            used: FxHashSet::default(),
            left,
        }
    }

    /// Values for the sums found; `None` if there are none, or no more are tried.
    fn run(&mut self) -> Option<EdgeValues> {
        self.extend(0).then(|| self.values())
    }

    /// Whether the sums from this path on can be chosen.
    fn extend(&mut self, path: usize) -> bool {
        let lattice = self.lattice;
        let Some(pivot) = lattice.pivots.get(path) else {
            return true;
        };
        // Mirrored, an interval is one again: the first sum lies in its lower half.
        let width = match path {
            0 => self.width.div_ceil(2),
            _ => self.width,
        };
        let from = self.sums[path];
        let numbers = 0..i64::from(width);
        let Some(pivot) = pivot else {
            return numbers.contains(&from) && self.accept(path);
        };
        let step = pivot.sums[path];
        // How often the pivot goes into what is missing, if it does.
        let times = |sum: i64| {
            let missing = sum - from;
            (missing % step == 0).then_some(missing / step)
        };
        for times in numbers.filter_map(times) {
            self.steps[path] = times;
            self.add(pivot, times);
            if self.accept(path) {
                return true;
            }
            self.add(pivot, -times);
        }
        false
    }

    /// Whether the sum of a path is that of none before it, and those after it can be chosen.
    fn accept(&mut self, path: usize) -> bool {
        let Some(left) = self.left.checked_sub(1) else {
            return false;
        };
        self.left = left;
        let sum = self.sums[path];
        if !self.used.insert(sum) {
            return false;
        }
        let found = self.extend(path + 1);
        self.used.remove(&sum);
        found
    }

    fn add(&mut self, vector: &Vector, times: i64) {
        for (sum, by) in self.sums.iter_mut().zip(&vector.sums) {
            *sum += by * times;
        }
    }

    fn values(&self) -> EdgeValues {
        let mut values = EdgeValues::zero(self.lattice.dag);
        for (pivot, &times) in self.lattice.pivots.iter().zip(&self.steps) {
            for (&edge, &by) in pivot.iter().flat_map(|vector| &vector.edges) {
                values.set(edge, values.get(edge) + &Number::from(by * times));
            }
        }
        values
    }
}
