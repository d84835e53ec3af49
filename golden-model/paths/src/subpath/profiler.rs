//! The profiler: skips, samples, keeps the hot list.

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rand_distr::{Distribution, Geometric};

use super::hot_list::HotList;
use super::report::Report;
use super::{Settings, SettingsError, SubpathId, Windows};

/// Finds hot subpaths of a running program, with bounded memory and little time.
///
/// It is called for each block that the program enters, in order; a block is any number, for instance an address. `R` is the source
/// of chance. Most blocks are skipped, which is a comparison and a decrement; a block inside of a sampled subpath takes
/// constant time for each such subpath, on average also when the list is thinned.
///
/// ```
/// use hpp_paths::subpath::{Settings, SubpathProfiler};
/// let settings = Settings { period: 50.0, ..Settings::default() };
/// let mut profiler = SubpathProfiler::seeded(settings, 1)?;
/// for block in [3, 4, 5, 6].repeat(100_000) {
///     profiler.enter(block);
/// }
/// let report = profiler.report();
/// // The loop itself: four times as rare as each of its blocks, 25 % of all subpaths of length 4 by each of 4 rotations.
/// let hottest = report.subpaths().iter().find(|subpath| subpath.id.length == 4).expect("sampled often");
/// assert!((hottest.estimate / 400_000.0 - 1.0).abs() < 0.05);
/// # Ok::<(), hpp_paths::subpath::SettingsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct SubpathProfiler<R = ChaCha8Rng> {
    settings: Settings,
    period: f64,
    gap: Geometric,
    random: R,
    /// Blocks until the next that begins a subpath.
    skip: u64,
    /// Sampled subpaths that have not ended, in the order of their beginnings.
    open: Vec<Open>,
    /// Blocks from the first of the open subpaths on, and their costs if those matter.
    window: Vec<u64>,
    costs: Vec<f64>,
    hot: HotList,
    blocks: u64,
    sampled: u64,
    thinnings: u32,
}

/// A sampled subpath that has not ended.
#[derive(Clone, Copy, Debug)]
struct Open {
    /// Its first block's place in the window.
    begin: usize,
    length: usize,
}

impl SubpathProfiler {
    /// A profiler with randomness of its own: the same seed gives the same report on every machine.
    ///
    /// # Errors
    ///
    /// If a setting is out of its range.
    pub fn seeded(settings: Settings, seed: u64) -> Result<Self, SettingsError> {
        Self::new(settings, ChaCha8Rng::seed_from_u64(seed))
    }
}

impl<R: Rng> SubpathProfiler<R> {
    /// A profiler that takes its randomness from `random`.
    ///
    /// # Errors
    ///
    /// If a setting is out of its range.
    pub fn new(settings: Settings, mut random: R) -> Result<Self, SettingsError> {
        settings.check()?;
        let period = settings.first_period();
        let gap = gap(period);
        Ok(Self {
            period,
            skip: gap.sample(&mut random),
            gap,
            random,
            settings,
            open: Vec::new(),
            window: Vec::new(),
            costs: Vec::new(),
            hot: HotList::default(),
            blocks: 0,
            sampled: 0,
            thinnings: 0,
        })
    }

    /// The program enters a block.
    #[inline]
    pub fn enter(&mut self, block: u64) {
        self.enter_costing(block, 0.0);
    }

    /// The program enters a block with this cost, which matters only with [`Settings::dearest`]. A negative cost, or one that is not a number, counts
    /// as 0.
    #[inline]
    pub fn enter_costing(&mut self, block: u64, cost: f64) {
        self.blocks += 1;
        if self.skip > 0 && self.open.is_empty() {
            self.skip -= 1;
        } else {
            self.sample(block, cost);
        }
    }

    /// The hot subpaths so far. O(n log n) in the size of the list.
    pub fn report(&self) -> Report {
        Report::new(&self.hot, &self.settings, self.period)
    }

    /// Keeps each sampled point with the probability `kept` and forgets the others, so that what came before counts for less than what comes: an
    /// ageing function (section 2.4), called at equal times. Estimates are then of an execution that weighs the past by powers of `kept`; a window is
    /// what a fresh profiler has seen since. Linear in the list. A number that is not a probability keeps all.
    ///
    /// ```
    /// use hpp_paths::subpath::{Encoding, Settings, SubpathProfiler};
    /// let settings = Settings { period: 20.0, encoding: Encoding::Linear, ..Settings::default() };
    /// let mut profiler = SubpathProfiler::seeded(settings, 1)?;
    /// for round in 0..20 {
    ///     for block in [if round < 10 { [1, 2] } else { [3, 4] }; 10_000].as_flattened() {
    ///         profiler.enter(*block);
    ///     }
    ///     profiler.age(0.5);
    /// }
    /// let report = profiler.report();
    /// let new = report.subpaths().iter().take(2).filter_map(|subpath| subpath.blocks.as_deref());
    /// assert!(new.flatten().all(|&block| block >= 3));
    /// # Ok::<(), hpp_paths::subpath::SettingsError>(())
    /// ```
    pub fn age(&mut self, kept: f64) {
        if (0.0..1.0).contains(&kept) {
            self.hot.thin(kept, &mut self.random, &self.settings);
        }
    }

    /// *f* at present.
    pub const fn period(&self) -> f64 {
        self.period
    }

    /// Blocks entered.
    pub const fn blocks(&self) -> u64 {
        self.blocks
    }

    /// Blocks that were part of a sampled subpath; one that was part of several counts once.
    pub const fn sampled_blocks(&self) -> u64 {
        self.sampled
    }

    /// How often memory was full and the list was thinned.
    pub const fn thinnings(&self) -> u32 {
        self.thinnings
    }

    /// Bytes of entries, their blocks and the window: what [`Memory::Bytes`](super::Memory::Bytes) limits.
    pub fn memory(&self) -> usize {
        self.settings
            .window_bytes()
            .saturating_add(self.hot.bytes())
    }

    fn sample(&mut self, block: u64, cost: f64) {
        if self.open.is_empty() || self.settings.windows == Windows::Overlapping {
            self.begin_or_skip();
        }
        if self.open.is_empty() {
            return;
        }
        self.sampled += 1;
        self.window.push(block);
        if self.settings.dearest.is_some() {
            self.costs.push(cost.max(0.0));
        }
        while let Some(ended) = self.take_ended() {
            self.count(ended);
        }
        self.trim();
    }

    fn begin_or_skip(&mut self) {
        if self.skip > 0 {
            self.skip -= 1;
            return;
        }
        self.open.push(Open {
            begin: self.window.len(),
            length: self.settings.lengths.choose(&mut self.random),
        });
        self.skip = self.gap.sample(&mut self.random);
    }

    /// An open subpath that ends with the last block.
    fn take_ended(&mut self) -> Option<Open> {
        let end = self.window.len();
        let ended = |open: &Open| open.begin + open.length == end;
        let place = self.open.iter().position(ended)?;
        Some(self.open.remove(place))
    }

    /// Takes a subpath into the hot list, unless chance or its low cost speaks against it.
    fn count(&mut self, ended: Open) {
        let places = ended.begin..ended.begin + ended.length;
        if let Some(dearest) = self.settings.dearest {
            let mean = self.costs[places.clone()].iter().sum::<f64>() / ended.length as f64;
            if !self.random.random_bool((mean / dearest).clamp(0.0, 1.0)) {
                return;
            }
        }
        let id = SubpathId {
            length: ended.length,
            number: self.settings.encoding.number(&self.window[places.clone()]),
        };
        while !self.hot.has_room(&id, &self.settings) {
            let kept = self.raise_period();
            if !self.random.random_bool(kept) {
                return;
            }
        }
        self.hot.insert(id, &self.window[places], &self.settings);
    }

    /// Samples more rarely from here on, and makes the sample one that was taken at the new rate; returns the probability with which a
    /// point was kept.
    fn raise_period(&mut self) -> f64 {
        let before = self.settings.rate(self.period);
        self.period *= self.settings.growth;
        let kept = self.settings.rate(self.period) / before;
        self.hot.thin(kept, &mut self.random, &self.settings);
        // What is being sampled was begun at the old rate.
        self.open.retain(|_| self.random.random_bool(kept));
        self.gap = gap(self.period);
        self.skip = self.gap.sample(&mut self.random);
        self.thinnings += 1;
        kept
    }

    /// Forgets the blocks before the first open subpath, seldom enough to take constant time a block.
    fn trim(&mut self) {
        match self.open.first() {
            None => {
                self.window.clear();
                self.costs.clear();
            }
            Some(first) if self.window.len() >= 2 * self.settings.lengths.longest() => {
                let gone = first.begin;
                self.window.drain(..gone);
                self.costs.drain(..gone.min(self.costs.len()));
                self.open.iter_mut().for_each(|open| open.begin -= gone);
            }
            Some(_) => {}
        }
    }
}

/// How many blocks are passed over before one begins a subpath, if each does with probability 1/f.
fn gap(period: f64) -> Geometric {
    Geometric::new(period.recip()).expect("a period is at least 1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subpath::Windows;

    #[test]
    fn the_window_does_not_grow_with_the_run() {
        for windows in [Windows::Disjoint, Windows::Overlapping] {
            let settings = Settings {
                period: 1.0,
                windows,
                ..Settings::default()
            };
            let longest = settings.lengths.longest();
            let mut profiler = SubpathProfiler::seeded(settings, 1).expect("sound settings");
            for block in 0..100 * longest as u64 {
                profiler.enter(block % 3);
                assert!(profiler.window.len() <= 2 * longest, "{windows:?}");
            }
        }
    }
}
