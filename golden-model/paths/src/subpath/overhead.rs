//! What sampling costs a program, and how rarely to sample to stay below a limit.
//!
//! Skipping costs every block a little, sampling costs the blocks of sampled subpaths more (section 2.2):
//!
//! ```text
//!   sampling = a1 r l / b      skipping = a2 / b      r l: the share of blocks that are sampled
//! ```

/// Costs of a block, in any one unit of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Costs {
    /// Sampling it: *alpha 1*.
    pub sampling: f64,
    /// Skipping it: *alpha 2*.
    pub skipping: f64,
    /// Executing it: *beta*.
    pub block: f64,
}

impl Costs {
    /// The costs that three run times of a program tell: alone, skipping only, and profiled (equations 2.3 to 2.5).
    ///
    /// ```
    /// use hpp_paths::subpath::Costs;
    /// // FFT in table 4.2, its blocks in table 4.1; one block in 1,000 begins a subpath, of 6 blocks on average.
    /// let costs = Costs::measured(169_867_487, [21.424, 25.823, 29.185], 6.0 / 1_006.0);
    /// let percent = |share: f64| (1e4 * share).round() / 1e2;
    /// // Table 4.3: 36.23 % in total, 15.69 % by sampling.
    /// assert_eq!(percent(costs.overhead(6.0 / 1_006.0)), 36.23);
    /// assert_eq!(percent(costs.sampling_overhead(6.0 / 1_006.0)), 15.69);
    /// // At most 5 %: every sixth as many subpaths, or a third.
    /// assert!((costs.sampled_share(0.05) / (6.0 / 1_006.0) - 0.3186).abs() < 1e-4);
    /// ```
    pub fn measured(
        blocks: u64,
        [alone, skipping, profiled]: [f64; 3],
        sampled_share: f64,
    ) -> Self {
        let blocks = blocks as f64;
        Self {
            sampling: (profiled - skipping) / (blocks * sampled_share),
            skipping: (skipping - alone) / blocks,
            block: alone / blocks,
        }
    }

    /// Time spent sampling, as a share of the program's own (equations 2.1 and 2.8).
    pub fn sampling_overhead(&self, sampled_share: f64) -> f64 {
        self.sampling * sampled_share / self.block
    }

    /// Time spent skipping, as a share of the program's own (equations 2.2 and 2.7).
    pub fn skipping_overhead(&self) -> f64 {
        self.skipping / self.block
    }

    /// Both together (equation 2.6).
    pub fn overhead(&self, sampled_share: f64) -> f64 {
        self.skipping_overhead() + self.sampling_overhead(sampled_share)
    }

    /// The greatest share of blocks to sample with a sampling overhead of at most `limit`: what
    /// [`Settings::sampled_share`](super::Settings::sampled_share) takes.
    pub fn sampled_share(&self, limit: f64) -> f64 {
        limit * self.block / self.sampling
    }
}
