//! Tops with the RVFI ingress.

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use rust_hdl::prelude::*;

use super::StreamProfiler;
use crate::bundles::{PathSource, RecordSource, RvfiPort};
use crate::circuit::circuit;
use crate::profiler::Profiler;
use crate::rvfi::RvfiIngress;
use crate::wishbone::WishbonePort;

/// Hardware path profiler: RVFI ingress, stream of paths only.
#[circuit(geometry: &Geometry, reset: &ResetValues)]
pub struct RvfiStream {
    /// Retirements.
    #[bundle(geometry)]
    pub rvfi: RvfiPort,
    /// External events of this cycle, counted when event_select is 2 or above.
    #[bits(geometry.event_bits)]
    pub event_in: Signal<In, Bits<32>>,
    /// Paths.
    #[bundle(geometry)]
    pub path: PathSource,
    /// Event type to count: 0 cycles, 1 instructions, 2 and above external.
    pub event_select: Signal<Out, Bits<4>>,
    #[new(geometry)]
    ingress: RvfiIngress,
    #[new(geometry, reset)]
    profiler: StreamProfiler,
}

impl Logic for RvfiStream {
    #[hdl_gen]
    fn update(&mut self) {
        RvfiPort::link(&mut self.rvfi, &mut self.ingress.rvfi);
        self.ingress.event_in.next = self.event_in.val();
        self.ingress.event_select.next = self.profiler.event_select.val();
        RecordSource::join(&mut self.ingress.records, &mut self.profiler.br);
        PathSource::link(&mut self.path, &mut self.profiler.path);
        self.event_select.next = self.profiler.event_select.val();
    }
}

/// Hardware path profiler: RVFI ingress, Wishbone port.
#[circuit(geometry: &Geometry, reset: &ResetValues)]
pub struct RvfiWishbone {
    /// Retirements.
    #[bundle(geometry)]
    pub rvfi: RvfiPort,
    /// External events of this cycle, counted when event_select is 2 or above.
    #[bits(geometry.event_bits)]
    pub event_in: Signal<In, Bits<32>>,
    /// Paths.
    #[bundle(geometry)]
    pub path: PathSource,
    /// Event type to count: 0 cycles, 1 instructions, 2 and above external.
    pub event_select: Signal<Out, Bits<4>>,
    /// Registers and table.
    #[bundle()]
    pub wb: WishbonePort,
    #[new(geometry)]
    ingress: RvfiIngress,
    #[new(geometry, reset)]
    profiler: Profiler,
}

impl Logic for RvfiWishbone {
    #[hdl_gen]
    fn update(&mut self) {
        RvfiPort::link(&mut self.rvfi, &mut self.ingress.rvfi);
        self.ingress.event_in.next = self.event_in.val();
        self.ingress.event_select.next = self.profiler.event_select.val();
        RecordSource::join(&mut self.ingress.records, &mut self.profiler.br);
        PathSource::link(&mut self.path, &mut self.profiler.path);
        self.event_select.next = self.profiler.event_select.val();
        WishbonePort::link(&mut self.wb, &mut self.profiler.wb);
    }
}
