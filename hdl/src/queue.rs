//! The branch queue: a FIFO of records between the core and the path detector.
//!
//! ```text
//!   br_* ---> [ admission ]--->( RAM, depth x record )---> register ---> detector
//!                  |   ^            wr ^      ^ rd
//!   br_ready <-----+   +-- full <-- [ occupancy ] <--- pop <--- hold
//!                  +--> lost, accepted (statistics)
//! ```
//!
//! *Stall* mode: `br_ready` is 0 while the queue is full. *Lossy* mode: `br_ready` stays 1 and a record that finds
//! the queue full is lost. Whether it is full depends on the occupancy alone, also in a cycle in which a record
//! leaves. While disabled, records are accepted and discarded.
//!
//! A record that gets in carries the mark *purge first* when it is the first since reset, since a record was lost,
//! since the profiler was disabled, or since software asked for a purge.
//!
//! Timing: a record accepted in cycle *t* leaves the queue in cycle *t* + 1 at the earliest, for a register that shows it
//! in the next; one record a cycle. So what is shown depends on registers alone, and no cell is read at the edge at
//! which it is written.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::annotate::{comment, sized};
use crate::constant::{mask, number};
use crate::ram::{Ram, SameEdge};
use crate::register::Register;

/// The greatest width of a stored record: kind, outcome, mark, target, events.
const RECORD_BITS: usize = 104;

/// The branch queue. Addresses come and go without their constant low bits.
#[derive(LogicBlock)]
pub struct BranchQueue {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset, active high.
    pub rst: Signal<In, Bit>,

    /// 1: records are profiled; 0: they are accepted and discarded.
    pub enable: Signal<In, Bit>,
    /// 1: lossy mode; 0: stall mode.
    pub lossy: Signal<In, Bit>,
    /// The next record that gets in from the next cycle on is to purge the stack.
    pub purge: Signal<In, Bit>,

    /// A record is offered.
    pub br_valid: Signal<In, Bit>,
    /// The record is taken.
    pub br_ready: Signal<Out, Bit>,
    /// Kind of the record.
    pub br_kind: Signal<In, Bits<3>>,
    /// Outcome.
    pub br_taken: Signal<In, Bit>,
    /// Address of the next instruction to retire, without its constant low bits.
    pub br_target: Signal<In, Bits<64>>,
    /// Events since the previous record.
    pub br_events: Signal<In, Bits<32>>,

    /// No record leaves the queue in this cycle.
    pub hold: Signal<In, Bit>,
    /// A record left the queue in the last cycle.
    pub valid: Signal<Out, Bit>,
    /// Kind of that record.
    pub kind: Signal<Out, Bits<3>>,
    /// Outcome of that record.
    pub taken: Signal<Out, Bit>,
    /// Target of that record.
    pub target: Signal<Out, Bits<64>>,
    /// Events of that record.
    pub events: Signal<Out, Bits<32>>,
    /// The stack is emptied before that record.
    pub purge_first: Signal<Out, Bit>,

    /// A record got in (statistics).
    pub accepted: Signal<Out, Bit>,
    /// A record found the queue full and was dropped (statistics).
    pub lost: Signal<Out, Bit>,

    records: Ram<RECORD_BITS>,
    write_pointer: Register<Bits<7>>,
    read_pointer: Register<Bits<7>>,
    shown: Register<Bit>,
    marked: Register<Bit>,

    occupancy: Signal<Local, Bits<7>>,
    full: Signal<Local, Bit>,
    push: Signal<Local, Bit>,
    pop: Signal<Local, Bit>,
    flags: Signal<Local, Bits<5>>,
    word: Signal<Local, Bits<RECORD_BITS>>,
    pointer_mask: Constant<Bits<7>>,
    cell_mask: Constant<Bits<7>>,
    depth: Constant<Bits<7>>,
    target_mask: Constant<Bits<64>>,
    events_mask: Constant<Bits<32>>,
    target_lsb: Constant<Bits<8>>,
    events_lsb: Constant<Bits<8>>,
    zero: Constant<Bits<5>>,
}

impl BranchQueue {
    /// A queue of `geometry.queue_depth` records.
    #[must_use]
    pub fn new(geometry: &Geometry) -> Self {
        let target_bits = geometry.pc_bits - geometry.align;
        let pointer_bits = geometry.queue_depth.trailing_zeros() + 1;
        let width = 5 + target_bits + geometry.event_bits;
        Self {
            clk: Signal::default(),
            rst: Signal::default(),
            enable: Signal::default(),
            lossy: Signal::default(),
            purge: Signal::default(),
            br_valid: Signal::default(),
            br_ready: Signal::default(),
            br_kind: Signal::default(),
            br_taken: Signal::default(),
            br_target: sized(target_bits),
            br_events: sized(geometry.event_bits),
            hold: Signal::default(),
            valid: Signal::default(),
            kind: Signal::default(),
            taken: Signal::default(),
            target: sized(target_bits),
            events: sized(geometry.event_bits),
            purge_first: Signal::default(),
            accepted: Signal::default(),
            lost: Signal::default(),
            records: Ram::new(geometry.queue_depth, width, SameEdge::Any),
            write_pointer: Register::zero(pointer_bits),
            read_pointer: Register::zero(pointer_bits),
            shown: Register::flag(false),
            marked: Register::flag(true),
            occupancy: sized(pointer_bits),
            full: Signal::default(),
            push: Signal::default(),
            pop: Signal::default(),
            flags: Signal::default(),
            word: sized(width),
            pointer_mask: mask(pointer_bits),
            cell_mask: mask(pointer_bits - 1),
            depth: number(geometry.queue_depth),
            target_mask: mask(target_bits),
            events_mask: mask(geometry.event_bits),
            target_lsb: number(5),
            events_lsb: number(5 + target_bits),
            zero: number(0),
        }
    }
}

impl Logic for BranchQueue {
    #[hdl_gen]
    fn update(&mut self) {
        comment!("branch_queue: FIFO of branch records before the path detector.");
        comment!(
            "Stall mode: br_ready falls when it is full. Lossy mode: a record that finds it full is dropped."
        );
        self.records.clk.next = self.clk.val();
        self.write_pointer.clk.next = self.clk.val();
        self.write_pointer.rst.next = self.rst.val();
        self.read_pointer.clk.next = self.clk.val();
        self.read_pointer.rst.next = self.rst.val();
        self.shown.clk.next = self.clk.val();
        self.shown.rst.next = self.rst.val();
        self.marked.clk.next = self.clk.val();
        self.marked.rst.next = self.rst.val();

        // The pointers count one bit further than the cells, so their difference is the occupancy.
        self.occupancy.next =
            (self.write_pointer.q.val() - self.read_pointer.q.val()) & self.pointer_mask.val();
        self.full.next = self.occupancy.val() == self.depth.val();
        self.push.next = self.br_valid.val() & self.enable.val() & !self.full.val();
        self.pop.next = self.occupancy.val().any() & !self.hold.val();

        self.br_ready.next = !self.enable.val() | self.lossy.val() | !self.full.val();
        self.accepted.next = self.push.val();
        self.lost.next =
            self.br_valid.val() & self.enable.val() & self.lossy.val() & self.full.val();
        self.marked.d.next = (self.marked.q.val() & !self.push.val())
            | (self.br_valid.val() & self.enable.val() & self.lossy.val() & self.full.val())
            | self.purge.val()
            | !self.enable.val();

        self.write_pointer.d.next = self.write_pointer.q.val();
        if self.push.val() {
            self.write_pointer.d.next = (self.write_pointer.q.val() + 1) & self.pointer_mask.val();
        }
        self.read_pointer.d.next = self.read_pointer.q.val();
        if self.pop.val() {
            self.read_pointer.d.next = (self.read_pointer.q.val() + 1) & self.pointer_mask.val();
        }
        self.shown.d.next = self.pop.val();

        self.flags.next = (bit_cast::<5, 3>(self.br_kind.val()) << 2)
            | self
                .zero
                .val()
                .replace_bit(0, self.br_taken.val())
                .replace_bit(1, self.marked.q.val());
        self.records.write_enable.next = self.push.val();
        self.records.write_address.next =
            bit_cast::<16, 7>(self.write_pointer.q.val() & self.cell_mask.val());
        self.records.write_data.next = bit_cast::<RECORD_BITS, 5>(self.flags.val())
            | (bit_cast::<RECORD_BITS, 64>(self.br_target.val()) << self.target_lsb.val())
            | (bit_cast::<RECORD_BITS, 32>(self.br_events.val()) << self.events_lsb.val());

        self.records.read_address.next =
            bit_cast::<16, 7>(self.read_pointer.q.val() & self.cell_mask.val());
        self.valid.next = self.shown.q.val();
        self.word.next = self.records.read_data.val();
        self.taken.next = self.word.val().get_bit(0);
        self.purge_first.next = self.word.val().get_bit(1);
        self.kind.next = self.word.val().get_bits::<3>(2);
        self.target.next = bit_cast::<64, RECORD_BITS>(self.word.val() >> self.target_lsb.val())
            & self.target_mask.val();
        self.events.next = bit_cast::<32, RECORD_BITS>(self.word.val() >> self.events_lsb.val())
            & self.events_mask.val();
    }
}
