//! The event counts of records, for an ingress that counts them itself.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::IngressOptions;
use crate::circuit::{circuit, kernel};

/// Selects the events to count in a cycle.
///
/// ```text
///   event_in ---> [ input of the type ] --+
///                        1 ---------------+--> step
///   event_select ------------------------------> instructions
/// ```
///
/// Type 0 counts cycles: a record gets those since the previous record. A path therefore lasts from retirement to
/// retirement. Type 1 counts retired instructions, and type 2 + *i* adds input *i*. Types beyond the last input select
/// the last.
#[circuit(
    combinational,
    geometry: &Geometry,
    options: &IngressOptions,
    let inputs = options.event_inputs,
    const mask: Bits<32> = Geometry::mask(geometry.event_bits),
    const _input_lsbs: Vec<u32> = (0..inputs).map(|input| input * geometry.event_bits).collect()
)]
pub struct EventChoice {
    /// External events of this cycle; event_select 2 counts the lowest input, 3 the next.
    pub event_in: Signal<In, Bits<64, { geometry.event_bits * inputs }>>,
    /// Selected event type: 0 cycles, 1 instructions, 2 and above external inputs.
    pub event_select: Signal<In, Bits<4>>,
    /// Events to add: 1 for cycles and for instructions, else the selected input.
    pub step: Signal<Out, Bits<32, { geometry.event_bits }>>,
    /// Instructions are counted.
    pub instructions: Signal<Out, Bit>,
}

#[kernel]
impl EventChoice {
    /// The selection.
    fn choice(&mut self) {
        self.instructions.next = self.event_select == 1;
        self.step.next = 1.into();
        for i in 0..self._input_lsbs.len() {
            if self.event_select > (i + 1).to_bits::<4>() {
                self.step.next =
                    (self.event_in >> self._input_lsbs[i]).get_bits::<32>(0) & self.mask;
            }
        }
    }
}

/// Event count at a retirement: sum since the last record, saturating.
///
/// ```text
///   step ---> [ + ]---> total ---> rest     0 when a record takes the total
///               ^
///   count ------+
/// ```
#[circuit(
    combinational, geometry: &Geometry,
    const mask: Bits<32> = Geometry::mask(geometry.event_bits),
    const bits: Bits<8> = geometry.event_bits
)]
pub struct EventSum {
    /// Events counted before this retirement.
    pub count: Signal<In, Bits<32, { geometry.event_bits }>>,
    /// Events of this cycle, added if counts is 1.
    pub step: Signal<In, Bits<32, { geometry.event_bits }>>,
    /// Add step in this cycle. It arrives late and selects between finished sums.
    pub counts: Signal<In, Bit>,
    /// A record takes the events counted before this cycle.
    pub takes_before: Signal<In, Bit>,
    /// A record takes the total in this cycle.
    pub takes_total: Signal<In, Bit>,
    /// Events since the last record including step; saturates, valid if counts is 1.
    pub total: Signal<Out, Bits<32, { geometry.event_bits }>>,
    /// Events left for the next record.
    pub rest: Signal<Out, Bits<32, { geometry.event_bits }>>,
}

#[kernel]
impl EventSum {
    /// The sum, and what is left of it.
    fn sum(&mut self) {
        self.rest.next = self.count;
        let sum = bit_cast::<40, 32>(self.count) + bit_cast::<40, 32>(self.step);
        self.total.next = bit_cast::<32, 40>(sum) & self.mask;
        if (sum >> self.bits).any() {
            self.total.next = self.mask;
        }
        if self.takes_before {
            self.total.next = self.step;
            self.rest.next = 0.into();
        }
        if self.counts {
            self.rest.next = self.total;
        }
        if self.takes_total {
            self.rest.next = 0.into();
        }
    }
}
