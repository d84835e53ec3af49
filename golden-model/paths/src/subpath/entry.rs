//! A subpath in the sample.

/// Which subpath: its length and the number that the encoding gave it.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize,
)]
pub struct SubpathId {
    /// Blocks.
    pub length: usize,
    /// The encoding of its blocks.
    pub number: u64,
}

/// A subpath in the sample.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// Points of the sample, never 0.
    pub count: u64,
    /// The blocks as they were when it came in, if they are kept.
    pub blocks: Option<Box<[u64]>>,
}

/// Bytes that an entry takes in the hot list, without its blocks.
pub(super) const ENTRY_BYTES: usize = size_of::<(SubpathId, Entry)>() + size_of::<u8>();
