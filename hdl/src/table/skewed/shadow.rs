//! The shadows of one way of a table with shadows.
//!
//! ```text
//!   stage 1         2                 3
//!   row ---> ( memory ) ---> & ---> [ ] ---> the shadow in view
//!   hidden ------------------+
//! ```

use hpp_golden::profiler::table::shadow::SHADOW_BITS;
use hpp_golden::profiler::table::skewed::FINGERPRINT_BITS;
use rust_hdl::prelude::*;

use crate::circuit::{circuit, memory};
use crate::ram::SameEdge;
use crate::register::Delay;
use crate::table::layout::TagLayout;

/// The shadows of a way.
#[memory(layout: &TagLayout, depth = 1 << layout.set_bits, same_edge = SameEdge::Any)]
pub struct ShadowMemory {
    /// What it knows its path by.
    #[bits(FINGERPRINT_BITS)]
    fingerprint: Bits<16>,
    /// Its count when it was written; 0 if there is no path.
    #[bits(SHADOW_BITS)]
    count: Bits<5>,
    /// k modulo 4 when it was written.
    #[bits(2)]
    stamp: Bits<2>,
}

/// The shadows of a way, of which one is in view.
/// The number at the end of a name is the pipeline stage of the operation it belongs to.
#[circuit(resetless, layout: &TagLayout)]
pub struct WayShadow {
    /// Stage 1: the row.
    #[bits(layout.set_bits)]
    pub row_1: Signal<In, Bits<16>>,
    /// Stage 2: the row does not come into view.
    pub hides_2: Signal<In, Bit>,
    /// Stage 4: the row.
    #[bits(layout.set_bits)]
    pub row_4: Signal<In, Bits<16>>,
    /// Stage 4: write a shadow.
    pub write_4: Signal<In, Bit>,
    /// Stage 4: its fingerprint.
    #[bits(FINGERPRINT_BITS)]
    pub fingerprint_4: Signal<In, Bits<16>>,
    /// Stage 4: its count.
    #[bits(SHADOW_BITS)]
    pub count_4: Signal<In, Bits<5>>,
    /// Stage 4: k modulo 4.
    pub stamp_4: Signal<In, Bits<2>>,
    /// Fingerprint of the shadow in view, else 0.
    #[bits(FINGERPRINT_BITS)]
    pub shown_fingerprint: Signal<Out, Bits<16>>,
    /// Its count, as written, else 0.
    #[bits(SHADOW_BITS)]
    pub shown_count: Signal<Out, Bits<5>>,
    /// Its stamp, else 0.
    pub shown_stamp: Signal<Out, Bits<2>>,

    #[new(layout)]
    shadows: ShadowMemory,
    #[bits(FINGERPRINT_BITS)]
    fingerprint_stage_3: Delay<Bits<16>>,
    #[bits(SHADOW_BITS)]
    count_stage_3: Delay<Bits<5>>,
    stamp_stage_3: Delay<Bits<2>>,
}

impl Logic for WayShadow {
    #[hdl_gen]
    fn update(&mut self) {
        self.shadows.read_address.next = self.row_1.val();
        self.fingerprint_stage_3.d.next = self.shadows.fingerprint.val();
        self.count_stage_3.d.next = self.shadows.count.val();
        self.stamp_stage_3.d.next = self.shadows.stamp.val();
        if self.hides_2.val() {
            self.fingerprint_stage_3.d.next = 0.into();
            self.count_stage_3.d.next = 0.into();
            self.stamp_stage_3.d.next = 0.into();
        }
        self.shown_fingerprint.next = self.fingerprint_stage_3.q.val();
        self.shown_count.next = self.count_stage_3.q.val();
        self.shown_stamp.next = self.stamp_stage_3.q.val();
        self.shadows.write_address.next = self.row_4.val();
        self.shadows.write_enable.next = self.write_4.val();
        self.shadows.write_fingerprint.next = self.fingerprint_4.val();
        self.shadows.write_count.next = self.count_4.val();
        self.shadows.write_stamp.next = self.stamp_4.val();
    }
}
