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

use crate::annotate::{comment, sized};
use crate::constant::number;
use crate::counters::Counters;
use crate::detector::Detector;
use crate::registers::{Readout, RegisterFile, RegisterSlave};
use crate::table::{EntryPort, HotPathTable, SerialTable};
use crate::wishbone::Wishbone;

/// The profiler behind a native ingress port and a Wishbone port. Addresses lack their constant low bits.
#[derive(LogicBlock)]
pub struct Profiler {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,
    /// A branch record is offered.
    pub br_valid: Signal<In, Bit>,
    /// The record is taken in this cycle; 0 asks the core to hold retirement.
    pub br_ready: Signal<Out, Bit>,
    /// 0 forward, 1 backward, 2 indirect, 3 call, 4 return, 5 indirect call, 6 trap, 7 trap return.
    pub br_kind: Signal<In, Bits<3>>,
    /// Outcome of a conditional branch; 1 for every other kind.
    pub br_taken: Signal<In, Bit>,
    /// Address of the next instruction that retires.
    pub br_target: Signal<In, Bits<64>>,
    /// Events of the selected type since the previous record.
    pub br_events: Signal<In, Bits<32>>,
    /// A path is complete.
    pub path_valid: Signal<Out, Bit>,
    /// Its start, without the constant low bits.
    pub path_start: Signal<Out, Bits<64>>,
    /// Branches recorded along it.
    pub path_length: Signal<Out, Bits<7>>,
    /// Their outcomes, the first in bit 0.
    pub path_outcomes: Signal<Out, Bits<64>>,
    /// What it adds to its accumulator.
    pub path_count: Signal<Out, Bits<32>>,
    /// Event type to count: 0 cycles, 1 instructions, 2 and above external.
    pub event_select: Signal<Out, Bits<4>>,
    /// Wishbone: a bus cycle is in progress.
    pub wb_cyc_i: Signal<In, Bit>,
    /// Wishbone: an access is asked for.
    pub wb_stb_i: Signal<In, Bit>,
    /// Wishbone: the access is a write.
    pub wb_we_i: Signal<In, Bit>,
    /// Wishbone: word address.
    pub wb_adr_i: Signal<In, Bits<5>>,
    /// Wishbone: byte lanes to write.
    pub wb_sel_i: Signal<In, Bits<4>>,
    /// Wishbone: word to write.
    pub wb_dat_i: Signal<In, Bits<32>>,
    /// Wishbone: word read, while wb_ack_o is 1.
    pub wb_dat_o: Signal<Out, Bits<32>>,
    /// Wishbone: the access is over.
    pub wb_ack_o: Signal<Out, Bit>,
    /// Wishbone: no access is accepted in this cycle.
    pub wb_stall_o: Signal<Out, Bit>,
    detector: Detector,
    tables: Vec<HotPathTable>,
    serial_tables: Vec<SerialTable>,
    counters: Counters,
    registers: RegisterFile,
    readout: Readout,
    wishbone: Wishbone,
    no_events: Constant<Bits<8>>,
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
            br_valid: Signal::default(),
            br_ready: Signal::default(),
            br_kind: Signal::default(),
            br_taken: Signal::default(),
            br_target: sized(geometry.pc_bits - geometry.align),
            br_events: sized(geometry.event_bits),
            path_valid: Signal::default(),
            path_start: sized(geometry.pc_bits - geometry.align),
            path_length: sized(geometry.length_bits()),
            path_outcomes: sized(geometry.max_branches),
            path_count: sized(geometry.event_counter_bits),
            event_select: Signal::default(),
            wb_cyc_i: Signal::default(),
            wb_stb_i: Signal::default(),
            wb_we_i: Signal::default(),
            wb_adr_i: Signal::default(),
            wb_sel_i: Signal::default(),
            wb_dat_i: Signal::default(),
            wb_dat_o: Signal::default(),
            wb_ack_o: Signal::default(),
            wb_stall_o: Signal::default(),
            detector: Detector::new(geometry),
            tables: (0..parallel).map(|_| HotPathTable::new(geometry)).collect(),
            serial_tables: (0..serial).map(|_| SerialTable::new(geometry)).collect(),
            counters: Counters::new(geometry, reset.counters),
            registers: RegisterFile::new(geometry, reset),
            readout: Readout::new(geometry),
            wishbone: Wishbone::new(),
            no_events: number(0),
            _tables: parallel,
            _serial_tables: serial,
        }
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
        self.detector.rows.next = self.registers.settings.rows.val();
        self.detector.metric_events.next = self.registers.settings.metric_events.val();
        self.detector.not_taken_as_backward.next =
            self.registers.settings.not_taken_as_backward.val();
        self.detector.extension.next = self.registers.settings.extension.val();
        self.detector.max_extension.next = self.registers.settings.max_extension.val();
        self.detector.br_valid.next = self.br_valid.val();
        self.br_ready.next = self.detector.br_ready.val();
        self.detector.br_kind.next = self.br_kind.val();
        self.detector.br_taken.next = self.br_taken.val();
        self.detector.br_target.next = self.br_target.val();
        self.detector.br_events.next = self.br_events.val();

        self.path_valid.next = self.detector.path_valid.val();
        self.path_start.next = self.detector.path_start.val();
        self.path_length.next = self.detector.path_length.val();
        self.path_outcomes.next = self.detector.path_outcomes.val();
        self.path_count.next = self.detector.path_count.val();
        // One of the two loops has a table. Events are in the order of the counters' addresses.
        for i in 0..self._tables {
            self.tables[i].clk.next = self.clk.val();
            self.tables[i].rst.next = self.rst.val();
            self.tables[i].path_valid.next = self.detector.path_valid.val();
            self.tables[i].path_start.next = self.detector.path_start.val();
            self.tables[i].path_length.next = self.detector.path_length.val();
            self.tables[i].path_outcomes.next = self.detector.path_outcomes.val();
            self.tables[i].path_count.next = self.detector.path_count.val();
            self.detector.hold.next = false;
            self.tables[i].freeze.next = self.registers.settings.freeze.val();
            self.tables[i].clear.next = self.registers.settings.clear.val();
            EntryPort::join(&mut self.tables[i].entry, &mut self.readout.entry);
            self.counters.events.next = self
                .no_events
                .val()
                .replace_bit(0, self.detector.accepted.val())
                .replace_bit(1, self.detector.path_valid.val())
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
            self.serial_tables[i].path_valid.next = self.detector.path_valid.val();
            self.serial_tables[i].path_start.next = self.detector.path_start.val();
            self.serial_tables[i].path_length.next = self.detector.path_length.val();
            self.serial_tables[i].path_outcomes.next = self.detector.path_outcomes.val();
            self.serial_tables[i].path_count.next = self.detector.path_count.val();
            self.detector.hold.next = self.serial_tables[i].hold.val();
            self.serial_tables[i].freeze.next = self.registers.settings.freeze.val();
            self.serial_tables[i].clear.next = self.registers.settings.clear.val();
            EntryPort::join(&mut self.serial_tables[i].entry, &mut self.readout.entry);
            self.counters.events.next = self
                .no_events
                .val()
                .replace_bit(0, self.detector.accepted.val())
                .replace_bit(1, self.detector.path_valid.val())
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
        self.wishbone.wb.cyc_i.next = self.wb_cyc_i.val();
        self.wishbone.wb.stb_i.next = self.wb_stb_i.val();
        self.wishbone.wb.we_i.next = self.wb_we_i.val();
        self.wishbone.wb.adr_i.next = self.wb_adr_i.val();
        self.wishbone.wb.sel_i.next = self.wb_sel_i.val();
        self.wishbone.wb.dat_i.next = self.wb_dat_i.val();
        self.wb_dat_o.next = self.wishbone.wb.dat_o.val();
        self.wb_ack_o.next = self.wishbone.wb.ack_o.val();
        self.wb_stall_o.next = self.wishbone.wb.stall_o.val();
    }
}
