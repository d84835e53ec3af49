//! A random victim: a path that misses evicts the occupant of a way that a linear-feedback shift register chooses.
//!
//! - *Hit*: the accumulator grows.
//! - *Miss with a count of 0*: nothing.
//! - *Miss, a candidate row is empty*: the path takes the first such row, with its count.
//! - *Miss otherwise*: the low bits of the register are the way whose path leaves, or the last way if there are fewer.
//!
//! The register takes a step for each path that is looked up. It goes on from where it is when the table is emptied.

use super::entries::Entries;
use super::lfsr::Lfsr;
use super::{Admission, Policy};
use crate::path::CompletedPath;

/// The source of chance.
#[derive(Clone, Debug)]
pub(super) struct Chance(Lfsr);

impl Chance {
    pub(super) const fn new(seed: u32) -> Self {
        Self(Lfsr::new(seed))
    }
}

impl Policy for Chance {
    fn clear(&mut self) {}

    #[inline]
    fn draw(&mut self) -> bool {
        self.0.step();
        true
    }

    #[inline]
    fn hit(&mut self, _: usize) {}

    #[inline(always)]
    fn miss(
        &mut self,
        entries: &Entries,
        candidates: &[usize],
        path: &CompletedPath,
        _: bool,
    ) -> (Admission, u32) {
        let mut all = candidates.iter().copied();
        if let Some(empty) = all.find(|&number| entries.count(number) == 0) {
            return (Admission::Inserted(empty), path.count);
        }
        let drawn = self.0.state() as usize & (candidates.len().next_power_of_two() - 1);
        let at = candidates[drawn.min(candidates.len() - 1)];
        (Admission::Promoted { at, moved: None }, path.count)
    }
}
