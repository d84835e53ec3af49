//! Interesting paths: the few of all possible paths that a profiler is asked to distinguish.
use std::fmt;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use thiserror::Error;

use super::ball_larus::{BallLarus, NoSuchPath};
use crate::Number;
use crate::graph::{Acyclic, DagPath};

/// A set of paths of an [`Acyclic`], in the order given, at least one and none twice. Cheap to clone.
#[derive(Clone)]
pub struct Interesting {
    dag: Acyclic,
    paths: Arc<[DagPath]>,
}

/// Shows the paths as text.
impl fmt::Debug for Interesting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let paths = self.paths.iter().map(|path| path.text(&self.dag));
        f.debug_list().entries(paths).finish()
    }
}

/// Why paths are not a set of interesting paths.
#[expect(missing_docs, reason = "the text says what each field is")]
#[derive(Clone, Debug, Error, PartialEq, Eq)]
pub enum InterestingError {
    #[error("no interesting path is given; give at least one")]
    None,
    #[error(
        "the interesting paths at positions {first} and {second} of the list (from 0) are the same; give it once"
    )]
    Twice { first: usize, second: usize },
    #[error(transparent)]
    Number(#[from] NoSuchPath),
}

impl Interesting {
    /// These paths of an acyclic form. O(length of all).
    ///
    /// # Errors
    ///
    /// If there are none, or one is there twice.
    pub fn new(dag: &Acyclic, paths: Vec<DagPath>) -> Result<Self, InterestingError> {
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
        Ok(Interesting {
            dag: dag.clone(),
            paths: paths.into(),
        })
    }

    /// The paths with these Ball-Larus numbers.
    ///
    /// # Errors
    ///
    /// If there is no number, one is there twice, or no path has one of them.
    pub fn from_numbers<'a>(
        numbering: &BallLarus,
        numbers: impl IntoIterator<Item = &'a Number>,
    ) -> Result<Self, InterestingError> {
        let paths: Result<_, _> = numbers.into_iter().map(|n| numbering.path(n)).collect();
        Self::new(numbering.dag(), paths?)
    }

    /// What they are paths of.
    pub fn dag(&self) -> &Acyclic {
        &self.dag
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
    pub fn edges(&self) -> Vec<bool> {
        let mut taken = vec![false; self.dag.edge_count()];
        for edge in self.paths.iter().flat_map(DagPath::edges) {
            taken[edge.index()] = true;
        }
        taken
    }
}
