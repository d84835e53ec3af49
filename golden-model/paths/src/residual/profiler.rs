//! What a deployed program collects, in bounded memory.
//!
//! The list has untested paths in the order in which they were first seen. A list of the most frequent ones would
//! miss paths that are rare for each user and common to all (thesis, section 3.5.3).
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::report::ResidualReport;
use super::tested::Tested;
use crate::Number;
use crate::graph::DagEdgeId;
use crate::interprocedural::{Event, Follower, Observer, ProcedureId, Program, RunError, Windows};
use crate::numbering::{Class, Profile};

/// The profiler of a deployed program: two path registers, an array of counters for each graph, and a list.
///
/// ```
/// use hpp_paths::graph::{Acyclic, Cfg, EdgeId};
/// use hpp_paths::interprocedural::{
///     Event, Inlining, PathProfile, Procedure, ProcedureId, Program, Supergraphs, Windows,
/// };
/// use hpp_paths::residual::{Limits, ResidualProfiler, Tested};
/// // Figure 3.4 of the thesis; sacdt, sact and sbct were tested.
/// let cfg = Cfg::from_edges([
///     ("s", "a"), ("s", "b"), ("a", "c"), ("a", "b"), ("b", "c"), ("c", "d"), ("c", "t"), ("d", "t"),
/// ])?;
/// let program = Program::new(vec![Procedure::new("g", Acyclic::depth_first(&cfg))])?;
/// let start = ProcedureId::new(0);
/// let run = |edges: &[usize]| -> Vec<Event> {
///     let takes = edges.iter().map(|&edge| Event::Take(EdgeId::new(edge)));
///     takes.chain([Event::Return]).collect()
/// };
/// let graphs = Supergraphs::build(&program, &Inlining::none());
/// let mut tests = PathProfile::default();
/// for edges in [&[0, 2, 5, 7][..], &[0, 2, 6], &[1, 4, 6]] {
///     tests.add(&PathProfile::of(&program, &graphs, Windows::Tiled, start, run(edges))?);
/// }
/// let tested = Tested::new(&graphs, &tests, Limits::default())?;
/// assert_eq!(tested.counters(start), 3);
/// // The field takes sbcdt, whose preferential number, 1, is that of sact: the Ball-Larus number, 4, tells.
/// let mut profiler = ResidualProfiler::new(&tested);
/// profiler.run(&program, Windows::Tiled, start, run(&[1, 4, 5, 7]))?;
/// let report = profiler.report();
/// let untested = &report.untested[0];
/// assert_eq!(untested.path.text(tested.graphs().of(start).dag()), "s b c d t");
/// assert_eq!((untested.number.clone(), untested.count), (4u32.into(), 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct ResidualProfiler<'a> {
    tested: &'a Tested,
    arrays: Vec<Profile>,
    list: IndexMap<(ProcedureId, Number), u64, FxBuildHasher>,
    beyond: u64,
    unfinished: usize,
}

impl<'a> ResidualProfiler<'a> {
    /// A profiler that has seen no run.
    pub fn new(tested: &'a Tested) -> Self {
        let graphs = tested.graphs().iter();
        ResidualProfiler {
            tested,
            arrays: graphs
                .map(|graph| Profile::new(tested.paths(graph.root()).len()))
                .collect(),
            list: IndexMap::default(),
            beyond: 0,
            unfinished: 0,
        }
    }

    /// Profiles a run. O(events), times `depth + 1` with every window.
    ///
    /// # Errors
    ///
    /// If the events are not a run; what came before the wrong one is counted.
    pub fn run(
        &mut self,
        program: &Program,
        windows: Windows,
        start: ProcedureId,
        run: impl IntoIterator<Item = Event>,
    ) -> Result<(), RunError> {
        let graphs = self.tested.graphs();
        Follower::enter(program, graphs, windows, start, self).run(run)?;
        Ok(())
    }

    /// What was collected, with the way back from numbers to paths.
    pub fn report(&self) -> ResidualReport {
        ResidualReport::new(
            self.tested,
            &self.arrays,
            &self.list,
            self.beyond,
            self.unfinished,
        )
    }

    fn count_untested(&mut self, graph: ProcedureId, number: Number) {
        let room = self.list.len() < self.tested.limits().untested;
        match self.list.get_mut(&(graph, number.clone())) {
            Some(count) => *count += 1,
            None if room => {
                self.list.insert((graph, number), 1);
            }
            None => self.beyond += 1,
        }
    }
}

impl Observer for &mut ResidualProfiler<'_> {
    /// The preferential sum, and the Ball-Larus number.
    type Register = [Number; 2];

    fn begin(&mut self, _: ProcedureId) -> Self::Register {
        [Number::ZERO; 2]
    }

    fn take(&mut self, graph: ProcedureId, register: &mut Self::Register, edge: DagEdgeId) {
        let values = &self.tested.numbered(graph).values;
        for (sum, values) in register.iter_mut().zip(values) {
            *sum += values.get(edge);
        }
    }

    fn end(&mut self, graph: ProcedureId, register: Self::Register) {
        let class = self.tested.numbered(graph).class(&register);
        self.arrays[graph.index()].record(class);
        if !matches!(class, Class::Interesting(_)) {
            let [_, number] = register;
            self.count_untested(graph, number);
        }
    }

    fn stop(&mut self, _: ProcedureId, _: Self::Register) {
        self.unfinished += 1;
    }
}
