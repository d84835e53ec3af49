use rust_hdl::prelude::*;

use super::layout::{TAG_BITS, TagLayout};
use super::tag_match::TagMatch;
use crate::circuit::{circuit, kernel};
use crate::register::Delay;

/// Compares an operation with one ahead in the pipeline: same set, same path.
/// Name suffixes are pipeline stages of the younger operation.
///
/// ```text
///   stage    0           1                              2
///   tags ---> pairs ---> [ ] ---> = ? ---+--- & -------> [repeats]
///   sets --------------> [ ] ---> = ? ---+-------------> [near]
/// ```
#[circuit(resetless, layout: &TagLayout)]
pub struct Encounter {
    /// Stage 0: tag of the path.
    pub tag_0: Signal<In, Bits<TAG_BITS, { layout.width() }>>,
    /// Stage 0: tag of the operation ahead.
    pub tag_ahead_0: Signal<In, Bits<TAG_BITS, { layout.width() }>>,
    /// Stage 1: the operation is a path lookup.
    pub path_1: Signal<In, Bit>,
    /// Stage 1: the operation ahead is a path lookup.
    pub path_ahead_1: Signal<In, Bit>,
    /// Stage 1: set of the operation.
    pub set_1: Signal<In, Bits<16, { layout.set_bits }>>,
    /// Stage 1: set of the operation ahead.
    pub set_ahead_1: Signal<In, Bits<16, { layout.set_bits }>>,
    /// Stage 2: same set as the operation ahead.
    pub near_2: Signal<Out, Bit>,
    /// Stage 2: same path as the operation ahead.
    pub repeats_2: Signal<Out, Bit>,
    #[connect(a = tag_0, b = tag_ahead_0)]
    tag_match: TagMatch<{ layout.width() }>,
    #[connect(q = near_2)]
    near: Delay<Bit>,
    #[connect(q = repeats_2)]
    repeats: Delay<Bit>,
}

#[kernel]
impl Encounter {
    /// The comparison, in two cycles.
    fn comparison(&mut self) {
        let is_near = self.set_1 == self.set_ahead_1;
        self.near.d.next = is_near;
        // A path on `path_*` during a clear is no operation, so it must not match.
        self.repeats.d.next = is_near & self.tag_match.same & self.path_1 & self.path_ahead_1;
    }
}
