//! The policy of the thesis: of the ways of a path's set the least frequently used one goes.
//!
//! That is the one with the least accumulator, the lowest-numbered of equals. An empty way has accumulator 0, so ways fill in order.
//!
//! Source: Vaswani's thesis, section 5.4.

use super::entries::least;
use super::{Admission, Miss, Policy};

/// It keeps nothing beside the entries.
#[derive(Clone, Debug)]
pub(super) struct Lfu;

impl Policy for Lfu {
    #[inline(always)]
    fn miss(&mut self, miss: Miss<'_>, _drawn: bool) -> (Admission, u32) {
        let at = least(miss.candidates, |number| miss.entries.count(number));
        (Admission::Taken(at), miss.path.count)
    }
}
