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

/// The slave side of the register port.
#[bundle(address_bits: u32, mirror = RegisterMaster)]
pub struct RegisterSlave {
    /// A register is accessed.
    ///
    /// It stays 1, with stable address and data, until `done`, and is 0 in the cycle of `done`. An access takes effect
    /// in the cycle before `done`. An access that is withdrawn earlier has no effect.
    pub request: Signal<In, Bit>,
    /// The access is a write.
    pub write: Signal<In, Bit>,
    /// Word address.
    #[bits(address_bits)]
    pub address: Signal<In, Bits<6>>,
    /// Word to write.
    pub data: Signal<In, Bits<32>>,
    /// Its byte lanes that count.
    pub lanes: Signal<In, Bits<4>>,
    /// The access is over.
    pub done: Signal<Out, Bit>,
    /// The word read, in the cycle of `done`.
    pub read_data: Signal<Out, Bits<32>>,
}
