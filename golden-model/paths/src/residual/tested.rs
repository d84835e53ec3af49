//! The paths of the tests, ready for a deployed program.
use rustc_hash::FxHashSet;
use thiserror::Error;

use crate::Number;
use crate::graph::DagPath;
use crate::interprocedural::{PathProfile, ProcedureId, Supergraphs};
use crate::numbering::{
    BallLarus, Class, Classifier, EdgeValues, Interesting, Preferential, TooManyPaths,
};

/// What a deployed program may spend.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Paths of a graph: the range of the register that tells aliases. [`Supergraphs::truncated`] cuts graphs down to it.
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

/// Why tested paths cannot be distinguished from others within the limits.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum TestedError {
    #[error(transparent)]
    Paths(#[from] TooManyPaths),
    #[error("a tested path of graph {0} (from 0) is none of it; profile the tests on these graphs")]
    Foreign(usize),
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
    /// If a graph has more paths than the limit, or tests are those of other graphs.
    pub fn new(
        graphs: &Supergraphs,
        tests: &PathProfile,
        limits: Limits,
    ) -> Result<Self, TestedError> {
        let mut by_graph = vec![Vec::new(); graphs.iter().len()];
        for (graph, path, _) in tests.iter() {
            let known = by_graph.get_mut(graph.index());
            let paths: &mut Vec<DagPath> = known.ok_or(TestedError::Foreign(graph.index()))?;
            paths.push(path.clone());
        }
        let mut numbered = Vec::with_capacity(by_graph.len());
        for (paths, graph) in by_graph.into_iter().zip(graphs.iter()) {
            let dag = graph.dag();
            let fits = |path: &DagPath| {
                let known = path
                    .edges()
                    .iter()
                    .all(|edge| edge.index() < dag.edge_count());
                known && DagPath::new(dag, path.edges().to_vec()).is_ok()
            };
            if !paths.iter().all(fits) {
                return Err(TestedError::Foreign(graph.root().index()));
            }
            let second = BallLarus::limited(dag, limits.paths)?;
            numbered.push(Numbered::new(second, paths, limits.counters)?);
        }
        Ok(Tested {
            graphs: graphs.clone(),
            numbered,
            limits,
        })
    }

    /// The graphs a deployed program is to be followed in.
    pub fn graphs(&self) -> &Supergraphs {
        &self.graphs
    }

    /// The limits.
    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// The tested paths of a graph.
    pub fn paths(&self, graph: ProcedureId) -> &[DagPath] {
        &self.numbered(graph).paths
    }

    /// How many counters the array of a graph has.
    pub fn counters(&self, graph: ProcedureId) -> usize {
        let width = usize::try_from(&self.numbered(graph).width).unwrap_or(usize::MAX);
        width.min(self.limits.counters)
    }

    /// The memory of a deployed program in bytes: a count and a Ball-Larus number of eight bytes each for every counter of the arrays and every place
    /// of the list, and two bytes for a place's graph; `usize::MAX` if that is more than a `usize` holds.
    pub fn bytes(&self) -> usize {
        let graphs = self.graphs.iter().map(|graph| graph.root());
        let counters = graphs.map(|graph| self.counters(graph));
        let counters = counters.fold(0, usize::saturating_add);
        let places = self.limits.untested.saturating_mul(18);
        counters.saturating_mul(16).saturating_add(places)
    }

    pub(super) fn numbered(&self, graph: ProcedureId) -> &Numbered {
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
        let first = Preferential::new(&interesting);
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
