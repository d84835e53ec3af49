//! The policy of the thesis: of the ways of a path's set the least frequently used one goes.
//!
//! That is the one with the least accumulator, the lowest-numbered of equals. An empty way has accumulator 0, so ways fill in order.
//!
//! Source: Vaswani's thesis, section 5.4.

use super::entries::{Entries, least};
use super::{Admission, Lookup, Policy};
use crate::path::CompletedPath;

/// It keeps nothing beside the entries.
#[derive(Clone, Debug)]
pub(super) struct Lfu;

impl Policy for Lfu {
    fn clear(&mut self) {}

    #[inline]
    fn draw(&mut self) -> bool {
        true
    }

    #[inline]
    fn hit(&mut self, _: usize) {}

    #[inline(always)]
    fn miss(
        &mut self,
        entries: &mut Entries,
        candidates: &[usize],
        path: &CompletedPath,
        _: bool,
    ) -> (Lookup, Admission) {
        let victim = least(candidates, |number| entries.count(number));
        entries.take(victim, path)
    }
}
