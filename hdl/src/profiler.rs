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
//!
//! Several harts have a detector each ([`HartDetectors`]), and share the rest.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers::{command, control, ppcr_mode};
use rust_hdl::prelude::*;

use crate::bundles::{DrainPort, PathSource, RecordSink};
use crate::circuit::{circuit, kernel};
use crate::counters::Counters;
use crate::detector::Detector;
use crate::drain::Drain;
use crate::harts::HartDetectors;
use crate::registers::{Readout, RegisterFile, RegisterSlave};
use crate::table::{ParallelTable, SequentialTable, TableWires};
use crate::triggers::Triggers;

/// Path detector, hot path table, counters and registers.
///
/// Exactly one of `parallel_table` and `sequential_table` is there. The geometry's lookup scheme selects it.
#[circuit(
    geometry: &Geometry, reset: &ResetValues,
    let single = geometry.harts == 1,
    const _harts: usize = geometry.harts as usize,
    const _align: u32 = geometry.align,
    const _extra_registers: bool = geometry.has_drain() || geometry.triggers,
    const _drain_and_triggers: bool = geometry.has_drain() && geometry.triggers
)]
pub struct Profiler {
    /// Records from the ingress.
    pub br: RecordSink<geometry>,
    /// Records from the ingress of each of several harts.
    pub hart: Vec<RecordSink<{ &geometry.of_hart() }>, { if single { 0 } else { geometry.harts } }>,
    /// Completed paths.
    pub path: PathSource<geometry>,
    /// Evicted paths from the table.
    pub drain: DrainPort<geometry>,
    /// Level-sensitive interrupt: the drain level has reached DRAIN_CONTROL.WATERMARK.
    pub drain_irq: Signal<Out, Bit, { geometry.has_drain() }>,
    /// Event input: starts profiling if TRIGGER_CONTROL.START_EVENT is set.
    pub trigger_start: Signal<In, Bit, { geometry.triggers }>,
    /// Event input: stops profiling if TRIGGER_CONTROL.STOP_EVENT is set.
    pub trigger_stop: Signal<In, Bit, { geometry.triggers }>,
    /// Interrupt: TRIGGER_PATHS has reached 0; stays 1 until TRIGGER_STATUS.REACHED is cleared.
    pub trigger_irq: Signal<Out, Bit, { geometry.triggers }>,
    /// Disabled, and nothing is in flight: but for accesses, the clock may stand still.
    pub idle: Signal<Out, Bit>,
    /// Selected event type: 0 cycles, 1 instructions, 2 and above external inputs.
    pub event_select: Signal<Out, Bits<4>>,
    /// Records are profiled; 0: they are discarded, and no ingress makes any.
    pub enabled: Signal<Out, Bit>,
    /// Register accesses from the bus.
    pub access: RegisterSlave<{ geometry.address_bits() }>,
    #[connect(
        ppcr.rows = registers.settings.rows, ppcr.context_mask = registers.settings.context_mask,
        ppcr.context_value = registers.settings.context_value, br, path
    )]
    detector: Option<Detector<geometry, false>, single>,
    #[connect(
        ppcr.rows = registers.settings.rows, ppcr.context_mask = registers.settings.context_mask,
        ppcr.context_value = registers.settings.context_value, br = hart, path
    )]
    harts: Option<HartDetectors<geometry>, { !single }>,
    #[connect(ports = table)]
    parallel_table: Option<ParallelTable<geometry>, { !geometry.buffers_paths() }>,
    #[connect(ports = table)]
    sequential_table: Option<SequentialTable<geometry, reset>, { geometry.buffers_paths() }>,
    #[connect(
        access.write = access.write, access.address = access.address, access.data = access.data,
        access.lanes = access.lanes, left = table.left, port = drain, irq = drain_irq, lost = registers.drain_lost
    )]
    drain_writer: Option<Drain<geometry, { reset.counters }>, { geometry.has_drain() }>,
    #[connect(
        access.write = access.write, access.address = access.address, access.data = access.data,
        access.lanes = access.lanes,
        br.{valid, kind, target, next_address}, ready = br.ready,
        start_event = trigger_start,
        stop_event = trigger_stop, completes = path.valid, irq = trigger_irq
    )]
    triggers: Option<Triggers<geometry>, { geometry.triggers }>,
    counters: Counters<geometry, { reset.counters }>,
    #[connect(
        access.write = access.write, access.data = access.data, access.lanes = access.lanes,
        clearing = table.clearing, accumulator_saturated = table.saturated,
        counter_visits = counters.visits, counter_word = counters.word, counter_value = counters.value,
        readout.{index, entry_valid}, entry_word = readout.word
    )]
    registers: RegisterFile<geometry, reset>,
    #[connect(registers.{fetch, new_index, step}, addressed = registers.entry_read, entry = table.entry)]
    readout: Readout<geometry>,
    table: TableWires<geometry>,
}

#[kernel]
impl Profiler {
    /// Fields of the writable registers, where they act.
    fn settings(&mut self) {
        let (control, command) = (
            self.registers.settings.control,
            self.registers.settings.command,
        );
        self.enabled.next = control.get_bit(control::ENABLE);
        self.triggers?.enable.next = self.enabled;
        self.table.freeze.next = control.get_bit(control::FREEZE);
        self.table.clear.next = command.get_bit(command::CLEAR);
        self.counters.clear.next = command.get_bit(command::CLEAR_COUNTERS);
        self.drain_writer?.clear_counters.next = command.get_bit(command::CLEAR_COUNTERS);
        self.triggers?.clear_counters.next = command.get_bit(command::CLEAR_COUNTERS);
        let mode = self.registers.settings.mode;
        self.event_select.next = mode.get_bits::<4>(ppcr_mode::EVENT_SELECT);
        if let Some(detector) = &mut self.detector {
            detector.enable.next = self.enabled;
            detector.lossy.next = control.get_bit(control::LOSSY);
            detector.purge.next = command.get_bit(command::PURGE);
            detector.ppcr.metric_events.next = mode.get_bit(ppcr_mode::METRIC);
            detector.ppcr.not_taken_as_backward.next = mode.get_bit(ppcr_mode::BACKWARD_NOT_TAKEN);
            detector.ppcr.extension.next = mode.get_bits::<2>(ppcr_mode::EXTENSION);
            detector.ppcr.max_extension.next = mode.get_bits::<8>(ppcr_mode::MAX_EXTENSION);
        }
        if let Some(harts) = &mut self.harts {
            harts.enable.next = self.enabled;
            harts.lossy.next = control.get_bit(control::LOSSY);
            harts.purge.next = command.get_bit(command::PURGE);
            harts.ppcr.metric_events.next = mode.get_bit(ppcr_mode::METRIC);
            harts.ppcr.not_taken_as_backward.next = mode.get_bit(ppcr_mode::BACKWARD_NOT_TAKEN);
            harts.ppcr.extension.next = mode.get_bits::<2>(ppcr_mode::EXTENSION);
            harts.ppcr.max_extension.next = mode.get_bits::<8>(ppcr_mode::MAX_EXTENSION);
        }
    }

    /// Paths, the table and the counters.
    fn paths(&mut self) {
        self.table.path.valid.next = self.path.valid;
        self.table.path.start.next = self.path.start >> self._align;
        self.table.path.length.next = self.path.length;
        self.table.path.outcomes.next = self.path.outcomes;
        self.table.path.count.next = self.path.count;
        self.registers.scale.next = self.table.scale;
        self.detector?.waits.next = self.table.waits;
        self.harts?.waits.next = self.table.waits;
        self.table.next_valid.next = self.detector?.next_valid | self.harts?.next_valid;
        self.registers.record_lost.next = self.detector?.lost | self.harts?.lost.any();
        self.registers.event_counter_saturated.next =
            self.detector?.events.saturated | self.harts?.saturated;
        self.registers.repaired.next =
            bits::<8>(0).replace_bit(0, self.detector?.events.repaired) | self.harts?.repaired;

        // Bit i is the event of counter i, at the first hart.
        let mut events: Bits<64> = bits::<64>(0)
            .replace_bit(0, self.detector?.accepted)
            .replace_bit(1, self.path.valid)
            .replace_bit(2, self.table.hit)
            .replace_bit(3, self.table.replacement)
            .replace_bit(4, self.detector?.events.split)
            .replace_bit(5, self.detector?.events.underflow)
            .replace_bit(6, self.detector?.events.overflow)
            .replace_bit(7, self.detector?.lost);
        if let Some(harts) = &mut self.harts {
            for h in 0..self._harts {
                events = events
                    .replace_bit(8 * h, harts.accepted.get_bit(h))
                    .replace_bit(8 * h + 4, harts.split.get_bit(h))
                    .replace_bit(8 * h + 5, harts.underflow.get_bit(h))
                    .replace_bit(8 * h + 6, harts.overflow.get_bit(h))
                    .replace_bit(8 * h + 7, harts.lost.get_bit(h));
            }
        }
        self.counters.events.next = events;
        // The scan goes on for sixteen cycles more. In that time whatever has left the queue and the table arrives.
        self.counters.busy.next = self.access.request
            | self.access.done
            | self.detector?.busy
            | self.harts?.busy
            | self.path.valid
            | self.table.waits
            | self.table.clearing
            | self.drain.valid;
        self.idle.next = !self.enabled & !self.counters.visits;
    }

    /// Word address bit 5 selects the registers of the drain or the triggers. If both exist, bit 4 selects the triggers.
    fn registers(&mut self) {
        let (request, address) = (self.access.request, self.access.address);
        self.registers.access.request.next = request;
        self.registers.access.address.next = bit_cast::<6, 5>(address.get_bits::<5>(0));
        self.access.done.next = self.registers.access.done;
        self.access.read_data.next = self.registers.access.read_data;
        let is_extra = address.get_bit(5);
        if self._extra_registers {
            self.registers.access.request.next = request & !is_extra;
        }
        self.detector?.hold.next = false;
        self.harts?.hold.next = false;
        if let Some(drain) = &mut self.drain_writer {
            let is_here = if self._drain_and_triggers {
                is_extra & !address.get_bit(4)
            } else {
                is_extra
            };
            drain.access.request.next = request & is_here;
            self.access.done.next = self.access.done | drain.access.done;
            if is_here {
                self.access.read_data.next = drain.access.read_data;
            }
            self.detector?.hold.next = drain.hold;
            self.harts?.hold.next = drain.hold;
        }
        if let Some(triggers) = &mut self.triggers {
            self.detector?.br.valid.next = triggers.passes;
            self.detector?.br.after_loss.next = self.br.after_loss | triggers.first;
            let is_here = if self._drain_and_triggers {
                is_extra & address.get_bit(4)
            } else {
                is_extra
            };
            triggers.access.request.next = request & is_here;
            self.access.done.next = self.access.done | triggers.access.done;
            if is_here {
                self.access.read_data.next = triggers.access.read_data;
            }
        }
    }
}
