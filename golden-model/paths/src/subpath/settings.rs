//! The choices of a sampling profiler, checked, with the defaults of the thesis.

use super::{ENTRY_BYTES, Encoding, Lengths, SettingsError};

/// Choices of a [`SubpathProfiler`](super::SubpathProfiler). The default is the prototype of the thesis.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How long sampled subpaths are: powers of two up to 32 by default.
    pub lengths: Lengths,
    /// Which subpaths count as one.
    pub encoding: Encoding,
    /// *f*: a block that may begin a sampled subpath does so with probability 1/f. 1,000 by default, that of the
    /// thesis for FFT and JLex (table 4.6). Grows when memory is full.
    pub period: f64,
    /// Factor by which the period grows, 1.1 by default.
    pub growth: f64,
    /// The limit of memory: 64 KiB by default.
    pub memory: Memory,
    /// The limit of overhead: the greatest share of blocks to be sampled on average, none by default. A period that is too short for it is
    /// lengthened. [`Costs::sampled_share`](super::Costs::sampled_share) makes it of times.
    pub sampled_share: Option<f64>,
    /// Whether sampled subpaths may overlap.
    pub windows: Windows,
    /// Whether the blocks of each subpath in the hot list are kept for the report, at 8 bytes each.
    pub keep_blocks: bool,
    /// Cost of the dearest block, if costs are given with the blocks: a subpath counts with probability (mean cost of its
    /// blocks) / (this), so that it is reported by the time it takes (section 5.1.2).
    pub dearest: Option<f64>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            lengths: Lengths::powers_of_two(32).expect("32 is at least 2"),
            encoding: Encoding::default(),
            period: 1000.0,
            growth: 1.1,
            memory: Memory::Bytes(1 << 16),
            sampled_share: None,
            windows: Windows::default(),
            keep_blocks: true,
            dearest: None,
        }
    }
}

impl Settings {
    /// The share of blocks that begin a sampled subpath when the period is f.
    pub(super) fn rate(&self, period: f64) -> f64 {
        match self.windows {
            Windows::Disjoint => (period - 1.0 + self.lengths.mean()).recip(),
            Windows::Overlapping => period.recip(),
        }
    }

    /// The period of at least the one set that keeps the limit of overhead.
    pub(super) fn first_period(&self) -> f64 {
        let Some(share) = self.sampled_share else {
            return self.period;
        };
        let mean = self.lengths.mean();
        let least = match self.windows {
            Windows::Disjoint => mean / share - mean + 1.0,
            Windows::Overlapping => mean / share,
        };
        self.period.max(least)
    }

    /// Bytes of the window: blocks, and costs if there are any.
    pub(super) fn window_bytes(&self) -> usize {
        let block = size_of::<u64>() + usize::from(self.dearest.is_some()) * size_of::<f64>();
        self.lengths.longest().saturating_mul(2 * block)
    }

    /// Bytes of an entry for a subpath of so many blocks.
    pub(super) fn entry_bytes(&self, length: usize) -> usize {
        let blocks = usize::from(self.keep_blocks) * length;
        blocks
            .saturating_mul(size_of::<u64>())
            .saturating_add(ENTRY_BYTES)
    }

    pub(super) fn check(&self) -> Result<(), SettingsError> {
        if !(self.period >= 1.0 && self.period.is_finite()) {
            return Err(SettingsError::Period(self.period));
        }
        if !(self.growth > 1.0 && self.growth.is_finite()) {
            return Err(SettingsError::Growth(self.growth));
        }
        if let Some(share) = self
            .sampled_share
            .filter(|share| share.is_nan() || *share <= 0.0)
        {
            return Err(SettingsError::Share(share));
        }
        if let Some(dearest) = self
            .dearest
            .filter(|cost| !(*cost > 0.0 && cost.is_finite()))
        {
            return Err(SettingsError::Dearest(dearest));
        }
        let longest = self.lengths.longest();
        let least = self
            .window_bytes()
            .saturating_add(self.entry_bytes(longest));
        match self.memory {
            Memory::Entries(0) => Err(SettingsError::NoEntry),
            Memory::Bytes(bytes) if bytes < least => Err(SettingsError::Memory {
                bytes,
                longest,
                least,
            }),
            Memory::Entries(_) | Memory::Bytes(_) => Ok(()),
        }
    }
}

/// The limit of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Memory {
    /// So many different subpaths, *m* in the thesis.
    Entries(usize),
    /// So many bytes for entries, their blocks and the window. The hash table's empty places are not counted.
    Bytes(usize),
}

/// When a sampled subpath may begin.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Windows {
    /// Not before the last one has ended (figure 2.1 of the thesis). What begins inside of a sampled subpath is never seen, so
    /// the share of blocks that begin one is 1 / (f - 1 + mean length).
    #[default]
    Disjoint,
    /// At any block, with the same probability 1/f independently of all others. With f = 1 every subpath is counted.
    Overlapping,
}
