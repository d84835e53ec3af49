//! One way of the parallel table: its accumulators, and whether it holds the path.
//!
//! ```text
//!   stage    1                  2                          3                  4                     5
//!   stored tag -> pairs = ? -> [ ] -> all? -> patch ---> [hit] ---> patch ---> hit
//!   set --->( count RAM )------------------------------> [count] ----------> [count] ---> compare ---> [ ] ---> above?
//! ```
//!
//! Up to four paths ahead in the pipeline may still change the set. Each changes one way, to its own tag. Forwarding
//! therefore patches the hit bit instead of the tag. A path hits in a way that an earlier path changed if and only if
//! their tags are equal. The accumulators of the three nearest paths ahead were read before they changed. The table
//! forwards their new values.
//!
//! The tag leaves a block RAM late in the cycle, which leaves time for one LUT. Pairs of bits are therefore compared
//! before the register, and combined after it (see [`TagMatch`]).

use rust_hdl::prelude::*;

use super::layout::{TAG_BITS, TagLayout, ones};
use super::tag_match::TagMatch;
use crate::circuit::{circuit, kernel};
use crate::ram::{Ram, SameEdge};
use crate::register::Delay;

/// Accumulators of one way, and hit detection in it. In way vectors, `bit` selects this way.
/// Name suffixes are pipeline stages.
// The changed way comes after this one if it is among the higher ways, or not among the lower ones. The smaller group
// is tested.
#[circuit(
    resetless, layout: &TagLayout, way: u32, let low = 2 * way < layout.ways,
    const bit: Bits<32> = 1u32 << way,
    const choosing: Bits<32> = if low { ones(way) } else { ones(layout.ways) ^ ones(way + 1) },
    const below: Bit = low
)]
pub struct TableWay {
    /// Stage 1: set whose accumulator is read.
    pub set_1: Signal<In, Bits<16, { layout.set_bits }>>,
    /// Stage 1: tag of this way from memory.
    pub stored_1: Signal<In, Bits<TAG_BITS, { layout.width() }>>,
    /// Stage 1: tag of the operation; 0 for a clear.
    pub tag_1: Signal<In, Bits<TAG_BITS, { layout.width() }>>,
    /// Stage 2: same path as the operation one stage ahead.
    pub repeats1_2: Signal<In, Bit>,
    /// Stage 2: same path as the operation two stages ahead.
    pub repeats2_2: Signal<In, Bit>,
    /// Stage 2: same path as the operation three stages ahead.
    pub repeats3_2: Signal<In, Bit>,
    /// Stage 2: same path as the operation four stages ahead.
    pub repeats4_2: Signal<In, Bit>,
    /// Stage 2: same set as the operation three stages ahead.
    pub near3_2: Signal<In, Bit>,
    /// Stage 2: same set as the operation four stages ahead.
    pub near4_2: Signal<In, Bit>,
    /// Stage 3: same set as the operation two stages ahead.
    pub near2_3: Signal<In, Bit>,
    /// Stage 3: same path as the operation two stages ahead.
    pub repeats2_3: Signal<In, Bit>,
    /// Stage 3: same set as the operation three stages ahead.
    pub near3_3: Signal<In, Bit>,
    /// Stage 4: same set as the operation one stage ahead.
    pub near1_4: Signal<In, Bit>,
    /// Stage 4: set to write.
    pub set_4: Signal<In, Bits<16, { layout.set_bits }>>,
    /// Stage 4: accumulator to write.
    pub count_4: Signal<In, Bits<32, { layout.count_bits }>>,
    /// Stage 4: write enables of the accumulators, one per way.
    pub write_4: Signal<In, Bits<32, { layout.ways }>>,
    /// Stage 5: way that changed (one-hot).
    pub way_5: Signal<In, Bits<32, { layout.ways }>>,
    /// Stage 5: ways that the operation wrote.
    pub written_5: Signal<In, Bits<32, { layout.ways }>>,
    /// Stage 6: ways that the operation wrote.
    pub written_6: Signal<In, Bits<32, { layout.ways }>>,
    /// Stage 4: accumulator to write > that of the operation one stage ahead.
    pub greater1_4: Signal<In, Bit>,
    /// Stage 4: accumulator to write >= that of the operation one stage ahead.
    pub not_less1_4: Signal<In, Bit>,
    /// Stage 4: accumulator to write > that of the operation two stages ahead.
    pub greater2_4: Signal<In, Bit>,
    /// Stage 4: accumulator to write >= that of the operation two stages ahead.
    pub not_less2_4: Signal<In, Bit>,
    /// Stage 4: accumulator to write > that of the operation three stages ahead.
    pub greater3_4: Signal<In, Bit>,
    /// Stage 4: accumulator to write >= that of the operation three stages ahead.
    pub not_less3_4: Signal<In, Bit>,

    /// Stage 3: the path hits in this way, before the operation one stage ahead takes effect.
    pub hit: Signal<Out, Bit>,
    /// Stage 3: accumulator of this way on a hit, else 0; also 0 if a newer value is forwarded.
    pub hit_count: Signal<Out, Bits<32, { layout.count_bits }>>,
    /// Stage 5: this way is not the changed one, and is evicted before it.
    pub above: Signal<Out, Bit>,

    #[connect(read_address = set_1, write_address = set_4, write_data = count_4)]
    counts: Ram<32, { 1 << layout.set_bits }, { layout.count_bits }, { SameEdge::Any }>,
    #[connect(a = stored_1, b = tag_1)]
    tag_match: TagMatch<{ layout.width() }>,
    hit_stage_3: Delay<Bit>,
    #[connect(q = hit_count)]
    hit_count_stage_3: Delay<Bits<32, { layout.count_bits }>>,
    stored_stage_3: Delay<Bits<32, { layout.count_bits }>>,
    stored_stage_4: Delay<Bits<32, { layout.count_bits }>>,
    fresh2_stage_4: Delay<Bit>,
    fresh3_stage_4: Delay<Bit>,
    intact_stage_4: Delay<Bit>,
    greater_stage_5: Delay<Bit>,
    not_less_stage_5: Delay<Bit>,
}

#[kernel]
impl TableWay {
    /// The way in each stage.
    fn way(&mut self) {
        let wrote_5 = (self.written_5 & self.bit).any();
        let wrote_6 = (self.written_6 & self.bit).any();

        // Stage 2. Whether a path ahead changed the way is known well before the tag comparison.
        let intact = !(self.near3_2 & wrote_5) & !(self.near4_2 & wrote_6);
        let known = if self.near3_2 & wrote_5 {
            self.repeats3_2
        } else {
            self.near4_2 & wrote_6 & self.repeats4_2
        };
        let found = known | (intact & self.tag_match.same);
        self.hit_stage_3.d.next = found;
        self.stored_stage_3.d.next = self.counts.read_data;
        // The synchronous clear of a register is free. A multiplexer that selects the way that hits would not be.
        self.hit_count_stage_3.d.next = self.counts.read_data;
        if !found | self.repeats1_2 | self.repeats2_2 | self.repeats3_2 {
            self.hit_count_stage_3.d.next = 0.into();
        }

        // Stage 3: the path two ahead is decided, the path one ahead is not.
        let changed2 = self.near2_3 & wrote_5;
        let was_changed3 = self.near3_3 & wrote_6;
        self.hit.next = self.hit_stage_3;
        if changed2 {
            self.hit.next = self.repeats2_3;
        }
        self.stored_stage_4.d.next = self.stored_stage_3;
        self.fresh2_stage_4.d.next = changed2;
        self.fresh3_stage_4.d.next = was_changed3 & !changed2;
        self.intact_stage_4.d.next = !was_changed3 & !changed2;

        // Stage 4: the path one ahead is the last that can interfere.
        self.counts.write_enable.next = (self.write_4 & self.bit).any();
        // Of two equal accumulators the way decides, which is known one stage later. Both comparisons subtract `count_4`: a
        // device that cannot complement inside a carry chain then complements it once for all.
        let stored = bit_cast::<33, 32>(self.stored_stage_4) << 1;
        let greater = self.stored_stage_4 < self.count_4;
        let not_less = stored < ((bit_cast::<33, 32>(self.count_4) << 1) | 1);
        // The latest accumulator of this way is that of the path one, two or three ahead, or the stored one.
        self.greater_stage_5.d.next = (self.fresh2_stage_4 & self.greater2_4)
            | (self.fresh3_stage_4 & self.greater3_4)
            | (self.intact_stage_4 & greater);
        self.not_less_stage_5.d.next = (self.fresh2_stage_4 & self.not_less2_4)
            | (self.fresh3_stage_4 & self.not_less3_4)
            | (self.intact_stage_4 & not_less);
        if self.near1_4 & wrote_5 {
            self.greater_stage_5.d.next = self.greater1_4;
            self.not_less_stage_5.d.next = self.not_less1_4;
        }

        // Stage 5: compare this way's accumulator with the changed one. Of equals, the lower way is replaced first.
        let after = (self.way_5 & self.choosing).any() ^ self.below;
        let is_above = if after {
            self.not_less_stage_5
        } else {
            self.greater_stage_5
        };
        self.above.next = is_above & !(self.way_5 & self.bit).any();
    }
}
