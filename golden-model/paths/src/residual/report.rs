//! What the developer reads out of a residual profile.
use indexmap::IndexMap;
use rustc_hash::FxBuildHasher;

use super::tested::Tested;
use crate::Number;
use crate::graph::DagPath;
use crate::interprocedural::ProcedureId;
use crate::numbering::Profile;

/// A path that no test took.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct UntestedPath {
    /// The graph, by its procedure.
    pub graph: ProcedureId,
    /// Its Ball-Larus number there.
    pub number: Number,
    /// The path, one of [`Tested::graphs`].
    pub path: DagPath,
    /// How often it ran.
    pub count: u64,
}

/// A residual profile. All executions are in `tested`, `weeded`, `untested` or `beyond`.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct ResidualReport {
    /// The untested paths that were kept, in the order in which they were first seen.
    pub untested: Vec<UntestedPath>,
    /// How often tested paths ran that were counted as such.
    pub tested: u64,
    /// The tested paths that the array has no counter for, and how often they ran: the developer, who has the list of all
    /// tested paths, takes them out of the untested ones.
    pub weeded: Vec<UntestedPath>,
    /// How often paths ran that the list had no room for: untested ones and, if `counters` is too small, tested ones.
    pub beyond: u64,
    /// How many paths were under way when runs stopped; they are not counted.
    pub unfinished: usize,
}

impl ResidualReport {
    pub(super) fn new(
        tested: &Tested,
        arrays: &[Profile],
        list: &IndexMap<(ProcedureId, Number), u64, FxBuildHasher>,
        beyond: u64,
        unfinished: usize,
    ) -> Self {
        let mut report = ResidualReport {
            tested: arrays.iter().flat_map(|array| &array.interesting).sum(),
            beyond,
            unfinished,
            ..ResidualReport::default()
        };
        for ((graph, number), &count) in list {
            let numbered = tested.numbered(*graph);
            let path = numbered.second.path(number);
            let seen = UntestedPath {
                graph: *graph,
                number: number.clone(),
                path: path.expect("it was counted under its own number"),
                count,
            };
            match numbered.numbers.contains(number) {
                true => report.weeded.push(seen),
                false => report.untested.push(seen),
            }
        }
        report
    }

    /// How often paths ran.
    pub fn executions(&self) -> u64 {
        let listed = self.untested.iter().chain(&self.weeded);
        self.tested + self.beyond + listed.map(|path| path.count).sum::<u64>()
    }
}
