//! The new accumulator: the stored value plus the path's count, saturated. In a table with a drain a sum that overflows
//! evicts the stored value instead, and the accumulator restarts with the count.

use rust_hdl::prelude::*;

use super::layout::{TagLayout, ones};
use crate::circuit::{circuit, kernel};
use crate::register::Delay;

/// Next accumulator of a path: stored value plus count, saturating (with a drain it restarts).
/// Name suffixes are pipeline stages.
///
/// ```text
///   stage                2            3                    4
///   stored -------------------------> |
///   two or three ahead ---> [ ] ----> | --+-- + ---> [sum] ---> saturate ---+--> accumulator
///   one ahead, if repeated -------> & |   |                      found? ----+
///   count --------------------------------+---> (stage 4) ------------------+
/// ```
///
/// Whether the path hits is known in stage 4 only, so the sum is computed first.
#[circuit(
    resetless, layout: &TagLayout,
    const count_bits: Bits<8> = layout.count_bits,
    const _drains: bool = layout.drains,
    const max_count: Bits<32> = ones(layout.count_bits),
    const low_mask: Bits<32> = ones(layout.events_bits) & ones(layout.count_bits),
    const high_mask: Bits<32> = ones(layout.count_bits) & !ones(layout.events_bits)
)]
pub struct Accumulator {
    /// Stage 2: same path as the operation one stage ahead.
    pub repeats1_2: Signal<In, Bit>,
    /// Stage 2: same path as the operation two stages ahead.
    pub repeats2_2: Signal<In, Bit>,
    /// Stage 2: same path as the operation three stages ahead.
    pub repeats3_2: Signal<In, Bit>,
    /// Stage 3: accumulator from memory; 0 if a newer value is forwarded.
    pub stored_3: Signal<In, Bits<32, { layout.count_bits }>>,
    /// Stage 3: same path as the operation one stage ahead.
    pub repeats1_3: Signal<In, Bit>,
    /// Stage 3: count of the path.
    pub count_3: Signal<In, Bits<32, { layout.events_bits }>>,
    /// Stage 4: count of the path; its accumulator on a miss.
    pub count_4: Signal<In, Bits<32, { layout.count_bits }>>,
    /// Stage 4: the path hits.
    pub found_4: Signal<In, Bit>,
    /// Stage 5: accumulator.
    pub accumulator_5: Signal<In, Bits<32, { layout.count_bits }>>,
    /// Stage 4: new accumulator of the path.
    pub accumulator_4: Signal<Out, Bits<32, { layout.count_bits }>>,
    /// Stage 4: the path hits, and accumulator plus count overflows.
    pub saturates_4: Signal<Out, Bit>,

    ahead_stage_3: Delay<Bits<32, { layout.count_bits }>>,
    sum_stage_4: Delay<Bits<32, { layout.count_bits }>>,
    over_stage_4: Delay<Bit>,
    chosen: Signal<Local, Bits<32, { layout.count_bits }>>,
}

#[kernel]
impl Accumulator {
    /// The sum, and the accumulator that it becomes.
    fn sum(&mut self) {
        // Stage 4. A path that misses starts with its count.
        self.chosen.next = self.count_4;
        if self.found_4 {
            self.chosen.next = self.sum_stage_4;
            if self.over_stage_4 {
                self.chosen.next = self.max_count;
                if self._drains {
                    self.chosen.next = self.count_4;
                }
            }
        }
        self.accumulator_4.next = self.chosen;
        self.saturates_4.next = self.found_4 & self.over_stage_4;

        // Stage 2: forward the accumulator of the nearest path ahead that is the same path. That of the path one ahead
        // is not known yet.
        self.ahead_stage_3.d.next = 0.into();
        if self.repeats2_2 & !self.repeats1_2 {
            self.ahead_stage_3.d.next = self.chosen;
        }
        if self.repeats3_2 & !self.repeats2_2 & !self.repeats1_2 {
            self.ahead_stage_3.d.next = self.accumulator_5;
        }

        // Stage 3. The stored accumulator comes from memory or by forwarding, and the other source is 0. In the bits
        // above the width of a count, the forwarded value takes the second operand instead. That saves an OR in front
        // of the adder.
        let forwarded = if self.repeats1_3 {
            self.ahead_stage_3 | self.chosen
        } else {
            self.ahead_stage_3
        };
        let left = bit_cast::<40, 32>(self.stored_3 | (forwarded & self.low_mask));
        let right = bit_cast::<40, 32>((forwarded & self.high_mask) | self.count_3);
        let sum = left + right;
        self.sum_stage_4.d.next = bit_cast::<32, 40>(sum);
        self.over_stage_4.d.next = (sum >> self.count_bits).any();
    }
}
