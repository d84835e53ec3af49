//! The tops: one for each combination of ingress and bus, all named `hpp` in Verilog.
//!
//! ```text
//!   core's ports ---> ingress ---> profiler ---> path_*           with a table and registers: Profiler
//!                                     ^                           with neither: StreamProfiler
//!   wb_*, reg_* ----> bus  <----------+
//! ```
//!
//! An ingress is a circuit with a bundle of ports towards the core, and `records`. A bus adapter is a circuit with a
//! bundle of ports towards the master, and `registers`. The list below names each once, and a top links them.

#[macro_use]
mod combine;
mod stream;

use hpp_golden::config::Geometry;
use hpp_golden::profiler::ResetValues;
use rust_hdl::prelude::*;

use crate::bundles::{DrainPort, PathSource, RecordPort, RetirePort, RvfiPort, TracePort};
use crate::bus::{
    Apb, ApbPort, Axi4Lite, Axi4LitePort, Native, NativePort, Wishbone, WishbonePort,
};
use crate::circuit::{circuit, kernel};
use crate::ingress::{NativeIngress, RetireIngress, RvfiIngress, TraceIngress};
use crate::profiler::Profiler;
use crate::{Bus, Ingress, IngressOptions};

pub use stream::StreamProfiler;

tops! {
    options options;
    ingresses {
        /// Hardware path profiler: native ingress,
        native for Native: br, br_hart: RecordPort -> NativeIngress;
        /// Hardware path profiler: RVFI ingress,
        rvfi for Rvfi: rvfi, rvfi_hart: RvfiPort with options -> RvfiIngress with options, counts event_in, event_in_hart;
        /// Hardware path profiler: ingress of a core's last stage,
        retire for Retire: retire, retire_hart: RetirePort with options -> RetireIngress with options, counts event_in, event_in_hart;
        /// Hardware path profiler: ingress behind a trace interface,
        trace for Trace: trace, trace_hart: TracePort with options -> TraceIngress with options, counts event_in, event_in_hart;
    }
    buses {
        /// stream of paths only.
        Stream for None: StreamProfiler;
        /// Wishbone port.
        OnWishbone for Wishbone: Profiler, wb: WishbonePort -> Wishbone;
        /// AXI4-Lite port.
        OnAxi4Lite for Axi4Lite: Profiler, s_axi: Axi4LitePort -> Axi4Lite;
        /// APB port.
        OnApb for Apb: Profiler, s_apb: ApbPort -> Apb;
        /// register port.
        OnNative for Native: Profiler, reg: NativePort -> Native;
    }
}
