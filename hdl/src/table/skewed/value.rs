//! The values of one way of a table that predicts the next use of its entries.
//!
//! ```text
//!   stage 1         2         3             4
//!   row ---> ( memory ) ---> [ ] --+-----> [ ] ---> minus the least ---+---> value to write
//!                                  |       used again, new ------------+
//!                                  +--> values of all ways ---> Ageing
//! ```

use hpp_golden::profiler::table::rrip::{NEW, USED_AGAIN, VALUE_BITS};
use rust_hdl::prelude::*;

use crate::circuit::{circuit, memory};
use crate::ram::SameEdge;
use crate::register::Delay;
use crate::table::layout::TagLayout;

/// The values of a way.
#[memory(layout: &TagLayout, depth = 1 << layout.set_bits, same_edge = SameEdge::Any)]
pub struct ValueMemory {
    /// How soon the entry's next use is expected.
    #[bits(VALUE_BITS)]
    value: Bits<2>,
}

/// The values of a way, and what becomes of them.
/// The number at the end of a name is the pipeline stage of the operation it belongs to.
#[circuit(resetless, layout: &TagLayout)]
pub struct WayValue {
    /// Stage 1: the row.
    #[bits(layout.set_bits)]
    pub row_1: Signal<In, Bits<16>>,
    /// Stage 4: the row.
    #[bits(layout.set_bits)]
    pub row_4: Signal<In, Bits<16>>,
    /// Stage 4: the entry's accumulator is written.
    pub writes_4: Signal<In, Bit>,
    /// Stage 4: because its path was found.
    pub found_4: Signal<In, Bit>,
    /// Stage 4: the least value is subtracted from those of all ways.
    pub ages_4: Signal<In, Bit>,
    /// Stage 4: the least value.
    #[bits(VALUE_BITS)]
    pub least_4: Signal<In, Bits<2>>,
    /// Stage 3: the value. Right if no path ahead has changed it since it was read.
    #[bits(VALUE_BITS)]
    pub value_3: Signal<Out, Bits<2>>,

    #[new(layout)]
    values: ValueMemory,
    #[bits(VALUE_BITS)]
    value_stage_3: Delay<Bits<2>>,
    #[bits(VALUE_BITS)]
    value_stage_4: Delay<Bits<2>>,
    #[number(NEW)]
    new_value: Constant<Bits<2>>,
    #[number(USED_AGAIN)]
    used_again: Constant<Bits<2>>,
}

impl Logic for WayValue {
    #[hdl_gen]
    fn update(&mut self) {
        self.values.read_address.next = self.row_1.val();
        self.value_stage_3.d.next = self.values.value.val();
        self.value_3.next = self.value_stage_3.q.val();
        self.value_stage_4.d.next = self.value_stage_3.q.val();
        self.values.write_address.next = self.row_4.val();
        self.values.write_enable.next = self.writes_4.val() | self.ages_4.val();
        self.values.write_value.next = self.value_stage_4.q.val() - self.least_4.val();
        if self.writes_4.val() {
            // An emptied row's value is of no account: it becomes that of a new entry with the entry.
            self.values.write_value.next = self.new_value.val();
            if self.found_4.val() {
                self.values.write_value.next = self.used_again.val();
            }
        }
    }
}
