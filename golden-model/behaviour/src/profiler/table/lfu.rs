//! The policy of the thesis: of the ways of a path's set the least frequently used one goes.
//!
//! That is the one with the least accumulator, the lowest-numbered of equals. An empty way has accumulator 0, so ways fill in order.
//!
//! Source: Vaswani's thesis, section 5.4.

use super::entries::{Entries, least};
use super::{Admission, Policy};
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
        entries: &Entries,
        candidates: &[usize],
        path: &CompletedPath,
        _: bool,
    ) -> (Admission, u32) {
        let at = least(candidates, |number| entries.count(number));
        let admission = match entries.count(at) {
            0 => Admission::Inserted(at),
            _ => Admission::Promoted { at, moved: None },
        };
        (admission, path.count)
    }
}
