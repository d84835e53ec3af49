//! The profiler's pins for one clock cycle, whatever is behind them.

use hpp_golden::branch::BranchRecord;
use hpp_golden::path::CompletedPath;

/// A request on the Wishbone port.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Word address.
    pub address: u32,
    /// The data of a write; `None` for a read.
    pub write: Option<u32>,
    /// Byte lanes, bit 0 for bits 7 to 0.
    pub select: u8,
}

/// What is driven in a cycle.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Drive {
    /// Synchronous reset.
    pub reset: bool,
    /// A record offered; `None` is `br_valid` = 0.
    pub record: Option<BranchRecord>,
    /// `wb_cyc_i`.
    pub bus_cycle: bool,
    /// A request with `wb_stb_i` = 1.
    pub request: Option<Request>,
}

/// What is seen in the same cycle, just before the clock's rising edge.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seen {
    /// `br_ready`.
    pub ready: bool,
    /// The path shown on `path_*`.
    pub path: Option<CompletedPath>,
    /// `wb_ack_o` and the data with it.
    pub ack: Option<u32>,
    /// `wb_stall_o`.
    pub stall: bool,
    /// `wb_err_o`.
    pub error: bool,
    /// `event_select`.
    pub event_select: u8,
}

/// A profiler with pins: the emitted Verilog, the circuits' simulation, or the golden model.
pub trait Device {
    /// One clock cycle: drives the inputs, reads the outputs as they settle, and gives the rising edge.
    ///
    /// # Errors
    ///
    /// What an assertion in the device says.
    fn cycle(&mut self, drive: &Drive) -> Result<Seen, String>;
}

impl<D: Device + ?Sized> Device for Box<D> {
    fn cycle(&mut self, drive: &Drive) -> Result<Seen, String> {
        (**self).cycle(drive)
    }
}
