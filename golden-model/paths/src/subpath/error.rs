//! What is wrong with settings.

/// Why a profiler cannot work with its settings.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum SettingsError {
    #[error("no length of subpaths is left to choose: name at least one")]
    NoLength,
    #[error(
        "length {length} with weight {weight}: lengths begin at 1, weights are positive numbers, and so is their sum"
    )]
    Weight { length: usize, weight: f64 },
    #[error("a period of {0}: one block in at least 1 begins a sampled subpath")]
    Period(f64),
    #[error("a growth of {0}: the period has to grow by a factor above 1 when memory is full")]
    Growth(f64),
    #[error("at most {0} of all blocks may be sampled: this has to be a share above 0")]
    Share(f64),
    #[error("the dearest block costs {0}: this has to be a positive number")]
    Dearest(f64),
    #[error("a hot list of 0 entries: it has to hold at least one subpath")]
    NoEntry,
    #[error("{bytes} bytes of memory: a subpath of up to {longest} blocks takes {least}")]
    Memory {
        bytes: usize,
        longest: usize,
        least: usize,
    },
}
