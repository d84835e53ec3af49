//! The pipeline of operations up to the decision.
//!
//! ```text
//!   stage      0              1              2              3              4              5
//!   set ------------> [ ] --+-------> [ ] --+-------> [ ] --+-------> [ ] --+-------> [ ] --+
//!                           +---- = ? ------+-------= ?-----+-------= ?-----+-------= ?-----+
//!   tag --+---------> [ ] --+-------> [ ] --+-------> [ ] --+-------> [ ] --+
//!         +---- = ? --------+-------= ?-----+-------= ?-----+-------= ?-----+
//! ```
//!
//! An operation is compared with the four operations ahead of it as it enters (see [`Encounter`]). The results are
//! known in stage 2, and are registered with it from then on. Whether an operation ahead has *changed* the set is known
//! one stage after its decision. It is combined with the comparison then.

use rust_hdl::prelude::*;

use super::encounter::Encounter;
use super::layout::{TAG_BITS, TagLayout};
use crate::circuit::{circuit, kernel};
use crate::register::{Delay, Register};

/// Pipeline registers of the table operations, and comparison of each with those ahead.
/// Name suffixes are pipeline stages.
#[circuit(layout: &TagLayout)]
pub struct Stages {
    /// Stage 0: set of the operation.
    pub set_0: Signal<In, Bits<16, { layout.set_bits }>>,
    /// Stage 0: tag of the path.
    pub tag_0: Signal<In, Bits<TAG_BITS, { layout.width() }>>,
    /// Stage 0: low part of the start address, which the tag omits.
    pub start_low_0: Signal<In, Bits<16, { layout.set_bits }>>,
    /// Stage 0: count of the path.
    pub count_0: Signal<In, Bits<32, { layout.events_bits }>>,
    /// Stage 0: the operation is a path lookup.
    pub path_0: Signal<In, Bit>,
    /// Stage 0: the operation clears the set.
    pub clear_0: Signal<In, Bit>,
    /// Stage 5: the operation changed its set.
    pub changed_5: Signal<In, Bit>,
    /// Stage 6: the operation changed its set.
    pub changed_6: Signal<In, Bit>,

    /// Stage 1: set of the operation.
    pub set_1: Signal<Out, Bits<16, { layout.set_bits }>>,
    /// Stage 1: tag of the operation; 0 for a clear.
    pub tag_1: Signal<Out, Bits<TAG_BITS, { layout.width() }>>,
    /// Stage 2: same path as the operation one stage ahead.
    pub repeats1_2: Signal<Out, Bit>,
    /// Stage 2: same path as the operation two stages ahead.
    pub repeats2_2: Signal<Out, Bit>,
    /// Stage 2: same path as the operation three stages ahead.
    pub repeats3_2: Signal<Out, Bit>,
    /// Stage 2: same path as the operation four stages ahead.
    pub repeats4_2: Signal<Out, Bit>,
    /// Stage 2: same set as the operation three stages ahead.
    pub near3_2: Signal<Out, Bit>,
    /// Stage 2: same set as the operation four stages ahead.
    pub near4_2: Signal<Out, Bit>,
    /// Stage 2: the operation four stages ahead changed the set.
    pub follows4_2: Signal<Out, Bit>,
    /// Stage 3: the operation is a path lookup.
    pub path_3: Signal<Out, Bit>,
    /// Stage 3: count of the operation; 0 unless it is a path lookup.
    pub count_3: Signal<Out, Bits<32, { layout.events_bits }>>,
    /// Stage 3: same set as the operation one stage ahead.
    pub near1_3: Signal<Out, Bit>,
    /// Stage 3: same path as the operation one stage ahead.
    pub repeats1_3: Signal<Out, Bit>,
    /// Stage 3: same set as the operation two stages ahead.
    pub near2_3: Signal<Out, Bit>,
    /// Stage 3: same path as the operation two stages ahead.
    pub repeats2_3: Signal<Out, Bit>,
    /// Stage 3: the operation two stages ahead changed the set.
    pub follows2_3: Signal<Out, Bit>,
    /// Stage 3: same set as the operation three stages ahead.
    pub near3_3: Signal<Out, Bit>,
    /// Stage 3: the operation three stages ahead changed the set.
    pub follows3_3: Signal<Out, Bit>,
    /// Stage 4: set of the operation.
    pub set_4: Signal<Out, Bits<16, { layout.set_bits }>>,
    /// Stage 4: tag of the operation; 0 for a clear.
    pub tag_4: Signal<Out, Bits<TAG_BITS, { layout.width() }>>,
    /// Stage 4: low part of the start address, which the tag omits.
    pub start_low_4: Signal<Out, Bits<16, { layout.set_bits }>>,
    /// Stage 4: count of the operation; 0 unless it is a path lookup.
    pub count_4: Signal<Out, Bits<32, { layout.events_bits }>>,
    /// Stage 4: the operation is a path lookup with a nonzero count.
    pub some_4: Signal<Out, Bit>,
    /// Stage 4: the operation clears the set.
    pub clear_4: Signal<Out, Bit>,
    /// Stage 4: same set as the operation one stage ahead.
    pub near1_4: Signal<Out, Bit>,
    /// Stage 4: the operation one stage ahead changed the set.
    pub follows1_4: Signal<Out, Bit>,
    /// Stage 4: same path as the operation one stage ahead.
    pub repeats1_4: Signal<Out, Bit>,
    /// Stage 5: set of the operation.
    pub set_5: Signal<Out, Bits<16, { layout.set_bits }>>,
    /// An operation in stages 1 to 4 clears its set.
    pub clearing: Signal<Out, Bit>,

    // Stages 1 to 4: an operation is a lookup, a clear, or neither; `somes` is a lookup with a nonzero count.
    paths: Vec<Register<Bit>, 4>,
    clears: Vec<Register<Bit>, 4>,
    somes: Vec<Register<Bit>, 4>,
    sets: Vec<Delay<Bits<16, { layout.set_bits }>>, 4>,
    start_lows: Vec<Delay<Bits<16, { layout.set_bits }>>, 4>,
    tags: Vec<Delay<Bits<TAG_BITS, { layout.width() }>>, 4>,
    counts: Vec<Delay<Bits<32, { layout.events_bits }>>, 4>,
    path_stage_5: Delay<Bit>,
    #[connect(q = set_5)]
    set_stage_5: Delay<Bits<16, { layout.set_bits }>>,
    #[connect(tag_0, tag_ahead_0 = tags[i].q, path_1 = paths[0].q, set_1 = sets[0].q)]
    encounters: Vec<Encounter<layout>, 4>,
    #[connect(q = near1_3)]
    near1_stage_3: Delay<Bit>,
    #[connect(q = near1_4)]
    near1_stage_4: Delay<Bit>,
    #[connect(q = near2_3)]
    near2_stage_3: Delay<Bit>,
    #[connect(q = near3_3)]
    near3_stage_3: Delay<Bit>,
    #[connect(q = repeats1_3)]
    repeats1_stage_3: Delay<Bit>,
    #[connect(q = repeats1_4)]
    repeats1_stage_4: Delay<Bit>,
    #[connect(q = repeats2_3)]
    repeats2_stage_3: Delay<Bit>,
}

#[kernel]
impl Stages {
    /// The operations of all stages, and what they have in common.
    fn stages(&mut self) {
        // Stage 0. The tag of a clear is 0, and so is its count.
        self.paths[0].d.next = self.path_0;
        self.clears[0].d.next = self.clear_0;
        self.somes[0].d.next = self.path_0 & self.count_0.any();
        self.sets[0].d.next = self.set_0;
        self.start_lows[0].d.next = self.start_low_0;
        self.tags[0].d.next = if self.clear_0 { 0.into() } else { self.tag_0 };
        self.counts[0].d.next = if self.path_0 { self.count_0 } else { 0.into() };
        for i in 0..3 {
            self.paths[i + 1].d.next = self.paths[i];
            self.clears[i + 1].d.next = self.clears[i];
            self.somes[i + 1].d.next = self.somes[i];
            self.sets[i + 1].d.next = self.sets[i];
            self.start_lows[i + 1].d.next = self.start_lows[i];
            self.tags[i + 1].d.next = self.tags[i];
            self.counts[i + 1].d.next = self.counts[i];
        }
        self.path_stage_5.d.next = self.paths[3];
        self.set_stage_5.d.next = self.sets[3];
        self.clearing.next = self.clears[0] | self.clears[1] | self.clears[2] | self.clears[3];

        // Stages 0 and 1: compare with the operations one to four ahead.
        for i in 0..3 {
            self.encounters[i].path_ahead_1.next = self.paths[i + 1];
            self.encounters[i].set_ahead_1.next = self.sets[i + 1];
        }
        self.encounters[3].path_ahead_1.next = self.path_stage_5;
        self.encounters[3].set_ahead_1.next = self.set_stage_5;
        self.set_1.next = self.sets[0];
        self.tag_1.next = self.tags[0];

        // Stage 2: the operations three and four ahead are decided.
        self.repeats1_2.next = self.encounters[0].repeats_2;
        self.repeats2_2.next = self.encounters[1].repeats_2;
        self.repeats3_2.next = self.encounters[2].repeats_2;
        self.repeats4_2.next = self.encounters[3].repeats_2;
        self.near3_2.next = self.encounters[2].near_2;
        self.near4_2.next = self.encounters[3].near_2;
        self.follows4_2.next = self.encounters[3].near_2 & self.changed_6;
        self.near1_stage_3.d.next = self.encounters[0].near_2;
        self.near2_stage_3.d.next = self.encounters[1].near_2;
        self.near3_stage_3.d.next = self.encounters[2].near_2;
        self.repeats1_stage_3.d.next = self.encounters[0].repeats_2;
        self.repeats2_stage_3.d.next = self.encounters[1].repeats_2;

        // Stage 3: the operation two ahead is decided.
        self.path_3.next = self.paths[2];
        self.count_3.next = self.counts[2];
        self.follows2_3.next = self.near2_stage_3 & self.changed_5;
        self.follows3_3.next = self.near3_stage_3 & self.changed_6;
        self.near1_stage_4.d.next = self.near1_stage_3;
        self.repeats1_stage_4.d.next = self.repeats1_stage_3;

        // Stage 4: the operation one ahead is decided.
        self.set_4.next = self.sets[3];
        self.tag_4.next = self.tags[3];
        self.start_low_4.next = self.start_lows[3];
        self.count_4.next = self.counts[3];
        self.some_4.next = self.somes[3];
        self.clear_4.next = self.clears[3];
        self.follows1_4.next = self.near1_stage_4 & self.changed_5;
    }
}
