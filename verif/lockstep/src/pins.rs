//! The profiler's pins in one clock cycle, for any kind of device.

use super::ingress::Shown;
use hpp_golden::branch::BranchRecord;
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::TableEntry;
use std::fmt;
use verilated::Model;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// Of a word.
    pub address: u32,
    /// The data of a write; `None` for a read.
    pub write: Option<u32>,
    /// Byte lanes, bit 0 for bits 7 to 0.
    pub select: u8,
}

impl Request {
    /// A read of the register at this offset.
    pub const fn read(offset: u32) -> Self {
        Self {
            address: offset / 4,
            write: None,
            select: 0xf,
        }
    }

    /// A write of the whole register at this offset.
    pub const fn write(offset: u32, value: u32) -> Self {
        Self {
            write: Some(value),
            ..Self::read(offset)
        }
    }

    pub const fn offset(&self) -> u32 {
        4 * self.address
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Access {
    pub request: Request,
    /// The cycle of the acknowledgement, one after the access took effect.
    pub ack: u64,
    /// `wb_dat_o` at the acknowledgement; `None` if the master had aborted by then.
    pub data: Option<u32>,
    /// False if it may have been dropped: the master aborted when nothing outside revealed whether it had taken effect.
    pub certain: bool,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Drive {
    pub reset: bool,
    /// A record offered; `None` is `br_valid` = 0.
    pub record: Option<BranchRecord>,
    /// The signals of the core, for an ingress other than the native one.
    pub shown: Shown,
    /// `event_in` of such an ingress.
    pub event_in: u64,
    pub bus_cycle: bool,
    /// A request with `wb_stb_i` = 1.
    pub request: Option<Request>,
    pub drain_ready: bool,
    pub trigger_start: bool,
    pub trigger_stop: bool,
}

/// The outputs of the same cycle, just before the rising clock edge.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Seen {
    /// `br_ready`. For other ingresses, the core is not stalled.
    pub ready: bool,
    pub path: Option<CompletedPath>,
    /// The data of `wb_dat_o`, if `wb_ack_o` is 1.
    pub ack: Option<u32>,
    pub stall: bool,
    pub error: bool,
    pub event_select: u8,
    pub drain: Option<TableEntry>,
    pub drain_irq: bool,
    pub trigger_irq: bool,
}

impl fmt::Display for Drive {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.reset {
            f.write_str("reset ")?;
        }
        match &self.record {
            Some(record) => {
                let outcome = if record.taken { "taken" } else { "not taken" };
                write!(
                    f,
                    "{} {outcome} to {:#x}, events {}",
                    record.kind, record.target, record.events
                )?;
            }
            None if self.shown == Shown::Nothing => f.write_str("no record")?,
            None => write!(f, "{}, event_in {:#x}", self.shown, self.event_in)?,
        }
        let triggers = [
            (self.trigger_start, ", trigger_start"),
            (self.trigger_stop, ", trigger_stop"),
        ];
        for (_, name) in triggers.iter().filter(|(on, _)| *on) {
            f.write_str(name)?;
        }
        match &self.request {
            Some(Request {
                address,
                write: Some(value),
                select,
            }) => {
                write!(
                    f,
                    ", write {:#04x} {value:#x} lanes {select:04b}",
                    address * 4
                )
            }
            Some(Request { address, .. }) => write!(f, ", read {:#04x}", address * 4),
            None => Ok(()),
        }
    }
}

impl fmt::Display for Seen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let flags = [
            (!self.ready, "not ready "),
            (self.stall, "stall "),
            (self.error, "error "),
            (self.drain_irq, "drain_irq "),
            (self.trigger_irq, "trigger_irq "),
        ];
        flags
            .iter()
            .filter(|(on, _)| *on)
            .try_for_each(|(_, name)| f.write_str(name))?;
        if let Some(path) = &self.path {
            write!(f, "path {} count {} ", path.descriptor, path.count)?;
        }
        if let Some(entry) = &self.drain {
            write!(f, "drain {} count {} ", entry.descriptor, entry.count)?;
        }
        match self.ack {
            Some(data) => write!(f, "ack {data:#x}"),
            None => Ok(()),
        }
    }
}

/// The bus master of a device, as the bench uses it.
pub trait BusMaster {
    fn push(&mut self, request: Request);
    fn is_idle(&self) -> bool;
    /// Drops every access, as a reset of the slave does.
    fn reset(&mut self);
    /// From now on the master is rude: it exercises every freedom of the bus. `None` makes it polite again.
    fn be_rude(&mut self, seed: Option<u64>);
}

/// A profiler with pins: the emitted Verilog, or a netlist.
pub trait Device {
    /// One clock cycle: drives the inputs, samples the settled outputs, and applies the rising edge.
    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String>;

    /// [`cycle_into`](Self::cycle_into) that returns the outputs.
    fn cycle(&mut self, drive: &Drive) -> Result<Seen, String> {
        let mut seen = Seen::default();
        self.cycle_into(drive, &mut seen)?;
        Ok(seen)
    }

    /// Whether its ingress stalls the core in the next cycle, which depends on registers alone. `None` if that is not
    /// known in advance.
    fn stalls(&self) -> Option<bool> {
        None
    }

    /// The verilated model, if there is one, to change its state.
    fn circuit(&mut self) -> Option<&mut Model> {
        None
    }

    /// The device's own bus master, if its bus is not Wishbone. Such a device has no Wishbone pins.
    fn bus(&mut self) -> Option<&mut dyn BusMaster> {
        None
    }

    /// The next access that its own bus master has completed, in order.
    fn finished(&mut self) -> Option<Access> {
        None
    }
}

impl<D: Device + ?Sized> Device for Box<D> {
    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String> {
        (**self).cycle_into(drive, seen)
    }

    fn stalls(&self) -> Option<bool> {
        (**self).stalls()
    }

    fn circuit(&mut self) -> Option<&mut Model> {
        (**self).circuit()
    }

    fn bus(&mut self) -> Option<&mut dyn BusMaster> {
        (**self).bus()
    }

    fn finished(&mut self) -> Option<Access> {
        (**self).finished()
    }
}
