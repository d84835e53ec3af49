//! The register port between a bus adapter and the registers. It carries one access at a time.
//!
//! ```text
//!            _   _   _   _   _
//!   clk    _| |_| |_| |_| |_| |_
//!             _______
//!   request _|       |__________    with address, write, data, lanes; until done, or until nobody waits for it
//!                     ___
//!   done   __________|   |______    with read_data
//! ```
//!
//! A bus adapter is a circuit with the ports of its bus on one side and [`RegisterMaster`] on the other.

use crate::circuit::bundle;
use rust_hdl::prelude::*;

/// Slave side of the register port.
#[bundle(address_bits: u32, mirror = RegisterMaster)]
pub struct RegisterSlave {
    /// Access request, held with stable address and data until done; 0 in the cycle of done.
    ///
    /// An access takes effect in the cycle before `done`. One that is withdrawn earlier has no effect.
    pub request: Signal<In, Bit>,
    /// Access direction: 1 write, 0 read.
    pub write: Signal<In, Bit>,
    /// Word address of the register.
    pub address: Signal<In, Bits<6, address_bits>>,
    /// Write data.
    pub data: Signal<In, Bits<32>>,
    /// Byte lanes to write.
    pub lanes: Signal<In, Bits<4>>,
    /// Acknowledge: the access is complete.
    pub done: Signal<Out, Bit>,
    /// Read data; valid in the cycle of done.
    pub read_data: Signal<Out, Bits<32>>,
}
