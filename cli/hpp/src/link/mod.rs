//! The registers of a profiler on a board, from the host.
//!
//! | way | what answers | source |
//! | --- | --- | --- |
//! | [`Gdb`] | a debugger's stub: OpenOCD, QEMU, a probe | *Debugging with GDB*, "GDB Remote Serial Protocol" |
//! | [`OpenOcd`] | OpenOCD's Tcl server | *OpenOCD User's Guide*, "Tcl Scripting API" |
//! | [`Etherbone`] | `litex_server`, on any of LiteX's bridges | CERN, *EtherBone specification* |
//!
//! A [`Board`] is a profiler behind one of them; [`hpp_driver`] drives it. What is asked of either is an error where nobody answers, the connection
//! breaks, or the answer is none of the protocol. It says who should have answered, what went wrong, and what to do.

mod board;
mod etherbone;
mod gdb;
mod openocd;
mod wire;

pub use board::Board;
pub use etherbone::Etherbone;
pub use gdb::Gdb;
pub use openocd::OpenOcd;
pub use wire::{Place, Stream};

use anyhow::Result;

/// Words in the address space of a system on a board, little-endian. An error ends it: what an answer that comes late belongs to, nobody knows.
pub trait Bus {
    /// What answers, in messages.
    fn place(&self) -> &str;

    /// Reads the word at an address into each of `words`, one read after the other.
    fn read(&mut self, address: u64, words: &mut [u32]) -> Result<()>;

    /// Writes the word at an address. It may be done when this returns, or before the next read.
    fn write(&mut self, address: u64, word: u32) -> Result<()>;

    /// Stops the core, where the way needs that for reads and writes. It is stopped at first.
    fn hold(&mut self) -> Result<()> {
        Ok(())
    }

    /// Lets the core go on.
    fn release(&mut self) -> Result<()> {
        Ok(())
    }
}
