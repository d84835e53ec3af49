//! The profiler core: path detector, hot path table, drain, triggers, statistics counters and registers.
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
//! With parallel lookup the table accepts a path in every cycle. With sequential lookup a path waits for the lookup of
//! the previous one. Later records then wait in the decoder and the queue.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers::shadow;
use rust_hdl::prelude::*;

use crate::bundles::{DrainPort, PathSource, RecordSink};
use crate::circuit::circuit;
use crate::counters::Counters;
use crate::detector::Detector;
use crate::drain::Drain;
use crate::registers::{Readout, RegisterFile, RegisterSlave};
use crate::table::{ParallelTable, SequentialTable, TableWires};
use crate::triggers::Triggers;

/// Path detector, hot path table, counters and registers.
///
/// Exactly one of `tables` and `sequential_tables` has an element. The geometry's lookup scheme selects it.
#[circuit(
    geometry: &Geometry,
    reset: &ResetValues,
    let sequential = usize::from(geometry.buffers_paths()),
    let drains = usize::from(geometry.has_drain()),
    let triggers = usize::from(geometry.triggers)
)]
pub struct Profiler {
    /// Records from the ingress.
    #[bundle(geometry)]
    pub br: RecordSink,
    /// Completed paths.
    #[bundle(geometry)]
    pub path: PathSource,
    /// Evicted paths from the table.
    #[bundle(geometry)]
    pub drain: DrainPort,
    /// Level-sensitive interrupt: the drain level has reached DRAIN_CONTROL.WATERMARK.
    #[present(geometry.has_drain())]
    pub drain_irq: Signal<Out, Bit>,
    /// Event input: starts profiling if TRIGGER_CONTROL.START_EVENT is set.
    #[present(geometry.triggers)]
    pub trigger_start: Signal<In, Bit>,
    /// Event input: stops profiling if TRIGGER_CONTROL.STOP_EVENT is set.
    #[present(geometry.triggers)]
    pub trigger_stop: Signal<In, Bit>,
    /// Interrupt: TRIGGER_PATHS has reached 0; stays 1 until TRIGGER_STATUS.REACHED is cleared.
    #[present(geometry.triggers)]
    pub trigger_irq: Signal<Out, Bit>,
    /// Selected event type: 0 cycles, 1 instructions, 2 and above external inputs.
    pub event_select: Signal<Out, Bits<4>>,
    /// Register accesses from the bus.
    #[bundle(geometry.address_bits())]
    pub access: RegisterSlave,
    #[new(geometry)]
    #[connect(
        registers.settings.{enable, lossy, purge},
        ppcr.rows = registers.settings.rows, ppcr.metric_events = registers.settings.metric_events,
        ppcr.not_taken_as_backward = registers.settings.not_taken_as_backward,
        ppcr.extension = registers.settings.extension, ppcr.max_extension = registers.settings.max_extension,
        ppcr.context_mask = registers.settings.context_mask, ppcr.context_value = registers.settings.context_value,
        br, path, path.valid = table.path.valid, path.length = table.path.length,
        path.outcomes = table.path.outcomes, path.count = table.path.count,
        lost = registers.record_lost, saturated = registers.event_counter_saturated,
        repaired = registers.repaired
    )]
    detector: Detector,
    #[each(i in 1 - sequential)]
    #[new(geometry)]
    #[connect(ports = table)]
    tables: Vec<ParallelTable>,
    #[each(i in sequential)]
    #[new(geometry, reset)]
    #[connect(ports = table)]
    sequential_tables: Vec<SequentialTable>,
    #[each(i in drains)]
    #[new(geometry, reset.counters)]
    #[connect(
        access.write = access.write, access.address = access.address, access.data = access.data,
        access.lanes = access.lanes, left = table.left, port = drain, irq = drain_irq, lost = registers.drain_lost,
        clear_counters = registers.settings.clear_counters
    )]
    drains: Vec<Drain>,
    #[each(i in triggers)]
    #[new(geometry)]
    #[connect(
        access.write = access.write, access.address = access.address, access.data = access.data,
        access.lanes = access.lanes,
        br.{valid, kind, target, next_address}, ready = detector.br.ready,
        registers.settings.{enable, clear_counters}, start_event = trigger_start,
        stop_event = trigger_stop, completes = detector.path.valid, irq = trigger_irq
    )]
    triggers: Vec<Triggers>,
    #[new(geometry, reset.counters)]
    #[connect(clear = registers.settings.clear_counters)]
    counters: Counters,
    #[new(geometry, reset)]
    #[connect(
        access.write = access.write, access.data = access.data, access.lanes = access.lanes,
        settings.freeze = table.freeze, settings.clear = table.clear,
        settings.event_select = event_select,
        clearing = table.clearing, accumulator_saturated = table.saturated,
        counter_word = counters.word, counter_value = counters.value,
        readout.{index, entry_valid}, entry_word = readout.word
    )]
    registers: RegisterFile,
    #[new(geometry)]
    #[connect(registers.{fetch, new_index, step}, addressed = registers.entry_read, entry = table.entry)]
    readout: Readout,
    #[bundle(geometry)]
    table: TableWires,
    to_drain: Signal<Local, Bit>,
    to_triggers: Signal<Local, Bit>,
    #[number(0)]
    no_events: Constant<Bits<8>>,
    #[number(geometry.align)]
    align: Constant<Bits<8>>,
    #[number(shadow::SCALE.lsb)]
    scale_lsb: Constant<Bits<8>>,
    #[value(drains)]
    _drains: usize,
    #[value(triggers)]
    _triggers: usize,
    #[value(usize::from(drains + triggers > 0))]
    _extra_registers: usize,
    #[value(drains * triggers)]
    _drain_and_triggers: usize,
}

impl Logic for Profiler {
    #[hdl_gen]
    fn update(&mut self) {
        self.table.path.start.next = self.detector.path.start.val() >> self.align.val();
        self.registers.shadow.next = self.table.lfsr.val()
            | (bit_cast::<32, 5>(self.table.scale.val()) << self.scale_lsb.val());
        self.detector.hold.next = false;
        self.detector.waits.next = self.table.waits.val();
        self.table.coming.next = self.detector.coming.val();

        // Bit i is the event of counter i.
        self.counters.events.next = self
            .no_events
            .val()
            .replace_bit(0, self.detector.accepted.val())
            .replace_bit(1, self.detector.path.valid.val())
            .replace_bit(2, self.table.hit.val())
            .replace_bit(3, self.table.replacement.val())
            .replace_bit(4, self.detector.split.val())
            .replace_bit(5, self.detector.underflow.val())
            .replace_bit(6, self.detector.overflow.val())
            .replace_bit(7, self.detector.lost.val());

        // Word address bit 5 selects the registers of the drain or the triggers. If both exist, bit 4 selects the
        // triggers.
        self.registers.access.request.next = self.access.request.val();
        self.registers.access.address.next =
            bit_cast::<6, 5>(self.access.address.val().get_bits::<5>(0));
        self.access.done.next = self.registers.access.done.val();
        self.access.read_data.next = self.registers.access.read_data.val();
        for _i in 0..self._extra_registers {
            self.registers.access.request.next =
                self.access.request.val() & !self.access.address.val().get_bit(5);
        }
        self.to_drain.next = self.access.address.val().get_bit(5);
        self.to_triggers.next = self.access.address.val().get_bit(5);
        for _i in 0..self._drain_and_triggers {
            self.to_drain.next =
                self.access.address.val().get_bit(5) & !self.access.address.val().get_bit(4);
            self.to_triggers.next =
                self.access.address.val().get_bit(5) & self.access.address.val().get_bit(4);
        }
        for i in 0..self._drains {
            self.drains[i].access.request.next = self.access.request.val() & self.to_drain.val();
            self.access.done.next = self.access.done.val() | self.drains[i].access.done.val();
            if self.to_drain.val() {
                self.access.read_data.next = self.drains[i].access.read_data.val();
            }
            self.detector.hold.next = self.drains[i].hold.val();
        }
        for i in 0..self._triggers {
            self.detector.br.valid.next = self.triggers[i].passes.val();
            self.detector.br.after_loss.next =
                self.br.after_loss.val() | self.triggers[i].first.val();
            self.triggers[i].access.request.next =
                self.access.request.val() & self.to_triggers.val();
            self.access.done.next = self.access.done.val() | self.triggers[i].access.done.val();
            if self.to_triggers.val() {
                self.access.read_data.next = self.triggers[i].access.read_data.val();
            }
        }
    }
}
