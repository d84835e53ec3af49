//! A pipeline stage of a table operation, and its comparison with an operation ahead.

use rust_hdl::prelude::*;

use super::layout::{TAG_BITS, TagLayout};
use super::tag_match::TagMatch;
use crate::circuit::{circuit, kernel};
use crate::register::{Delay, Register};

/// Register stage of the table pipeline.
#[circuit(layout: &TagLayout)]
pub struct Stage {
    /// Next operation is a path lookup.
    pub next_path: Signal<In, Bit>,
    /// Next operation clears the set.
    pub next_clear: Signal<In, Bit>,
    /// Count of the next operation is not 0.
    pub next_some: Signal<In, Bit>,
    /// Set of the next operation.
    #[bits(layout.set_bits)]
    pub next_set: Signal<In, Bits<16>>,
    /// Low part of the next start address, which the tag omits.
    #[bits(layout.set_bits)]
    pub next_start_low: Signal<In, Bits<16>>,
    /// Tag of the next operation; ignored if it clears the set.
    #[bits(layout.width())]
    pub next_tag: Signal<In, Bits<TAG_BITS>>,
    /// Count of the next operation.
    #[bits(layout.events_bits)]
    pub next_count: Signal<In, Bits<32>>,

    /// Operation is a path lookup.
    pub path: Signal<Out, Bit>,
    /// Operation clears the set.
    pub clear: Signal<Out, Bit>,
    /// Count of the operation is not 0.
    pub some: Signal<Out, Bit>,
    /// Set of the operation.
    #[bits(layout.set_bits)]
    pub set: Signal<Out, Bits<16>>,
    /// Low part of the start address, which the tag omits.
    #[bits(layout.set_bits)]
    pub start_low: Signal<Out, Bits<16>>,
    /// Tag of the operation; 0 for a clear.
    #[bits(layout.width())]
    pub tag: Signal<Out, Bits<TAG_BITS>>,
    /// Count of the operation; 0 unless it is a path lookup.
    #[bits(layout.events_bits)]
    pub count: Signal<Out, Bits<32>>,

    #[connect(q = path)]
    path_stage: Register<Bit>,
    #[connect(q = clear)]
    clear_stage: Register<Bit>,
    #[connect(q = some)]
    some_stage: Register<Bit>,
    #[bits(layout.set_bits)]
    #[connect(q = set)]
    set_stage: Delay<Bits<16>>,
    #[bits(layout.set_bits)]
    #[connect(q = start_low)]
    start_low_stage: Delay<Bits<16>>,
    #[bits(layout.width())]
    #[connect(q = tag)]
    tag_stage: Delay<Bits<TAG_BITS>>,
    #[bits(layout.events_bits)]
    #[connect(q = count)]
    count_stage: Delay<Bits<32>>,
}

#[kernel]
impl Stage {
    /// The registers of the stage.
    fn registers(&mut self) {
        self.path_stage.d.next = self.next_path;
        self.clear_stage.d.next = self.next_clear;
        self.some_stage.d.next = self.next_some;
        self.set_stage.d.next = self.next_set;
        self.start_low_stage.d.next = self.next_start_low;
        self.tag_stage.d.next = self.next_tag;
        if self.next_clear {
            self.tag_stage.d.next = 0.into();
        }
        self.count_stage.d.next = self.next_count;
    }
}

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
    #[bits(layout.width())]
    pub tag_0: Signal<In, Bits<TAG_BITS>>,
    /// Stage 0: tag of the operation ahead.
    #[bits(layout.width())]
    pub tag_ahead_0: Signal<In, Bits<TAG_BITS>>,
    /// Stage 1: the operation is a path lookup.
    pub path_1: Signal<In, Bit>,
    /// Stage 1: the operation ahead is a path lookup.
    pub path_ahead_1: Signal<In, Bit>,
    /// Stage 1: set of the operation.
    #[bits(layout.set_bits)]
    pub set_1: Signal<In, Bits<16>>,
    /// Stage 1: set of the operation ahead.
    #[bits(layout.set_bits)]
    pub set_ahead_1: Signal<In, Bits<16>>,
    /// Stage 2: same set as the operation ahead.
    pub near_2: Signal<Out, Bit>,
    /// Stage 2: same path as the operation ahead.
    pub repeats_2: Signal<Out, Bit>,
    #[new(layout.width())]
    #[connect(a = tag_0, b = tag_ahead_0)]
    tag_match: TagMatch,
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
