//! Where the counters of functions lie, what they say after a run, and what they should say.

use hpp_paths::graph::{BlockId, DagPath, EdgeId};
use hpp_paths::numbering::{BallLarus, Class, Classifier, EdgeValues};
use rustc_hash::FxHashMap;

use crate::code::{PLACES, word};
use crate::exact::Profile;

/// Words of memory, the counters of a program; the first is [`LOST`](crate::code::LOST).
#[derive(Clone, Debug)]
pub struct Memory(pub Vec<u32>);

impl Memory {
    /// Whether there is a counter.
    pub fn is_used(&self) -> bool {
        self.0.len() > 1
    }

    pub(super) fn take(&mut self, words: impl IntoIterator<Item = u32>) -> u32 {
        let base = self.0.len() as u32;
        self.0.extend(words);
        base
    }

    pub(super) fn zero(&mut self, words: usize) -> u32 {
        self.take(std::iter::repeat_n(0, words))
    }
}

impl Default for Memory {
    fn default() -> Self {
        Memory(vec![0])
    }
}

/// Where counters of a function lie, and whose they are. Bases are words.
#[derive(Clone, Debug)]
pub enum Layout {
    Nothing,
    Blocks(Vec<(BlockId, u32)>),
    Edges(Vec<(EdgeId, u32)>),
    /// An array of so many by path sum.
    Array(EdgeValues, u32, usize),
    /// A hash table by path sum.
    Table(EdgeValues, u32),
    /// An array of Ball-Larus numbers and counts by preferential number.
    Preferred {
        first: EdgeValues,
        second: BallLarus,
        /// What tells the paths apart.
        classifier: Classifier,
        base: u32,
        width: u32,
        /// The counter of other paths.
        other: u32,
    },
}

/// Counts by what a method tells apart: a place, a number, a sum.
pub type Counts = FxHashMap<u64, u64>;

/// What paths that are not among the preferred ones are counted under.
const OTHER: u64 = u64::MAX;

impl Layout {
    /// What the counters of a run say.
    pub fn counted(&self, memory: &FxHashMap<u32, u64>) -> Counts {
        let at = |word: u32| memory.get(&word).copied().unwrap_or(0);
        let counts: Counts = match self {
            Layout::Nothing => Counts::default(),
            Layout::Blocks(places) => places
                .iter()
                .map(|(b, word)| (b.index() as u64, at(*word)))
                .collect(),
            Layout::Edges(places) => places
                .iter()
                .map(|(e, word)| (e.index() as u64, at(*word)))
                .collect(),
            Layout::Array(_, base, width) => {
                let numbers = 0..*width as u32;
                numbers
                    .map(|number| (number.into(), at(base + number)))
                    .collect()
            }
            Layout::Table(_, base) => {
                let places = (0..PLACES).map(|place| base + 2 * place);
                places
                    .map(|place| (at(place), at(place + 1)))
                    .filter(|(_, count)| *count > 0)
                    .collect()
            }
            Layout::Preferred {
                base, width, other, ..
            } => {
                let numbers = (0..*width).map(|number| (number.into(), at(base + 2 * number + 1)));
                numbers.chain([(OTHER, at(*other))]).collect()
            }
        };
        counts.into_iter().filter(|(_, count)| *count > 0).collect()
    }

    /// What they should say, by the exact profile of the same run.
    pub fn expected(&self, profile: &Profile) -> Counts {
        let sum = |key: &dyn Fn(&DagPath) -> u64| {
            let mut counts = Counts::default();
            for (path, count) in &profile.paths {
                *counts.entry(key(path)).or_default() += count;
            }
            counts
        };
        match self {
            Layout::Nothing => Counts::default(),
            Layout::Blocks(places) => {
                let counts = places
                    .iter()
                    .map(|(b, _)| (b.index() as u64, profile.blocks[b.index()]));
                counts.filter(|(_, count)| *count > 0).collect()
            }
            Layout::Edges(places) => {
                let counts = places
                    .iter()
                    .map(|(e, _)| (e.index() as u64, profile.edges[e.index()]));
                counts.filter(|(_, count)| *count > 0).collect()
            }
            Layout::Array(values, ..) | Layout::Table(values, _) => {
                sum(&|path| u64::from(word(&values.sum(path)) as u32))
            }
            Layout::Preferred {
                first,
                second,
                classifier,
                ..
            } => sum(&|path| {
                let number = first.sum(path);
                match classifier.classify(&number, &second.number(path)) {
                    Class::Interesting(_) => u64::from(word(&number) as u32),
                    _ => OTHER,
                }
            }),
        }
    }
}
