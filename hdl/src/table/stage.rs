//! A pipeline stage of a table operation, and its comparison with an operation ahead.

use rust_hdl::prelude::*;

use super::layout::{TAG_BITS, TagLayout};
use super::tag_match::TagMatch;
use crate::circuit::circuit;
use crate::register::{Delay, Register};

/// A table operation in a stage of the pipeline.
#[circuit(layout: &TagLayout)]
pub struct Stage {
    /// The next operation looks a path up.
    pub next_path: Signal<In, Bit>,
    /// The next operation empties the set.
    pub next_clear: Signal<In, Bit>,
    /// The next operation's count is not 0.
    pub next_some: Signal<In, Bit>,
    /// Set of the next operation.
    #[bits(layout.set_bits)]
    pub next_set: Signal<In, Bits<16>>,
    /// What the tag of the next operation lacks of the start address.
    #[bits(layout.set_bits)]
    pub next_start_low: Signal<In, Bits<16>>,
    /// Tag of the next operation, if it does not empty the set.
    #[bits(layout.width())]
    pub next_tag: Signal<In, Bits<TAG_BITS>>,
    /// Count of the next operation.
    #[bits(layout.events_bits)]
    pub next_count: Signal<In, Bits<32>>,

    /// The operation looks a path up.
    pub path: Signal<Out, Bit>,
    /// The operation empties the set.
    pub clear: Signal<Out, Bit>,
    /// The count is not 0.
    pub some: Signal<Out, Bit>,
    /// Set.
    #[bits(layout.set_bits)]
    pub set: Signal<Out, Bits<16>>,
    /// What the tag lacks of the start address.
    #[bits(layout.set_bits)]
    pub start_low: Signal<Out, Bits<16>>,
    /// Tag; 0 when the set is emptied.
    #[bits(layout.width())]
    pub tag: Signal<Out, Bits<TAG_BITS>>,
    /// Count; 0 unless a path is looked up.
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

impl Logic for Stage {
    #[hdl_gen]
    fn update(&mut self) {
        self.path_stage.d.next = self.next_path.val();
        self.clear_stage.d.next = self.next_clear.val();
        self.some_stage.d.next = self.next_some.val();
        self.set_stage.d.next = self.next_set.val();
        self.start_low_stage.d.next = self.next_start_low.val();
        self.tag_stage.d.next = self.next_tag.val();
        if self.next_clear.val() {
            self.tag_stage.d.next = 0.into();
        }
        self.count_stage.d.next = self.next_count.val();
    }
}

/// Whether an operation is for the set, and looks up the path, of another ahead of it.
/// The number at the end of a name is the pipeline stage of the operation behind.
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
    /// Stage 1: the operation looks a path up.
    pub path_1: Signal<In, Bit>,
    /// Stage 1: the operation ahead looks a path up.
    pub path_ahead_1: Signal<In, Bit>,
    /// Stage 1: set of the operation.
    #[bits(layout.set_bits)]
    pub set_1: Signal<In, Bits<16>>,
    /// Stage 1: set of the operation ahead.
    #[bits(layout.set_bits)]
    pub set_ahead_1: Signal<In, Bits<16>>,
    /// Stage 2: the operation ahead is for this set.
    pub near_2: Signal<Out, Bit>,
    /// Stage 2: both look up the same path.
    pub repeats_2: Signal<Out, Bit>,
    #[new(layout.width())]
    #[connect(a = tag_0, b = tag_ahead_0)]
    tag_match: TagMatch,
    #[connect(q = near_2)]
    near: Delay<Bit>,
    #[connect(q = repeats_2)]
    repeats: Delay<Bit>,
    is_near: Signal<Local, Bit>,
}

impl Logic for Encounter {
    #[hdl_gen]
    fn update(&mut self) {
        self.is_near.next = self.set_1.val() == self.set_ahead_1.val();
        self.near.d.next = self.is_near.val();
        // A path on `path_*` during a clear is no operation, so it must not match.
        self.repeats.d.next = self.is_near.val()
            & self.tag_match.same.val()
            & self.path_1.val()
            & self.path_ahead_1.val();
    }
}
