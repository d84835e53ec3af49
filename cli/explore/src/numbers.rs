//! Numbers for the different paths of a run, fast.

use std::hash::BuildHasherDefault;

use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::NumberedPath;
use indexmap::IndexSet;
use rustc_hash::FxHasher;

use crate::counts::place;

/// Places in front of the set; a power of two.
const PLACES: usize = 1 << 13;

/// No descriptor: a path is never as long.
const NONE: PathDescriptor = PathDescriptor {
    start: 0,
    outcomes: 0,
    length: u32::MAX,
};

/// Different paths, numbered from 0 in the order in which they first ran, with those of late in front: most paths ran a
/// moment ago.
#[derive(Clone, Debug)]
pub struct PathNumbers {
    front: Box<[(PathDescriptor, u32)]>,
    paths: IndexSet<PathDescriptor, BuildHasherDefault<FxHasher>>,
}

impl Default for PathNumbers {
    fn default() -> Self {
        Self::new()
    }
}

impl PathNumbers {
    /// No path has a number.
    #[must_use]
    pub fn new() -> Self {
        Self {
            front: vec![(NONE, 0); PLACES].into(),
            paths: IndexSet::default(),
        }
    }

    /// The number of a path, a new one if it never ran before. Constant time on average.
    ///
    /// # Panics
    ///
    /// At path 2^32 - 1, which does not fit in the memory.
    #[inline]
    pub fn number(&mut self, path: &CompletedPath) -> NumberedPath {
        let (known, number) = &mut self.front[place::<PLACES>(&path.descriptor)];
        if *known != path.descriptor {
            let (at, _) = self.paths.insert_full(path.descriptor);
            assert!(at < u32::MAX as usize, "too many different paths");
            (*known, *number) = (path.descriptor, at as u32);
        }
        let (number, count) = (*number, path.count);
        NumberedPath { number, count }
    }

    /// How many paths have numbers.
    #[must_use]
    pub fn len(&self) -> usize {
        self.paths.len()
    }

    /// Whether no path has a number.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    /// The path with a number.
    ///
    /// # Panics
    ///
    /// If there is none.
    #[must_use]
    pub fn path(&self, number: u32) -> PathDescriptor {
        self.paths[number as usize]
    }

    /// The paths from a number on, in the order of their numbers.
    pub fn since(&self, number: usize) -> impl Iterator<Item = &PathDescriptor> {
        self.paths.iter().skip(number)
    }
}
