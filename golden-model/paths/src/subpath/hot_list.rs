//! The hot list: a concise sample.
//!
//! A sample of a sequence, kept as pairs of a subpath and a count, so that a hot subpath takes no more memory than a
//! cold one. When memory is full, every point of the sample is kept with the same probability: a count becomes a
//! binomially distributed one, and subpaths left with 0 go. What remains is a sample of a lower rate, whose scaled counts
//! are unbiased.
//!
//! Gibbons and Matias, "New Sampling-Based Summary Statistics for Improving Approximate Query Answers" (1998).

use rand::Rng;
use rand_distr::{Binomial, Distribution};
use rustc_hash::FxHashMap;

use super::{Entry, Memory, Settings, SubpathId};

#[derive(Clone, Debug, Default)]
pub(super) struct HotList {
    entries: FxHashMap<SubpathId, Entry>,
    samples: u64,
    bytes: usize,
}

impl HotList {
    /// Whether another point of this subpath needs no more memory than there is.
    pub fn has_room(&self, id: &SubpathId, settings: &Settings) -> bool {
        if self.entries.contains_key(id) {
            return true;
        }
        match settings.memory {
            Memory::Entries(most) => self.entries.len() < most,
            Memory::Bytes(most) => {
                let there = settings.window_bytes().saturating_add(self.bytes);
                there.saturating_add(settings.entry_bytes(id.length)) <= most
            }
        }
    }

    /// Adds a point. Constant time on average.
    pub fn insert(&mut self, id: SubpathId, blocks: &[u64], settings: &Settings) {
        self.samples += 1;
        let bytes = &mut self.bytes;
        let entry = self.entries.entry(id).or_insert_with(|| {
            *bytes += settings.entry_bytes(id.length);
            Entry {
                count: 0,
                blocks: settings.keep_blocks.then(|| blocks.into()),
            }
        });
        entry.count += 1;
    }

    /// Keeps every point with this probability. Linear in the entries.
    pub fn thin(&mut self, probability: f64, random: &mut impl Rng, settings: &Settings) {
        let Self {
            entries,
            samples,
            bytes,
        } = self;
        entries.retain(|id, entry| {
            let kept =
                Binomial::new(entry.count, probability).map_or(0, |kept| kept.sample(random));
            *samples -= entry.count - kept;
            entry.count = kept;
            *bytes -= usize::from(kept == 0) * settings.entry_bytes(id.length);
            kept > 0
        });
    }

    /// Entries, in no particular order.
    pub fn iter(&self) -> impl Iterator<Item = (&SubpathId, &Entry)> {
        self.entries.iter()
    }

    /// Points in all entries.
    pub const fn samples(&self) -> u64 {
        self.samples
    }

    /// Bytes of the entries and their blocks.
    pub const fn bytes(&self) -> usize {
        self.bytes
    }
}
