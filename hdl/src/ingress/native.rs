//! The native ingress: the core makes the records itself.

use hpp_golden::config::Geometry;
use rust_hdl::prelude::*;

use crate::bundles::{RecordPort, RecordSource};
use crate::circuit::circuit;

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
