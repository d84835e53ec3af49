//! The profiler with everything software needs: detector, table, counters, registers, Wishbone port.
//!
//! ```text
//!   br_* ---> detector ---+---> path_*
//!                ^        |
//!              PPCR       v
//!                |    hot path table ---> hits, replacements ---+
//!                |     ^    |                                   v
//!   wb_* <--> register file <--- readout        records ... ---> counters
//! ```
//!
//! With a table that takes a path a cycle the profiler never holds the core. One that looks its ways up one after another
//! holds the queue while paths wait for it.

use hpp_golden::config::{Geometry, LookupScheme};
use hpp_golden::profiler::ResetValues;
use rust_hdl::prelude::*;

use crate::annotate::comment;
use crate::bundles::{PathSource, RecordSink};
use crate::circuit::{Part, wire};
use crate::constant::number;
use crate::counters::Counters;
use crate::detector::Detector;
use crate::registers::{Readout, RegisterFile, RegisterSlave};
use crate::table::{EntryPort, HotPathTable, SerialTable};
use crate::wishbone::{Wishbone, WishbonePort};

/// The profiler behind an ingress and a Wishbone port.
#[derive(LogicBlock)]
pub struct Profiler {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// Records that come.
    pub br: RecordSink,
    /// Paths that leave.
    pub path: PathSource,
    /// Event type to count: 0 cycles, 1 instructions, 2 and above external.
    pub event_select: Signal<Out, Bits<4>>,
    /// Registers and table.
    pub wb: WishbonePort,
    detector: Detector,
    tables: Vec<HotPathTable>,
    serial_tables: Vec<SerialTable>,
    counters: Counters,
    registers: RegisterFile,
    readout: Readout,
    wishbone: Wishbone,
    no_events: Constant<Bits<8>>,
    align: Constant<Bits<8>>,
    _tables: usize,
    _serial_tables: usize,
}

impl Profiler {
    /// A profiler of this geometry, with these values in its control registers after reset.
    #[must_use]
    pub fn new(geometry: &Geometry, reset: &ResetValues) -> Self {
        // One table of one of the two kinds.
        let (parallel, serial) = match geometry.lookup {
            LookupScheme::Parallel => (1, 0),
            LookupScheme::Serial => (0, 1),
        };
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            br: RecordSink::new(geometry),
            path: PathSource::new(geometry),
            event_select: Signal::default(),
            wb: WishbonePort::new(),
            detector: Detector::new(geometry),
            tables: (0..parallel).map(|_| HotPathTable::new(geometry)).collect(),
            serial_tables: (0..serial).map(|_| SerialTable::new(geometry)).collect(),
            counters: Counters::new(geometry, reset.counters),
            registers: RegisterFile::new(geometry, reset),
            readout: Readout::new(geometry),
            wishbone: Wishbone::new(),
            no_events: number(0),
            align: number(geometry.align),
            _tables: parallel,
            _serial_tables: serial,
        }
    }
}

impl Part for Profiler {
    fn drive(&mut self, clk: Clock, rst: Bit) {
        self.clk.next = clk;
        self.rst.next = rst;
    }

    fn wiring(&self, name: &str, out: &mut Vec<ast::VerilogStatement>) {
        out.push(wire(name, "clk", "clk"));
        out.push(wire(name, "rst", "rst"));
    }
}

impl Logic for Profiler {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("profiler: detector, hot path table, counters, registers and Wishbone port.");
        self.detector.clk.next = self.clk.val();
        self.detector.rst.next = self.rst.val();
        self.detector.enable.next = self.registers.settings.enable.val();
        self.detector.lossy.next = self.registers.settings.lossy.val();
        self.detector.purge.next = self.registers.settings.purge.val();
        self.detector.ppcr.rows.next = self.registers.settings.rows.val();
        self.detector.ppcr.metric_events.next = self.registers.settings.metric_events.val();
        self.detector.ppcr.not_taken_as_backward.next =
            self.registers.settings.not_taken_as_backward.val();
        self.detector.ppcr.extension.next = self.registers.settings.extension.val();
        self.detector.ppcr.max_extension.next = self.registers.settings.max_extension.val();
        RecordSink::link(&mut self.br, &mut self.detector.br);
        PathSource::link(&mut self.path, &mut self.detector.path);
        // One of the two loops has a table. Events are in the order of the counters' addresses.
        for i in 0..self._tables {
            self.tables[i].clk.next = self.clk.val();
            self.tables[i].rst.next = self.rst.val();
            self.tables[i].path_valid.next = self.detector.path.valid.val();
            self.tables[i].path_start.next = self.detector.path.start.val() >> self.align.val();
            self.tables[i].path_length.next = self.detector.path.length.val();
            self.tables[i].path_outcomes.next = self.detector.path.outcomes.val();
            self.tables[i].path_count.next = self.detector.path.count.val();
            self.detector.hold.next = false;
            self.tables[i].freeze.next = self.registers.settings.freeze.val();
            self.tables[i].clear.next = self.registers.settings.clear.val();
            EntryPort::join(&mut self.tables[i].entry, &mut self.readout.entry);
            self.counters.events.next = self
                .no_events
                .val()
                .replace_bit(0, self.detector.accepted.val())
                .replace_bit(1, self.detector.path.valid.val())
                .replace_bit(2, self.tables[i].hit.val())
                .replace_bit(3, self.tables[i].replacement.val())
                .replace_bit(4, self.detector.split.val())
                .replace_bit(5, self.detector.underflow.val())
                .replace_bit(6, self.detector.overflow.val())
                .replace_bit(7, self.detector.lost.val());
            self.registers.clearing.next = self.tables[i].clearing.val();
            self.registers.accumulator_saturated.next = self.tables[i].saturated.val();
        }
        for i in 0..self._serial_tables {
            self.serial_tables[i].clk.next = self.clk.val();
            self.serial_tables[i].rst.next = self.rst.val();
            self.serial_tables[i].path_valid.next = self.detector.path.valid.val();
            self.serial_tables[i].path_start.next =
                self.detector.path.start.val() >> self.align.val();
            self.serial_tables[i].path_length.next = self.detector.path.length.val();
            self.serial_tables[i].path_outcomes.next = self.detector.path.outcomes.val();
            self.serial_tables[i].path_count.next = self.detector.path.count.val();
            self.detector.hold.next = self.serial_tables[i].hold.val();
            self.serial_tables[i].freeze.next = self.registers.settings.freeze.val();
            self.serial_tables[i].clear.next = self.registers.settings.clear.val();
            EntryPort::join(&mut self.serial_tables[i].entry, &mut self.readout.entry);
            self.counters.events.next = self
                .no_events
                .val()
                .replace_bit(0, self.detector.accepted.val())
                .replace_bit(1, self.detector.path.valid.val())
                .replace_bit(2, self.serial_tables[i].hit.val())
                .replace_bit(3, self.serial_tables[i].replacement.val())
                .replace_bit(4, self.detector.split.val())
                .replace_bit(5, self.detector.underflow.val())
                .replace_bit(6, self.detector.overflow.val())
                .replace_bit(7, self.detector.lost.val());
            self.registers.clearing.next = self.serial_tables[i].clearing.val();
            self.registers.accumulator_saturated.next = self.serial_tables[i].saturated.val();
        }

        self.readout.clk.next = self.clk.val();
        self.readout.rst.next = self.rst.val();
        self.readout.fetch.next = self.registers.fetch.val();
        self.readout.new_index.next = self.registers.new_index.val();
        self.readout.step.next = self.registers.step.val();
        self.readout.addressed.next = self.registers.entry_read.val();

        self.counters.clk.next = self.clk.val();
        self.counters.rst.next = self.rst.val();
        self.counters.clear.next = self.registers.settings.clear_counters.val();

        self.registers.clk.next = self.clk.val();
        self.registers.rst.next = self.rst.val();
        RegisterSlave::join(&mut self.registers.access, &mut self.wishbone.registers);
        self.registers.event_counter_saturated.next = self.detector.saturated.val();
        self.registers.record_lost.next = self.detector.lost.val();
        self.registers.counter_word.next = self.counters.word.val();
        self.registers.counter_value.next = self.counters.value.val();
        self.registers.index.next = self.readout.index.val();
        self.registers.entry_valid.next = self.readout.entry_valid.val();
        self.registers.entry_word.next = self.readout.word.val();
        self.event_select.next = self.registers.settings.event_select.val();

        self.wishbone.clk.next = self.clk.val();
        self.wishbone.rst.next = self.rst.val();
        WishbonePort::link(&mut self.wb, &mut self.wishbone.wb);
    }
}
