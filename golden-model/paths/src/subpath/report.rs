//! What the profiler says at a moment.

use core::ops::RangeInclusive;
use std::collections::hash_map::Entry;

use rustc_hash::FxHashMap;

use super::accuracy::{Sides, expectation, relative_error};
use super::hot_list::HotList;
use super::{Settings, SubpathId};

/// A subpath of the hot list.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct SampledSubpath {
    /// Which.
    pub id: SubpathId,
    /// Its blocks, if they were kept: those of the first subpath that was sampled under this identity.
    pub blocks: Option<Box<[u64]>>,
    /// Its count in the sample.
    pub count: u64,
    /// How often it was executed, by estimate: the count divided by the probability that a place of the stream begins a sampled
    /// subpath of this length. With costs, executions times (mean cost of its blocks) / (cost of the dearest).
    pub estimate: f64,
}

impl SampledSubpath {
    /// The relative error of the estimate; see [`relative_error`].
    pub fn relative_error(&self, sides: Sides, confidence: f64) -> f64 {
        relative_error(self.count, sides, confidence)
    }

    /// Between which numbers the true one lies, with this confidence; see [`expectation`].
    pub fn bounds(&self, confidence: f64) -> RangeInclusive<f64> {
        let executions = self.estimate / self.count as f64;
        let expected = expectation(self.count, confidence);
        expected.start() * executions..=expected.end() * executions
    }
}

/// The hot list at a moment, hottest first.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Report {
    subpaths: Vec<SampledSubpath>,
    samples: u64,
}

impl Report {
    pub(super) fn new(hot: &HotList, settings: &Settings, period: f64) -> Self {
        let rate = settings.rate(period);
        let subpaths = hot.iter().map(|(&id, entry)| SampledSubpath {
            id,
            blocks: entry.blocks.clone(),
            count: entry.count,
            estimate: entry.count as f64 / (rate * settings.lengths.probability(id.length)),
        });
        let report = Self {
            subpaths: subpaths.collect(),
            samples: hot.samples(),
        };
        report.weighted(|_| 1.0)
    }

    /// The subpaths by falling estimate, equals by identity.
    pub fn subpaths(&self) -> &[SampledSubpath] {
        &self.subpaths
    }

    /// The subpaths in another order: by the estimate times a weight of the length (section 5.1.1), for instance the length
    /// itself, to rank by blocks executed.
    #[must_use]
    pub fn weighted(mut self, weight: impl Fn(usize) -> f64) -> Self {
        let rank = |subpath: &SampledSubpath| subpath.estimate * weight(subpath.id.length);
        self.subpaths
            .sort_by(|a, b| rank(b).total_cmp(&rank(a)).then(a.id.cmp(&b.id)));
        self
    }

    /// The subpaths whose count in the sample reaches a threshold, hottest first.
    pub fn above(&self, count: u64) -> impl Iterator<Item = &SampledSubpath> {
        self.subpaths
            .iter()
            .filter(move |subpath| subpath.count >= count)
    }

    /// What an iceberg query asks (section 5.2): the subpaths that were executed so often or more, with this confidence, and after them those for
    /// which the sample cannot decide it. All others were executed less often, or are too rare for the sample.
    pub fn iceberg(
        &self,
        executions: f64,
        confidence: f64,
    ) -> (Vec<&SampledSubpath>, Vec<&SampledSubpath>) {
        let all = self.subpaths.iter();
        let possible = all.filter(|subpath| *subpath.bounds(confidence).end() >= executions);
        possible.partition(|subpath| *subpath.bounds(confidence).start() >= executions)
    }

    /// The report of several profilers, one for each thread (chapter 3), of the same settings: estimates and counts of equal subpaths
    /// are added. Linear in all of them, and sorting.
    pub fn merged(reports: impl IntoIterator<Item = Report>) -> Self {
        let mut subpaths: FxHashMap<SubpathId, SampledSubpath> = FxHashMap::default();
        let mut samples = 0;
        for report in reports {
            samples += report.samples;
            for subpath in report.subpaths {
                match subpaths.entry(subpath.id) {
                    Entry::Vacant(place) => {
                        place.insert(subpath);
                    }
                    Entry::Occupied(mut place) => {
                        let sum = place.get_mut();
                        sum.count += subpath.count;
                        sum.estimate += subpath.estimate;
                        sum.blocks = sum.blocks.take().or(subpath.blocks);
                    }
                }
            }
        }
        let subpaths = subpaths.into_values().collect();
        Report { subpaths, samples }.weighted(|_| 1.0)
    }

    /// Points of the sample, those of equal subpaths each counted.
    pub const fn samples(&self) -> u64 {
        self.samples
    }

    /// G: the mean count of a subpath in the sample; 0 if there is none.
    pub fn gain(&self) -> f64 {
        match self.subpaths.len() {
            0 => 0.0,
            distinct => self.samples as f64 / distinct as f64,
        }
    }
}
