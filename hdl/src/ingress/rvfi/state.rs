//! The state of an RVFI ingress after the retirements so far.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::circuit::{bundle, circuit};
use crate::register::{Delay, Register};

/// What is known of the retirements before one.
#[bundle(geometry: &Geometry, mirror = StateSource)]
pub struct StateSink {
    /// The last instruction trapped.
    pub trapped: Signal<In, Bit>,
    /// The last instruction makes a record.
    pub held: Signal<In, Bit>,
    /// Its `rvfi_pc_wdata` is not the address behind it.
    pub departs: Signal<In, Bit>,
    /// Kind of its record.
    pub kind: Signal<In, Bits<3>>,
    /// Outcome of its record.
    pub taken: Signal<In, Bit>,
    /// Its `rvfi_pc_wdata`.
    #[bits(geometry.pc_bits)]
    pub target: Signal<In, Bits<64>>,
    /// Its context.
    #[bits(geometry.context_bits)]
    #[present(geometry.context_bits > 0)]
    pub context: Signal<In, Bits<8>>,
    /// The address behind it; its own if it trapped.
    #[bits(geometry.pc_bits)]
    #[present(geometry.stack_check)]
    pub next_address: Signal<In, Bits<64>>,
    /// Events of its record.
    #[bits(geometry.event_bits)]
    pub events: Signal<In, Bits<32>>,
    /// Events since a record took some.
    #[bits(geometry.event_bits)]
    pub count: Signal<In, Bits<32>>,
}

/// What is known of the retirements before this cycle.
#[circuit(geometry: &Geometry)]
pub struct RvfiState {
    /// With those of this cycle.
    #[bundle(geometry)]
    pub d: StateSink,
    /// Without.
    #[bundle(geometry)]
    pub q: StateSource,

    trapped: Register<Bit>,
    held: Register<Bit>,
    departs: Delay<Bit>,
    kind: Delay<Bits<3>>,
    taken: Delay<Bit>,
    #[bits(geometry.pc_bits)]
    target: Delay<Bits<64>>,
    #[bits(geometry.context_bits)]
    context: Delay<Bits<8>>,
    #[bits(geometry.pc_bits)]
    next_address: Delay<Bits<64>>,
    #[bits(geometry.event_bits)]
    events: Delay<Bits<32>>,
    #[bits(geometry.event_bits)]
    count: Register<Bits<32>>,
}

impl Logic for RvfiState {
    #[hdl_gen]
    fn update(&mut self) {
        self.trapped.d.next = self.d.trapped.val();
        self.held.d.next = self.d.held.val();
        self.departs.d.next = self.d.departs.val();
        self.kind.d.next = self.d.kind.val();
        self.taken.d.next = self.d.taken.val();
        self.target.d.next = self.d.target.val();
        self.context.d.next = self.d.context.val();
        self.next_address.d.next = self.d.next_address.val();
        self.events.d.next = self.d.events.val();
        self.count.d.next = self.d.count.val();
        self.q.trapped.next = self.trapped.q.val();
        self.q.held.next = self.held.q.val();
        self.q.departs.next = self.departs.q.val();
        self.q.kind.next = self.kind.q.val();
        self.q.taken.next = self.taken.q.val();
        self.q.target.next = self.target.q.val();
        self.q.context.next = self.context.q.val();
        self.q.next_address.next = self.next_address.q.val();
        self.q.events.next = self.events.q.val();
        self.q.count.next = self.count.q.val();
    }
}
