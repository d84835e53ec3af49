//! Tops with the native ingress port.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use rust_hdl::prelude::*;

use super::StreamProfiler;
use crate::bundles::{PathSource, RecordPort, RecordSource};
use crate::circuit::circuit;
use crate::profiler::Profiler;
use crate::wishbone::WishbonePort;

/// Native ingress: records pass as the core offers them.
/// The core holds a record until it is taken, so none is lost on the way.
#[circuit(combinational, geometry: &Geometry)]
pub struct NativeIngress {
    /// The core's records.
    #[bundle(geometry)]
    pub br: RecordPort,
    /// The same for the profiler.
    #[bundle(geometry)]
    pub records: RecordSource,
}

impl Logic for NativeIngress {
    #[hdl_gen]
    fn update(&mut self) {
        self.br.ready.next = self.records.ready.val();
        self.records.valid.next = self.br.valid.val();
        self.records.kind.next = self.br.kind.val();
        self.records.taken.next = self.br.taken.val();
        self.records.target.next = self.br.target.val();
        self.records.events.next = self.br.events.val();
        self.records.after_loss.next = false;
        self.records.lost.next = false;
    }
}

/// Hardware path profiler: native ingress, stream of paths only.
#[circuit(geometry: &Geometry, reset: &ResetValues)]
pub struct NativeStream {
    /// Records.
    #[bundle(geometry)]
    pub br: RecordPort,
    /// Paths.
    #[bundle(geometry)]
    pub path: PathSource,
    /// Event type to count: 0 cycles, 1 instructions, 2 and above external.
    pub event_select: Signal<Out, Bits<4>>,
    #[new(geometry)]
    ingress: NativeIngress,
    #[new(geometry, reset)]
    profiler: StreamProfiler,
}

impl Logic for NativeStream {
    #[hdl_gen]
    fn update(&mut self) {
        RecordPort::link(&mut self.br, &mut self.ingress.br);
        RecordSource::join(&mut self.ingress.records, &mut self.profiler.br);
        PathSource::link(&mut self.path, &mut self.profiler.path);
        self.event_select.next = self.profiler.event_select.val();
    }
}

/// Hardware path profiler: native ingress, Wishbone port.
#[circuit(geometry: &Geometry, reset: &ResetValues)]
pub struct NativeWishbone {
    /// Records.
    #[bundle(geometry)]
    pub br: RecordPort,
    /// Paths.
    #[bundle(geometry)]
    pub path: PathSource,
    /// Event type to count: 0 cycles, 1 instructions, 2 and above external.
    pub event_select: Signal<Out, Bits<4>>,
    /// Registers and table.
    #[bundle()]
    pub wb: WishbonePort,
    #[new(geometry)]
    ingress: NativeIngress,
    #[new(geometry, reset)]
    profiler: Profiler,
}

impl Logic for NativeWishbone {
    #[hdl_gen]
    fn update(&mut self) {
        RecordPort::link(&mut self.br, &mut self.ingress.br);
        RecordSource::join(&mut self.ingress.records, &mut self.profiler.br);
        PathSource::link(&mut self.path, &mut self.profiler.path);
        self.event_select.next = self.profiler.event_select.val();
        WishbonePort::link(&mut self.wb, &mut self.profiler.wb);
    }
}
