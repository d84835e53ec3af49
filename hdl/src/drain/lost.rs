//! The counts of the entries that a drain has lost.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::circuit::{circuit, kernel};
use crate::register::{Delay, Register};

/// Counts lost evicted paths and sums their accumulators.
///
/// Timing: a loss in cycle *t* is counted in *t* + 2; `clear` in *t* forgets those before *t*.
#[circuit(geometry: &Geometry, start: u64)]
pub struct LostEntries {
    /// An evicted path is lost in this cycle.
    pub loses: Signal<In, Bit>,
    /// Accumulator of the lost path.
    pub count: Signal<In, Bits<32, { geometry.accumulator_bits }>>,
    /// Clear count and sum.
    pub clear: Signal<In, Bit>,
    /// Pulse: an evicted path was lost one cycle ago.
    pub losing: Signal<Out, Bit>,
    /// Number of lost paths, modulo 2^32.
    pub entries: Signal<Out, Bits<32>>,
    /// Sum of the accumulators of lost paths, modulo 2^64.
    pub total: Signal<Out, Bits<64>>,

    #[connect(d = loses, q = losing)]
    stage: Register<Bit>,
    #[connect(d = count)]
    count_stage: Delay<Bits<32, { geometry.accumulator_bits }>>,
    #[connect(q = entries)]
    lost: Register<Bits<32>, { start & u64::from(u32::MAX) }>,
    #[connect(q = total)]
    sum: Register<Bits<64>, start>,
}

#[kernel]
impl LostEntries {
    /// Count and sum.
    fn logic(&mut self) {
        if self.stage {
            self.lost.d.next = self.lost + 1;
            self.sum.d.next = self.sum + bit_cast::<64, 32>(self.count_stage);
        }
        if self.clear {
            self.lost.d.next = 0.into();
            self.sum.d.next = 0.into();
        }
    }
}
