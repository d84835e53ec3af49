//! How often each path of a program ran, exactly.
use indexmap::IndexMap;
use rustc_hash::{FxBuildHasher, FxHashSet};

use super::error::RunError;
use super::program::{Event, ProcedureId, Program};
use super::run::{Follower, Observer, Windows};
use super::supergraph::Supergraph;
use super::supergraphs::Supergraphs;
use crate::graph::{Acyclic, DagEdge, DagEdgeId, DagPath, EdgeId};
use crate::numbering::LimitTooSmall;

/// Paths of supergraphs with their counts, in the order in which they first ended. Memory grows with the different
/// paths: it is what numbered profiles are held to, and what tests are run with.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct PathProfile {
    #[serde(with = "counts")]
    counts: IndexMap<(ProcedureId, DagPath), u64, FxBuildHasher>,
    unfinished: Vec<(ProcedureId, Vec<DagEdgeId>)>,
}

/// Counts as a list of pairs, because a field of JSON cannot have a path for its name.
mod counts {
    use serde::{Deserialize, Deserializer, Serializer};

    use super::{DagPath, FxBuildHasher, IndexMap, ProcedureId};

    type Counts = IndexMap<(ProcedureId, DagPath), u64, FxBuildHasher>;

    pub fn serialize<S: Serializer>(counts: &Counts, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(counts)
    }

    pub fn deserialize<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Counts, D::Error> {
        let counts: Vec<((ProcedureId, DagPath), u64)> = Vec::deserialize(deserializer)?;
        Ok(counts.into_iter().collect())
    }
}

impl PathProfile {
    /// The paths of one run, from the entry of a procedure on. O(events), times `depth + 1` with every window.
    ///
    /// ```
    /// use hpp_paths::graph::{Acyclic, Cfg, EdgeId};
    /// use hpp_paths::interprocedural::{
    ///     Event, Inlining, PathProfile, Procedure, ProcedureId, Program, Supergraphs, Windows,
    /// };
    /// // Figure 3.12 of the thesis: `foo` calls `bar`, and what happens there belongs to the path.
    /// let foo = Cfg::from_edges([("f1", "f2"), ("f2", "f3")])?;
    /// let bar = Cfg::from_edges([("b1", "b2"), ("b1", "b3"), ("b2", "b4"), ("b3", "b4")])?;
    /// let [call, left, join] = [0, 0, 2].map(EdgeId::new);
    /// let callee = ProcedureId::new(1);
    /// let program = Program::new(vec![
    ///     Procedure::new("foo", Acyclic::depth_first(&foo)).calling(call, callee),
    ///     Procedure::new("bar", Acyclic::depth_first(&bar)),
    /// ])?;
    /// let run = [
    ///     Event::Call { site: call, callee }, Event::Take(left), Event::Take(join), Event::Return,
    ///     Event::Take(EdgeId::new(1)), Event::Return,
    /// ];
    /// let graphs = Supergraphs::build(&program, &Inlining::all(1));
    /// let start = ProcedureId::new(0);
    /// let profile = PathProfile::of(&program, &graphs, Windows::Tiled, start, run)?;
    /// let text: Vec<_> = profile.iter().map(|(_, path, _)| path.text(graphs.of(start).dag())).collect();
    /// assert_eq!(text, ["f1 bar#1.b1 bar#1.b2 bar#1.b4 f2 f3"]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If the events are not a run.
    pub fn of(
        program: &Program,
        graphs: &Supergraphs,
        windows: Windows,
        start: ProcedureId,
        run: impl IntoIterator<Item = Event>,
    ) -> Result<Self, RunError> {
        Follower::enter(program, graphs, windows, start, PathProfile::default()).run(run)
    }

    /// Adds the counts of another run.
    pub fn add(&mut self, other: &Self) {
        for (key, count) in &other.counts {
            *self.counts.entry(key.clone()).or_default() += count;
        }
        self.unfinished.extend_from_slice(&other.unfinished);
    }

    /// The paths by their graphs, with how often they ran.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (ProcedureId, &DagPath, u64)> {
        let counts = self.counts.iter();
        counts.map(|((graph, path), &count)| (*graph, path, count))
    }

    /// How many different paths there are.
    pub fn len(&self) -> usize {
        self.counts.len()
    }

    /// Whether no path ended.
    pub fn is_empty(&self) -> bool {
        self.counts.is_empty()
    }

    /// How often a path of a graph ran.
    pub fn get(&self, graph: ProcedureId, path: &DagPath) -> u64 {
        let key = (graph, path.clone());
        self.counts.get(&key).copied().unwrap_or(0)
    }

    /// How often paths ran.
    pub fn executions(&self) -> u64 {
        self.counts.values().sum()
    }

    /// How many paths were under way when runs stopped; they are not counted.
    pub fn unfinished(&self) -> usize {
        self.unfinished.len()
    }

    /// The paths of a graph, in the order in which they first ended. Linear in all paths.
    pub fn paths(&self, graph: ProcedureId) -> Vec<DagPath> {
        let of_graph = self.counts.keys().filter(|(of, _)| *of == graph);
        of_graph.map(|(_, path)| path.clone()).collect()
    }

    /// The edges that ran, by graph, those of unfinished paths too. Linear in the edges of all paths.
    pub fn edges(&self, graphs: &Supergraphs) -> FxHashSet<(ProcedureId, EdgeId)> {
        let ended = self
            .counts
            .keys()
            .map(|(graph, path)| (*graph, path.edges()));
        let ran = ended.chain(self.stopped()).flat_map(|(graph, edges)| {
            let ran = ran(graphs.of(graph).dag(), edges);
            ran.map(move |edge| (graph, edge))
        });
        ran.collect()
    }

    /// The edges of each path of a graph, the hottest first, then of those that did not end.
    fn hottest_edges(&self, graph: &Supergraph) -> Vec<Vec<EdgeId>> {
        let mut paths: Vec<_> = self.iter().filter(|(of, ..)| *of == graph.root()).collect();
        paths.sort_by_key(|(.., count)| std::cmp::Reverse(*count));
        let ended = paths.iter().map(|(_, path, _)| path.edges());
        let stopped = self.stopped().filter(|(of, _)| *of == graph.root());
        let all = ended.chain(stopped.map(|(_, edges)| edges));
        all.map(|edges| ran(graph.dag(), edges).collect()).collect()
    }

    fn stopped(&self) -> impl Iterator<Item = (ProcedureId, &[DagEdgeId])> {
        self.unfinished
            .iter()
            .map(|(graph, edges)| (*graph, &edges[..]))
    }
}

impl Supergraphs {
    /// Each [truncated](Supergraph::truncated) where these runs went least: step 5 of the thesis's algorithm. No edge that they took is
    /// broken if that will do, and their paths then stay what they are; else none of as many of the hottest paths as will do.
    /// What runs take in the result is another profile. The cost is that of truncating a graph log P times for P paths of it.
    ///
    /// # Errors
    ///
    /// For the first for which no edges are found that do it.
    pub fn truncated(&self, limit: u64, runs: &PathProfile) -> Result<Self, LimitTooSmall> {
        let cut = |graph: &Supergraph| {
            let paths = runs.hottest_edges(graph);
            let keeping = |count: usize| {
                let kept: FxHashSet<EdgeId> = paths[..count].iter().flatten().copied().collect();
                graph.truncated(limit, |edge| kept.contains(&edge))
            };
            keeping(paths.len()).or_else(|_| {
                // The most paths that can be kept lie in this range.
                let (mut can, mut cannot) = (0, paths.len());
                let mut cut = keeping(0);
                while cut.is_ok() && cannot - can > 1 {
                    let count = usize::midpoint(can, cannot);
                    match keeping(count) {
                        Ok(more) => (can, cut) = (count, Ok(more)),
                        Err(_) => cannot = count,
                    }
                }
                cut
            })
        };
        self.0
            .iter()
            .map(cut)
            .collect::<Result<_, _>>()
            .map(Supergraphs)
    }
}

/// The edges that run when a path takes edges of the acyclic form. Supergraphs share no dummies, so a stop tells its edge; a
/// start tells the one that ran before.
fn ran(dag: &Acyclic, edges: &[DagEdgeId]) -> impl Iterator<Item = EdgeId> {
    edges.iter().filter_map(|&edge| match dag.kind(edge) {
        DagEdge::Real(edge) => Some(*edge),
        DagEdge::Stop { breaks, .. } => breaks.first().copied(),
        DagEdge::Start { .. } => None,
    })
}

impl Observer for PathProfile {
    type Register = Vec<DagEdgeId>;

    fn begin(&mut self, _: ProcedureId) -> Self::Register {
        Vec::new()
    }

    fn take(&mut self, _: ProcedureId, register: &mut Self::Register, edge: DagEdgeId) {
        register.push(edge);
    }

    fn end(&mut self, graph: ProcedureId, register: Self::Register) {
        let path = DagPath::from_trusted(register);
        *self.counts.entry((graph, path)).or_default() += 1;
    }

    fn stop(&mut self, graph: ProcedureId, register: Self::Register) {
        self.unfinished.push((graph, register));
    }
}
