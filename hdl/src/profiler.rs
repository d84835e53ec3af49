//! The profiler with everything software needs: detector, table, counters, registers.
//!
//! ```text
//!   br_* ---> detector ---+---> path_*
//!                ^        |
//!              PPCR       v
//!                |    hot path table ---> hits, replacements ---+
//!                |     ^    |                                   v
//!   access -> register file <--- readout        records ... ---> counters
//! ```
//!
//! With a table that takes a path a cycle the profiler never holds the core. One that looks its ways up one after another, or takes its time over
//! a path that is to take another's place, holds the queue while too many paths wait for it.

use hpp_golden::config::{Geometry, LookupScheme};
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers::shadow;
use rust_hdl::prelude::*;

use crate::bundles::{DrainPort, LeftSource, PathSource, RecordSink};
use crate::circuit::circuit;
use crate::counters::Counters;
use crate::detector::Detector;
use crate::drain::Drain;
use crate::registers::{Readout, RegisterFile, RegisterSlave};
use crate::table::{EntryPort, ParallelTable, SequentialTable, SkewedTable};

/// Detector, hot path table, counters and registers.
///
/// Of the three vectors of tables one has a table, of the kind that the geometry asks for.
#[circuit(
    geometry: &Geometry,
    reset: &ResetValues,
    let sequential = usize::from(geometry.lookup == LookupScheme::Serial),
    let skewed = usize::from(geometry.replacement.is_skewed()),
    let parallel = 1 - sequential - skewed,
    let drains = usize::from(geometry.has_drain())
)]
pub struct Profiler {
    /// Records that come.
    #[bundle(geometry)]
    pub br: RecordSink,
    /// Paths that leave.
    #[bundle(geometry)]
    pub path: PathSource,
    /// Entries that leave the table.
    #[bundle(geometry)]
    pub drain: DrainPort,
    /// As many entries wait in the drain as DRAIN_CONTROL.WATERMARK says, or more.
    #[present(geometry.has_drain())]
    pub drain_irq: Signal<Out, Bit>,
    /// A bit of the profiler has flipped.
    #[present(geometry.tells_faults())]
    pub fault: Signal<In, Bit>,
    /// Event type to count: 0 cycles, 1 instructions, 2 and above external.
    pub event_select: Signal<Out, Bits<4>>,
    /// The seam of the bus.
    #[bundle(geometry.address_bits())]
    pub access: RegisterSlave,
    #[new(geometry)]
    detector: Detector,
    #[each(i in parallel)]
    #[new(geometry)]
    tables: Vec<ParallelTable>,
    #[each(i in sequential)]
    #[new(geometry)]
    sequential_tables: Vec<SequentialTable>,
    #[each(i in skewed)]
    #[new(geometry, reset)]
    skewed_tables: Vec<SkewedTable>,
    #[each(i in drains)]
    #[new(geometry, reset.counters)]
    drains: Vec<Drain>,
    #[new(geometry, reset.counters)]
    counters: Counters,
    #[new(geometry, reset)]
    registers: RegisterFile,
    #[new(geometry)]
    readout: Readout,
    holds: Signal<Local, Bit>,
    hit: Signal<Local, Bit>,
    replacement: Signal<Local, Bit>,
    scale: Signal<Local, Bits<5>>,
    #[number(0)]
    no_events: Constant<Bits<8>>,
    #[number(geometry.align)]
    align: Constant<Bits<8>>,
    #[number(shadow::SCALE.lsb)]
    scale_lsb: Constant<Bits<8>>,
    #[value(parallel)]
    _tables: usize,
    #[value(sequential)]
    _sequential_tables: usize,
    #[value(skewed)]
    _skewed_tables: usize,
    #[value(drains)]
    _drains: usize,
    #[value(1 - drains)]
    _without: usize,
}

impl Logic for Profiler {
    #[hdl_gen]
    fn update(&mut self) {
        self.detector.enable.next = self.registers.settings.enable.val();
        self.detector.lossy.next = self.registers.settings.lossy.val();
        self.detector.purge.next = self.registers.settings.purge.val();
        self.detector.ppcr.rows.next = self.registers.settings.rows.val();
        self.detector.ppcr.metric_events.next = self.registers.settings.metric_events.val();
        self.detector.ppcr.not_taken_as_backward.next =
            self.registers.settings.not_taken_as_backward.val();
        self.detector.ppcr.extension.next = self.registers.settings.extension.val();
        self.detector.ppcr.max_extension.next = self.registers.settings.max_extension.val();
        self.detector.ppcr.context_mask.next = self.registers.settings.context_mask.val();
        self.detector.ppcr.context_value.next = self.registers.settings.context_value.val();
        RecordSink::link(&mut self.br, &mut self.detector.br);
        PathSource::link(&mut self.path, &mut self.detector.path);

        self.detector.waits.next = false;
        for i in 0..self._tables {
            self.tables[i].path_valid.next = self.detector.path.valid.val();
            self.tables[i].path_start.next = self.detector.path.start.val() >> self.align.val();
            self.tables[i].path_length.next = self.detector.path.length.val();
            self.tables[i].path_outcomes.next = self.detector.path.outcomes.val();
            self.tables[i].path_count.next = self.detector.path.count.val();
            self.tables[i].freeze.next = self.registers.settings.freeze.val();
            self.tables[i].clear.next = self.registers.settings.clear.val();
            EntryPort::join(&mut self.tables[i].entry, &mut self.readout.entry);
            self.holds.next = false;
            for j in 0..self._drains {
                LeftSource::join(&mut self.tables[i].left, &mut self.drains[j].left);
            }
            self.hit.next = self.tables[i].hit.val();
            self.replacement.next = self.tables[i].replacement.val();
            self.registers.clearing.next = self.tables[i].clearing.val();
            self.registers.accumulator_saturated.next = self.tables[i].saturated.val();
        }
        for i in 0..self._sequential_tables {
            self.sequential_tables[i].path.valid.next = self.detector.path.valid.val();
            self.sequential_tables[i].path.start.next =
                self.detector.path.start.val() >> self.align.val();
            self.sequential_tables[i].path.length.next = self.detector.path.length.val();
            self.sequential_tables[i].path.outcomes.next = self.detector.path.outcomes.val();
            self.sequential_tables[i].path.count.next = self.detector.path.count.val();
            self.sequential_tables[i].freeze.next = self.registers.settings.freeze.val();
            self.sequential_tables[i].clear.next = self.registers.settings.clear.val();
            EntryPort::join(
                &mut self.sequential_tables[i].entry,
                &mut self.readout.entry,
            );
            self.detector.waits.next = self.sequential_tables[i].waits.val();
            self.holds.next = false;
            for j in 0..self._drains {
                LeftSource::join(
                    &mut self.sequential_tables[i].left,
                    &mut self.drains[j].left,
                );
            }
            self.hit.next = self.sequential_tables[i].hit.val();
            self.replacement.next = self.sequential_tables[i].replacement.val();
            self.registers.clearing.next = self.sequential_tables[i].clearing.val();
            self.registers.accumulator_saturated.next = self.sequential_tables[i].saturated.val();
        }
        for i in 0..self._skewed_tables {
            self.skewed_tables[i].path.valid.next = self.detector.path.valid.val();
            self.skewed_tables[i].path.start.next =
                self.detector.path.start.val() >> self.align.val();
            self.skewed_tables[i].path.length.next = self.detector.path.length.val();
            self.skewed_tables[i].path.outcomes.next = self.detector.path.outcomes.val();
            self.skewed_tables[i].path.count.next = self.detector.path.count.val();
            self.skewed_tables[i].freeze.next = self.registers.settings.freeze.val();
            self.skewed_tables[i].clear.next = self.registers.settings.clear.val();
            EntryPort::join(&mut self.skewed_tables[i].entry, &mut self.readout.entry);
            self.holds.next = self.skewed_tables[i].hold.val();
            for j in 0..self._drains {
                LeftSource::join(&mut self.skewed_tables[i].left, &mut self.drains[j].left);
            }
            self.hit.next = self.skewed_tables[i].hit.val();
            self.replacement.next = self.skewed_tables[i].replacement.val();
            self.registers.clearing.next = self.skewed_tables[i].clearing.val();
            self.registers.accumulator_saturated.next = self.skewed_tables[i].saturated.val();
            self.scale.next = self.skewed_tables[i].scale.val();
            self.registers.shadow.next = self.skewed_tables[i].lfsr.val()
                | (bit_cast::<32, 5>(self.scale.val()) << self.scale_lsb.val());
        }

        self.detector.hold.next = self.holds.val();

        // In the order of the counters' addresses.
        self.counters.events.next = self
            .no_events
            .val()
            .replace_bit(0, self.detector.accepted.val())
            .replace_bit(1, self.detector.path.valid.val())
            .replace_bit(2, self.hit.val())
            .replace_bit(3, self.replacement.val())
            .replace_bit(4, self.detector.split.val())
            .replace_bit(5, self.detector.underflow.val())
            .replace_bit(6, self.detector.overflow.val())
            .replace_bit(7, self.detector.lost.val());
        self.counters.clear.next = self.registers.settings.clear_counters.val();

        self.readout.fetch.next = self.registers.fetch.val();
        self.readout.new_index.next = self.registers.new_index.val();
        self.readout.step.next = self.registers.step.val();
        self.readout.addressed.next = self.registers.entry_read.val();

        // The registers of a drain lie behind the others.
        for _i in 0..self._without {
            RegisterSlave::link(&mut self.access, &mut self.registers.access);
        }
        for i in 0..self._drains {
            self.registers.access.request.next =
                self.access.request.val() & !self.access.address.val().get_bit(5);
            self.registers.access.write.next = self.access.write.val();
            self.registers.access.address.next =
                bit_cast::<6, 5>(self.access.address.val().get_bits::<5>(0));
            self.registers.access.data.next = self.access.data.val();
            self.registers.access.lanes.next = self.access.lanes.val();
            self.drains[i].access.request.next =
                self.access.request.val() & self.access.address.val().get_bit(5);
            self.drains[i].access.write.next = self.access.write.val();
            self.drains[i].access.address.next = self.access.address.val();
            self.drains[i].access.data.next = self.access.data.val();
            self.drains[i].access.lanes.next = self.access.lanes.val();
            self.access.done.next =
                self.registers.access.done.val() | self.drains[i].access.done.val();
            self.access.read_data.next = self.registers.access.read_data.val();
            if self.access.address.val().get_bit(5) {
                self.access.read_data.next = self.drains[i].access.read_data.val();
            }
            self.drains[i].clear_counters.next = self.registers.settings.clear_counters.val();
            self.registers.drain_lost.next = self.drains[i].lost.val();
            self.detector.hold.next = self.holds.val() | self.drains[i].hold.val();
            DrainPort::link(&mut self.drain, &mut self.drains[i].port);
            self.drain_irq.next = self.drains[i].irq.val();
        }
        self.registers.event_counter_saturated.next = self.detector.saturated.val();
        self.registers.record_lost.next = self.detector.lost.val();
        self.registers.fault.next = self.fault.val();
        self.registers.repaired.next = self.detector.repaired.val();
        self.registers.counter_word.next = self.counters.word.val();
        self.registers.counter_value.next = self.counters.value.val();
        self.registers.index.next = self.readout.index.val();
        self.registers.entry_valid.next = self.readout.entry_valid.val();
        self.registers.entry_word.next = self.readout.word.val();
        self.event_select.next = self.registers.settings.event_select.val();
    }
}
