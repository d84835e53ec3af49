//! The decision: which way a path changes.
//!
//! ```text
//!   stage                                          3                4
//!   found, unless the path one ahead took its way: +---> [found] ---> +
//!   the way of the hit ---------------------------------> [hit] ----> +--> way
//!   least of the set, if the path one ahead changed another set ----> |
//!   that path's way or the least of the rest, if it changed this one -+
//! ```
//!
//! Only `lower` arrives late. It is the OR of the comparisons between the accumulator of the path one ahead and those
//! of the other ways. Everything else is computed for both of its values.

use rust_hdl::prelude::*;

use super::layout::ones;
use crate::circuit::{circuit, kernel};
use crate::register::{Delay, Register};

/// Hit or miss, and the way to write. Way vectors have one bit per way.
/// Name suffixes are pipeline stages.
#[circuit(
    ways: u32,
    const all_ways: Bits<32> = ones(ways)
)]
pub struct Decision {
    /// Stage 3: the operation is a path lookup.
    pub path_3: Signal<In, Bit>,
    /// Stage 3: way that hits (one-hot), before the operation one stage ahead takes effect.
    pub hits_3: Signal<In, Bits<32, ways>>,
    /// Stage 3: same set as the operation one stage ahead.
    pub near_3: Signal<In, Bit>,
    /// Stage 3: same path as the operation one stage ahead.
    pub repeats_3: Signal<In, Bit>,
    /// Stage 4: the operation is a path lookup with a nonzero count.
    pub some_4: Signal<In, Bit>,
    /// Stage 4: the operation clears the set.
    pub clear_4: Signal<In, Bit>,
    /// Stage 4: same path as the operation one stage ahead.
    pub repeats_4: Signal<In, Bit>,
    /// Stage 4: the set has no empty way.
    pub full_4: Signal<In, Bit>,
    /// Stage 4: LFU way (one-hot); valid if follows_4 is 0.
    pub least_4: Signal<In, Bits<32, ways>>,
    /// Stage 4: the operation one stage ahead changed the set.
    pub follows_4: Signal<In, Bit>,
    /// Stage 5: way that changed (one-hot).
    pub way_5: Signal<In, Bits<32, ways>>,
    /// Stage 5: LFU way of the ways that did not change (one-hot).
    pub rest_5: Signal<In, Bits<32, ways>>,
    /// Stage 5: another way is evicted before the changed one.
    pub lower_5: Signal<In, Bit>,

    /// Stage 4: the path hits.
    pub found_4: Signal<Out, Bit>,
    /// Stage 4: the operation changes the set.
    pub changes_4: Signal<Out, Bit>,
    /// Stage 4: the path evicts an entry.
    pub replaces_4: Signal<Out, Bit>,
    /// Stage 4: write enables of the accumulators, one per way.
    pub ways_4: Signal<Out, Bits<32, ways>>,
    /// Stage 4: write enables of the tags, one per way.
    pub new_ways_4: Signal<Out, Bits<32, ways>>,

    #[connect(d = hits_3)]
    hits_stage_4: Delay<Bits<32, ways>>,
    #[connect(q = found_4)]
    found_stage_4: Register<Bit>,
}

#[kernel]
impl Decision {
    /// The way to write, and whether the operation behind hits.
    fn way(&mut self) {
        // Stage 4.
        let inserts = self.some_4 & !self.found_stage_4;
        let changes = self.clear_4 | self.some_4 | self.found_stage_4;
        self.changes_4.next = changes;
        self.replaces_4.next = inserts & self.full_4;
        let mut insert_if_lower: Bits<32> = 0.into();
        let mut insert_if_not: Bits<32> = 0.into();
        if self.clear_4 {
            insert_if_lower = self.all_ways;
            insert_if_not = self.all_ways;
        } else if inserts & self.follows_4 {
            insert_if_lower = self.rest_5;
            insert_if_not = self.way_5;
        } else if inserts {
            insert_if_lower = self.least_4;
            insert_if_not = self.least_4;
        }
        let mut hit_ways: Bits<32> = 0.into();
        if self.found_stage_4 {
            hit_ways = self.hits_stage_4;
            if self.repeats_4 {
                hit_ways = self.way_5;
            }
        }
        self.new_ways_4.next = insert_if_not;
        self.ways_4.next = hit_ways | insert_if_not;
        if self.lower_5 {
            self.new_ways_4.next = insert_if_lower;
            self.ways_4.next = hit_ways | insert_if_lower;
        }

        // Stage 3, for the operation behind. It loses its hit if its way is replaced now. It hits if the operation
        // ahead stores the same path.
        let mut found_if_lower: Bit = self.hits_3.any();
        let mut found_if_not: Bit = self.hits_3.any();
        if self.near_3 {
            found_if_lower = (self.hits_3 & (insert_if_lower ^ self.all_ways)).any();
            found_if_not = (self.hits_3 & (insert_if_not ^ self.all_ways)).any();
        }
        if self.repeats_3 {
            found_if_lower = changes;
            found_if_not = changes;
        }
        self.found_stage_4.d.next = found_if_not;
        if self.lower_5 {
            self.found_stage_4.d.next = found_if_lower;
        }
        if !self.path_3 {
            self.found_stage_4.d.next = false;
        }
    }
}
