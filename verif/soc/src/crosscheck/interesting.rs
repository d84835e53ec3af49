//! The hottest paths of the hardware table as the interesting paths of preferential and selective profiling: the same
//! counts again, with fewer or smaller numbers.
//!
//! One run of the software profiler adds up three numberings side by side. The preferential sum and, as the second
//! counter, the Ball-Larus number tell an interesting path; the selective sum does so alone.

use super::agreement::{AgreedPath, Agreement, Disagreement, NumberedPath, software_profile};
use super::software::ProfiledFunction;
use hpp_golden::branch::BranchRecord;
use hpp_golden::path::PathDescriptor;
use hpp_paths::Number;
use hpp_paths::metrics::Compactness;
use hpp_paths::numbering::{
    BallLarus, Class, EdgeValues, Interesting, Preferential, Pushing, Selective,
};

/// The numberings of one function with hot paths, and what they need.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HotFunction {
    /// Its name.
    pub name: String,
    /// How many paths it has.
    pub paths: Number,
    /// The Ball-Larus numbers of the hot ones, the hottest first.
    pub hot: Vec<Number>,
    /// How often the hot ones ran.
    pub executions: u64,
    /// Edges with a value by Ball-Larus.
    pub ball_larus_probes: usize,
    /// Compactness of the hot paths' Ball-Larus numbers.
    pub ball_larus: Compactness,
    /// Edges with a value in preferential profiling.
    pub preferential_probes: usize,
    /// Compactness of the preferential numbers.
    pub preferential: Compactness,
    /// Edges with a value in selective profiling.
    pub selective_probes: usize,
    /// Compactness of the selective sums.
    pub selective: Compactness,
}

/// One function's hot paths and their numberings.
struct Hot<'a> {
    function: &'a ProfiledFunction,
    ball_larus: &'a BallLarus,
    paths: Vec<&'a AgreedPath>,
    set: Interesting,
    preferential: Preferential,
    selective: Selective,
}

impl<'a> Hot<'a> {
    fn new(
        agreement: &'a Agreement,
        position: usize,
        paths: Vec<&'a AgreedPath>,
    ) -> Option<Result<Self, Disagreement>> {
        let function = agreement.program.function(position)?;
        let ball_larus = agreement.numberings[position].as_ref()?;
        let numbers: Vec<Number> = paths.iter().map(|path| path.number.clone()).collect();
        if numbers.is_empty() {
            return None;
        }
        let set = Interesting::from_numbers(ball_larus, &numbers);
        let set = set.map_err(|source| Disagreement::Interesting {
            function: function.name.clone(),
            source,
        });
        Some(set.map(|set| Self {
            preferential: Preferential::exact(&set),
            selective: Selective::exact(&set, Pushing::Restricted),
            function,
            ball_larus,
            paths,
            set,
        }))
    }

    fn summary(&self) -> HotFunction {
        let compactness = |numbers: &[Number]| {
            Compactness::of(numbers).expect("a set of interesting paths is not empty")
        };
        let numbers: Vec<Number> = self.paths.iter().map(|p| p.number.clone()).collect();
        HotFunction {
            name: self.function.name.clone(),
            paths: self.ball_larus.paths(),
            hot: self.paths.iter().map(|path| path.number.clone()).collect(),
            executions: self.paths.iter().map(|path| path.count).sum(),
            ball_larus_probes: self.ball_larus.values().probes(),
            ball_larus: compactness(&numbers),
            preferential_probes: self.preferential.values().probes(),
            preferential: compactness(self.preferential.numbers()),
            selective_probes: self.selective.values.probes(),
            selective: compactness(self.selective.sums()),
        }
    }

    /// Compares the counts of the hot paths. `counts` are those of all paths of the function, by their three sums.
    fn check<'c>(
        &self,
        counts: impl Iterator<Item = (&'c [Number], u64)>,
    ) -> Result<(), Disagreement> {
        let classifier = self.preferential.classifier(&self.set, self.ball_larus);
        let mut counted = vec![[0, 0]; self.paths.len()];
        for (sums, count) in counts {
            if let Class::Interesting(i) = classifier.classify(&sums[1], &sums[0]) {
                counted[i][0] += count;
            }
            if let Some(i) = self.selective.position(&sums[2]) {
                counted[i][1] += count;
            }
        }
        for (i, counted) in counted.iter().enumerate() {
            for (numbering, &count) in ["preferential", "selective"].iter().zip(counted) {
                if count != self.paths[i].count {
                    return Err(self.disagreement(i, numbering, count));
                }
            }
        }
        Ok(())
    }

    fn disagreement(&self, i: usize, numbering: &'static str, software: u64) -> Disagreement {
        let path = self.paths[i];
        Disagreement::InterestingCount {
            path: NumberedPath {
                function: self.function.name.clone(),
                number: path.number.clone(),
            },
            numbering,
            hardware: path.count,
            software,
        }
    }
}

/// Numbers the `hot` paths of a run preferentially and selectively, profiles the run again by these numberings, and
/// compares the counts with the hardware's. The functions come in the order of their addresses.
///
/// # Errors
///
/// If a numbering counts a hot path differently.
pub fn check_interesting(
    agreement: &Agreement,
    records: &[BranchRecord],
    hot: &[PathDescriptor],
) -> Result<Vec<HotFunction>, Disagreement> {
    let functions = hot_functions(agreement, hot)?;
    let values = |of: &dyn Fn(&Hot<'_>) -> EdgeValues| -> Vec<Option<EdgeValues>> {
        functions.iter().map(|hot| hot.as_ref().map(of)).collect()
    };
    let ball_larus = values(&|hot| hot.ball_larus.values());
    let preferential = values(&|hot| hot.preferential.values().clone());
    let selective = values(&|hot| hot.selective.values.clone());
    let numberings: [&[Option<EdgeValues>]; 3] = [&ball_larus, &preferential, &selective];
    let counts = software_profile(&agreement.program, &numberings, records)?;
    for (position, hot) in functions.iter().enumerate() {
        if let Some(hot) = hot {
            let own = counts
                .iter()
                .filter(|((function, _), _)| *function == position);
            hot.check(own.map(|((_, sums), &count)| (sums.as_slice(), count)))?;
        }
    }
    Ok(functions.iter().flatten().map(Hot::summary).collect())
}

/// The hot paths by function, `None` for functions without any.
fn hot_functions<'a>(
    agreement: &'a Agreement,
    hot: &[PathDescriptor],
) -> Result<Vec<Option<Hot<'a>>>, Disagreement> {
    let hot: rustc_hash::FxHashSet<_> = hot.iter().collect();
    let mut paths = vec![Vec::new(); agreement.numberings.len()];
    for path in agreement
        .paths
        .iter()
        .filter(|p| hot.contains(&p.descriptor))
    {
        paths[path.function].push(path);
    }
    paths
        .into_iter()
        .enumerate()
        .map(|(position, paths)| Hot::new(agreement, position, paths).transpose())
        .collect()
}
