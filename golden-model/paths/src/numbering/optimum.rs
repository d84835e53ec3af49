//! The best possible numbering of a few interesting paths, by integer programming.
//!
//! [Preferential](super::preferential) numbering is fast, not optimal. For small cases this module finds
//! values under which the interesting paths have distinct numbers in the smallest possible
//! interval (problem A of Vaswani's thesis, section 3.3), so that the distance can be measured,
//! and decides whether values exist that also keep all other paths out of that interval (lemma
//! 3.3.1).
//!
//! # The program
//!
//! Unknown are the values of the chords of a spanning tree; values on the tree itself add nothing
//! (see [spanning](super::spanning)), nor does a range that begins elsewhere than at 0. Path sums
//! lie in `0..width`. For two paths p and q a binary unknown b says which is larger, by the
//! constraints `p - q >= 1 - width b` and `q - p >= 1 - width (1 - b)`. Widths are tried from the number of
//! paths up, to that of the preferential numbering, which is feasible. Mirroring all
//! sums gives another solution, so the order of the first two paths is fixed.
//!
//! Values are sought up to [`REACH`] times the width, in either direction. The solver calculates in floating
//! point; what it finds is checked in integers.
use good_lp::{
    Constraint, Expression, ProblemVariables, ResolutionError, Solution, SolverModel, Variable,
    constraint, microlp, variable,
};
use num_bigint::BigInt;
use num_traits::ToPrimitive;
use petgraph::unionfind::UnionFind;
use rustc_hash::{FxHashMap, FxHashSet};
use thiserror::Error;

use super::interesting::Interesting;
use super::preferential::Preferential;
use super::values::EdgeValues;
use crate::graph::{Acyclic, DagEdgeId, DagPath};

/// The most interesting paths taken on.
pub const MOST_PATHS: usize = 8;

/// The widest interval tried.
pub const WIDEST: u32 = 64;

/// How many times the width a single value may be.
pub const REACH: u32 = 4;

/// Why there is no answer.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum OptimumError {
    /// Too large to try.
    #[error(
        "{paths} paths in an interval of {width} are too many to try all numberings; \
         at most {MOST_PATHS} paths and {WIDEST} numbers are"
    )]
    TooLarge {
        /// How many paths.
        paths: usize,
        /// The width of their preferential numbering.
        width: String,
    },
    /// The solver gave up, or what it found does not hold.
    #[error("the integer program was not solved: {0}")]
    Solver(String),
}

/// An optimal numbering.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Optimum {
    /// The values of the edges.
    pub values: EdgeValues,
    /// The size of the interval; divided by the number of paths, the least possible delta.
    pub width: u32,
}

/// The optimal numbering of a few interesting paths. Exponential.
pub fn optimum(dag: &Acyclic, interesting: &Interesting) -> Result<Optimum, OptimumError> {
    let preferential = Preferential::new(dag, interesting);
    let paths = interesting.count();
    let widest = preferential.width().to_u32().filter(|&w| w <= WIDEST);
    let (Some(widest), true) = (widest, paths <= MOST_PATHS) else {
        return Err(OptimumError::TooLarge {
            paths,
            width: preferential.width().to_string(),
        });
    };
    for width in paths as u32..widest {
        if let Some(values) = solve(dag, interesting.paths(), &[], width)? {
            return Ok(Optimum { values, width });
        }
    }
    Ok(Optimum {
        values: preferential.values().clone(),
        width: widest,
    })
}

/// Values that number the interesting paths `0..P` and the others outside: from P up, as lemma
/// 3.3.1 asks. `None` if there are none within reach. Exponential.
pub fn separation(
    dag: &Acyclic,
    interesting: &Interesting,
    others: &[DagPath],
) -> Result<Option<EdgeValues>, OptimumError> {
    let paths = interesting.count();
    if paths > MOST_PATHS {
        let width = paths.to_string();
        return Err(OptimumError::TooLarge { paths, width });
    }
    solve(dag, interesting.paths(), others, paths as u32)
}

/// Values under which `paths` have distinct sums in `0..width` and `others` sums from `width` up.
fn solve(
    dag: &Acyclic,
    paths: &[DagPath],
    others: &[DagPath],
    width: u32,
) -> Result<Option<EdgeValues>, OptimumError> {
    let mut program = Program::new(dag, paths.iter().chain(others), width);
    for path in paths {
        program.inside(path);
    }
    for path in others {
        program.outside(path);
    }
    for (at, one) in paths.iter().enumerate() {
        for (behind, other) in paths[at + 1..].iter().enumerate() {
            let fixed = at == 0 && behind == 0;
            program.apart(one, other, fixed);
        }
    }
    let Some(values) = program.solve(dag)? else {
        return Ok(None);
    };
    match holds(&values, paths, others, width) {
        true => Ok(Some(values)),
        false => Err(OptimumError::Solver("its answer is not integral".into())),
    }
}

/// Whether values do what was asked for.
fn holds(values: &EdgeValues, paths: &[DagPath], others: &[DagPath], width: u32) -> bool {
    let mut seen = FxHashSet::default();
    let width = BigInt::from(width);
    paths.iter().all(|path| {
        let sum = values.sum(path);
        BigInt::ZERO <= sum && sum < width && seen.insert(sum)
    }) && others.iter().all(|path| values.sum(path) >= width)
}

/// An integer program being put together.
struct Program {
    unknowns: ProblemVariables,
    constraints: Vec<Constraint>,
    chords: FxHashMap<DagEdgeId, Variable>,
    width: f64,
}

impl Program {
    /// The unknowns: a value for each chord of the graph these paths make up.
    fn new<'a>(dag: &Acyclic, paths: impl Iterator<Item = &'a DagPath>, width: u32) -> Self {
        let reach = f64::from(REACH * width);
        let mut program = Program {
            unknowns: ProblemVariables::new(),
            constraints: Vec::new(),
            chords: FxHashMap::default(),
            width: f64::from(width),
        };
        let mut joined = UnionFind::new(dag.block_count());
        joined.union(dag.exit().index(), dag.entry().index());
        let mut seen = FxHashSet::default();
        for &edge in paths.flat_map(|p| p.edges()) {
            let (from, to) = dag.ends(edge);
            if seen.insert(edge) && !joined.union(from.index(), to.index()) {
                let value = variable().integer().min(-reach).max(reach);
                program.chords.insert(edge, program.unknowns.add(value));
            }
        }
        program
    }

    fn sum(&self, path: &DagPath) -> Expression {
        let chords = path.edges().iter().filter_map(|e| self.chords.get(e));
        chords.copied().map(Expression::from).sum()
    }

    fn inside(&mut self, path: &DagPath) {
        let sum = self.sum(path);
        self.constraints.push(constraint!(sum.clone() >= 0.0));
        self.constraints.push(constraint!(sum <= self.width - 1.0));
    }

    fn outside(&mut self, path: &DagPath) {
        let sum = self.sum(path);
        self.constraints.push(constraint!(sum >= self.width));
    }

    /// Two paths have different sums; if `fixed`, the first has the larger one.
    fn apart(&mut self, one: &DagPath, other: &DagPath, fixed: bool) {
        let larger = self.sum(one) - self.sum(other);
        if fixed {
            self.constraints.push(constraint!(larger >= 1.0));
            return;
        }
        let b = self.unknowns.add(variable().binary());
        let up = larger.clone() + self.width * b;
        let down = larger + self.width * b;
        self.constraints.push(constraint!(up >= 1.0));
        self.constraints.push(constraint!(down <= self.width - 1.0));
    }

    fn solve(self, dag: &Acyclic) -> Result<Option<EdgeValues>, OptimumError> {
        let problem = self.unknowns.minimise(Expression::from(0.0)).using(microlp);
        let problem = problem.with_all(self.constraints);
        let solution = match problem.solve() {
            Ok(solution) => solution,
            Err(ResolutionError::Infeasible) => return Ok(None),
            Err(error) => return Err(OptimumError::Solver(error.to_string())),
        };
        let mut values = EdgeValues::zero(dag);
        for (edge, chord) in self.chords {
            values.set(edge, BigInt::from(solution.value(chord).round() as i64));
        }
        Ok(Some(values))
    }
}
