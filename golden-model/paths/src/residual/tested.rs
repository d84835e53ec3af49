//! The paths of the tests, ready for a deployed program.
use rustc_hash::FxHashSet;
use thiserror::Error;

use crate::Number;
use crate::graph::DagPath;
use crate::interprocedural::{PathProfile, ProcedureId, Supergraphs};
use crate::numbering::{
    BallLarus, Class, Classifier, EdgeValues, Interesting, LimitTooSmall, NumbersTooLong,
    Preferential, TooManyPaths,
};

/// What a deployed program may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Paths of a graph: the range of the register that tells aliases. Graphs with more are truncated where no test goes.
    pub paths: u64,
    /// Counters of a graph's tested paths. A tested path whose number lies beyond is taken for untested in the field, and weeded out
    /// of the report.
    pub counters: usize,
    /// Different untested paths that are kept, of all graphs together.
    pub untested: usize,
}

impl Default for Limits {
    /// A register of 32 bits, arrays of the thesis's experiments ([`Storage::THRESHOLD`](crate::runtime::Storage::THRESHOLD)),
    /// and a thousand untested paths.
    fn default() -> Self {
        Limits {
            paths: 1 << 32,
            counters: crate::runtime::Storage::THRESHOLD,
            untested: 1000,
        }
    }
}

/// Why tested paths cannot be told from others within the limits.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TestedError {
    /// The tests alone take edges over which too many paths lead.
    #[error(transparent)]
    Truncation(#[from] LimitTooSmall),
    /// A truncated graph has too many paths all the same.
    #[error(transparent)]
    Paths(#[from] TooManyPaths),
    /// The preferential numbers are too long.
    #[error(transparent)]
    Numbers(#[from] NumbersTooLong),
    /// The profile of the tests is one of other graphs.
    #[error("a tested path of `{0}` is no path of its graph; profile the tests on these graphs")]
    Foreign(String),
}

/// The numberings of one graph.
#[derive(Clone, Debug)]
pub(super) struct Numbered {
    /// Tells all paths apart.
    pub second: BallLarus,
    /// The values of both, preferential first. A graph that no test entered has none, and no array.
    pub values: [EdgeValues; 2],
    pub classifier: Classifier,
    pub width: Number,
    pub paths: Vec<DagPath>,
    pub numbers: FxHashSet<Number>,
}

/// The tested paths of a program, numbered.
#[derive(Clone, Debug)]
pub struct Tested {
    graphs: Supergraphs,
    numbered: Vec<Numbered>,
    limits: Limits,
}

impl Tested {
    /// The paths that tests took in these graphs. O((V + E) P) for each graph with P tested paths.
    ///
    /// # Errors
    ///
    /// If a graph cannot be cut down to the limit without breaking a tested path.
    pub fn new(
        graphs: &Supergraphs,
        tests: &PathProfile,
        limits: Limits,
    ) -> Result<Self, TestedError> {
        let mut by_graph = vec![Vec::new(); graphs.iter().len()];
        for (graph, path, _) in tests.iter() {
            by_graph[graph.index()].push(path.clone());
        }
        let cut = graphs.truncated(limits.paths, tests)?;
        let mut numbered = Vec::with_capacity(by_graph.len());
        for (paths, (from, to)) in by_graph.iter().zip(graphs.iter().zip(cut.iter())) {
            let carry = |path: &DagPath| path.carried(from.dag(), to.dag());
            let paths: Option<Vec<_>> = paths.iter().map(carry).collect();
            let flow = from.dag().flow();
            let foreign = || TestedError::Foreign(flow.name(flow.entry()).into());
            let second = BallLarus::limited(to.dag(), limits.paths)?;
            numbered.push(Numbered::new(
                second,
                paths.ok_or_else(foreign)?,
                limits.counters,
            )?);
        }
        Ok(Tested {
            graphs: cut,
            numbered,
            limits,
        })
    }

    /// The graphs a deployed program is to be followed in: those of the tests, truncated.
    #[must_use]
    pub fn graphs(&self) -> &Supergraphs {
        &self.graphs
    }

    /// The limits.
    #[must_use]
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The tested paths of a graph.
    #[must_use]
    pub fn paths(&self, graph: ProcedureId) -> &[DagPath] {
        &self.of(graph).paths
    }

    /// How many counters the array of a graph has.
    #[must_use]
    pub fn counters(&self, graph: ProcedureId) -> usize {
        let width = self.of(graph).width.to_usize().unwrap_or(usize::MAX);
        width.min(self.limits.counters)
    }

    /// The memory of a deployed program in bytes: a count and a Ball-Larus number of eight bytes each for every counter of the
    /// arrays and every place of the list, and two bytes for a place's graph.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let graphs = self.graphs.iter().map(|graph| graph.root());
        let counters: usize = graphs.map(|graph| self.counters(graph)).sum();
        16 * counters + 18 * self.limits.untested
    }

    pub(super) fn of(&self, graph: ProcedureId) -> &Numbered {
        &self.numbered[graph.index()]
    }
}

impl Numbered {
    fn new(second: BallLarus, paths: Vec<DagPath>, counters: usize) -> Result<Self, TestedError> {
        let numbers = paths.iter().map(|path| second.number(path)).collect();
        let numbered = |first, classifier, width, second: BallLarus| Numbered {
            values: [first, second.values()],
            classifier,
            width,
            paths: paths.clone(),
            numbers,
            second,
        };
        if paths.is_empty() {
            let zero = EdgeValues::zero(second.dag());
            return Ok(numbered(zero, Classifier::nothing(), Number::ZERO, second));
        }
        let interesting = Interesting::new(second.dag(), paths.clone());
        let interesting = interesting.expect("there is one, and a profile has each once");
        let first = Preferential::new(&interesting)?;
        let classifier = first.classifier(&interesting, &second).limited(counters);
        Ok(numbered(
            first.values().clone(),
            classifier,
            first.width().clone(),
            second,
        ))
    }

    pub fn class(&self, sums: &[Number; 2]) -> Class {
        self.classifier.classify(&sums[0], &sums[1])
    }
}
