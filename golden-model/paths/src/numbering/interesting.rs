//! Interesting paths: the few of all possible paths that a profiler is asked to tell apart.
use num_bigint::BigUint;
use rustc_hash::FxHashSet;
use thiserror::Error;

use super::ball_larus::{BallLarus, NoSuchPath};
use crate::graph::{Acyclic, BlockId, Cfg, DagPath, PathError};

/// A set of paths, in the order given, at least one and none twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Interesting {
    paths: Vec<DagPath>,
}

/// Why paths are not a set of interesting paths.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum InterestingError {
    /// There are none.
    #[error("no interesting path is given; give at least one")]
    None,
    /// One is there twice.
    #[error("interesting paths {first} and {second} (from 0) are the same; give it once")]
    Twice {
        /// Position of the first.
        first: usize,
        /// Position of the second.
        second: usize,
    },
    /// A number is no path's.
    #[error(transparent)]
    Number(#[from] NoSuchPath),
    /// Blocks are not a path.
    #[error("interesting path {position} (from 0): {error}")]
    Blocks {
        /// Position in the list.
        position: usize,
        /// What is wrong with it.
        error: PathError,
    },
}

impl Interesting {
    /// These paths.
    pub fn new(paths: Vec<DagPath>) -> Result<Self, InterestingError> {
        if paths.is_empty() {
            return Err(InterestingError::None);
        }
        let mut seen = FxHashSet::default();
        for (second, path) in paths.iter().enumerate() {
            if !seen.insert(path) {
                let first = paths.iter().position(|p| p == path).unwrap_or(second);
                return Err(InterestingError::Twice { first, second });
            }
        }
        Ok(Interesting { paths })
    }

    /// The paths with these Ball-Larus numbers.
    pub fn from_numbers<'a>(
        dag: &Acyclic,
        numbering: &BallLarus,
        numbers: impl IntoIterator<Item = &'a BigUint>,
    ) -> Result<Self, InterestingError> {
        let paths: Result<_, _> = numbers
            .into_iter()
            .map(|n| numbering.path(dag, n))
            .collect();
        Self::new(paths?)
    }

    /// The paths through these blocks, see [`DagPath::from_blocks`].
    pub fn from_blocks<L: AsRef<[BlockId]>>(
        dag: &Acyclic,
        cfg: &Cfg,
        lists: impl IntoIterator<Item = L>,
    ) -> Result<Self, InterestingError> {
        let read = |(position, blocks): (usize, L)| {
            DagPath::from_blocks(dag, cfg, blocks.as_ref())
                .map_err(|error| InterestingError::Blocks { position, error })
        };
        let paths: Result<_, _> = lists.into_iter().enumerate().map(read).collect();
        Self::new(paths?)
    }

    /// The paths, in the order given.
    pub fn paths(&self) -> &[DagPath] {
        &self.paths
    }

    /// How many there are, at least one.
    pub fn count(&self) -> usize {
        self.paths.len()
    }

    /// For each edge of the acyclic form, by index, whether an interesting path takes it.
    pub fn edges(&self, dag: &Acyclic) -> Vec<bool> {
        let mut taken = vec![false; dag.edge_count()];
        for edge in self.paths.iter().flat_map(|p| p.edges()) {
            taken[edge.index()] = true;
        }
        taken
    }
}
