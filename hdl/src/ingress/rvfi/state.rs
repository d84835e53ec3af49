//! The state of an RVFI ingress after the retirements so far.

use hpp_golden::config::Geometry;
use hpp_golden::ingress::RvfiNext;
use rust_hdl::prelude::*;

use crate::IngressOptions;
use crate::circuit::{bundle, circuit, kernel};
use crate::register::{Delay, Register};

/// Whether the target of an instruction is taken from the next retirement.
pub(super) fn follows(options: &IngressOptions) -> bool {
    options.rvfi_next == RvfiNext::Retirement
}

/// State between two retirements.
#[bundle(
    geometry: &Geometry,
    options: &IngressOptions,
    let follows = follows(options),
    mirror = StateSource,
    wires = StateWires
)]
pub struct StateSink {
    /// The last instruction trapped.
    pub trapped: Signal<In, Bit>,
    /// The last instruction makes a branch record.
    pub held: Signal<In, Bit>,
    /// rvfi_pc_wdata of the last instruction is not the address after it.
    pub departs: Signal<In, Bit, { !follows }>,
    /// Target of the last instruction is unknown, as for a computed jump.
    pub anywhere: Signal<In, Bit, follows>,
    /// Branch kind of the last instruction (0 forward to 7 trap return).
    pub kind: Signal<In, Bits<3>>,
    /// The last instruction is cm.jt or qc.e.j.
    pub undirected: Signal<In, Bit, { options.has_undirected() }>,
    /// The last instruction is a conditional branch.
    pub conditional: Signal<In, Bit>,
    /// Target of the last instruction, as far as the ingress knows it.
    pub target: Signal<In, Bits<64, { geometry.pc_bits }>>,
    /// Context of the last instruction.
    pub context: Signal<In, Bits<8, { geometry.context_bits }>, { geometry.context_bits > 0 }>,
    /// Address after the last instruction; of a trapped one, its own address.
    pub next_address: Signal<
        In,
        Bits<64, { geometry.pc_bits }>,
        { follows || geometry.takes_next() || options.has_undirected() },
    >,
    /// Events of the last instruction's record.
    pub events: Signal<In, Bits<32, { geometry.event_bits }>>,
    /// Events counted since the last record.
    pub count: Signal<In, Bits<32, { geometry.event_bits }>>,
    /// An interrupt has occurred: handler is valid.
    pub interrupted: Signal<In, Bit, follows>,
    /// First instruction of the handler of the last interrupt.
    pub handler: Signal<In, Bits<64, { geometry.pc_bits }>, follows>,
}

/// Register of the state between cycles.
#[circuit(geometry: &Geometry, options: &IngressOptions)]
pub struct RvfiState {
    /// 0: the state is that after reset.
    pub enable: Signal<In, Bit>,
    /// Next state.
    pub d: StateSink<geometry, options>,
    /// Registered state.
    pub q: StateSource<geometry, options>,

    #[connect(q = q.trapped)]
    trapped: Register<Bit>,
    #[connect(q = q.held)]
    held: Register<Bit>,
    #[connect(d = d.departs, q = q.departs)]
    departs: Delay<Bit>,
    #[connect(d = d.kind, q = q.kind)]
    kind: Delay<Bits<3>>,
    #[connect(d = d.undirected, q = q.undirected)]
    undirected: Delay<Bit>,
    #[connect(d = d.conditional, q = q.conditional)]
    conditional: Delay<Bit>,
    /// Target of the last instruction is unknown; also before the first instruction.
    #[connect(q = q.anywhere)]
    anywhere: Register<Bit, true>,
    #[connect(q = q.interrupted)]
    interrupted: Register<Bit>,
    #[connect(d = d.handler, q = q.handler)]
    handler: Delay<Bits<64, { geometry.pc_bits }>>,
    #[connect(d = d.target, q = q.target)]
    target: Delay<Bits<64, { geometry.pc_bits }>>,
    #[connect(d = d.context, q = q.context)]
    context: Delay<Bits<8, { geometry.context_bits }>>,
    #[connect(d = d.next_address, q = q.next_address)]
    next_address: Delay<Bits<64, { geometry.pc_bits }>>,
    #[connect(d = d.events, q = q.events)]
    events: Delay<Bits<32, { geometry.event_bits }>>,
    #[connect(q = q.count)]
    count: Register<Bits<32, { geometry.event_bits }>>,
}

#[kernel]
impl RvfiState {
    /// The registers with a reset value take it while the ingress rests. The others are then held by the channels.
    fn rest(&mut self) {
        self.trapped.d.next = self.d.trapped;
        self.held.d.next = self.d.held;
        self.anywhere.d.next = self.d.anywhere;
        self.interrupted.d.next = self.d.interrupted;
        self.count.d.next = self.d.count;
        if !self.enable {
            self.trapped.d.next = false;
            self.held.d.next = false;
            self.anywhere.d.next = true;
            self.interrupted.d.next = false;
            self.count.d.next = 0.into();
        }
    }
}
