//! Triggers: what starts and stops profiling, and the count of paths at which software is notified.
//!
//! ```text
//!   records ---> [ RUN, or this one starts? ] ---> branch queue
//!                     |            +-- no ---> KEPT_OUT
//!                     v
//!   target = START, trigger_start: RUN = 1      target = STOP, trigger_stop: RUN = 0
//! ```
//!
//! The first record that gets in after RUN was 0 carries the purge mark. So no path reaches across a stop: those in progress at a stop are never
//! completed, and none begins before its start.

use crate::branch::{BranchKind, BranchRecord};
use crate::config::Geometry;
use crate::profiler::queue::{BranchQueue, Offer};
use crate::registers::{self, TRIGGER_CONTROL, at, trigger_control, trigger_status};

/// The triggers of a profiler, and their registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Triggers {
    control: u32,
    start: u64,
    stop: u64,
    /// The bits of an address that are compared.
    address_mask: u64,
    /// Profiling was stopped since the last record that got in.
    fresh: bool,
    left: u32,
    reached: bool,
    kept_out: u32,
}

impl Triggers {
    /// Triggers just out of reset: records are profiled, and nothing stops that; `None` if the geometry has none.
    pub fn new(geometry: &Geometry) -> Option<Self> {
        geometry.triggers.then(|| Self {
            control: trigger_control::RUN.mask(),
            start: 0,
            stop: 0,
            address_mask: Geometry::mask(geometry.pc_bits) & !Geometry::mask(geometry.align),
            fresh: false,
            left: 0,
            reached: false,
            kept_out: 0,
        })
    }

    /// Whether records are profiled.
    pub const fn runs(&self) -> bool {
        trigger_control::RUN.get(self.control) == 1
    }

    /// The interrupt: so many paths have completed.
    pub const fn reached(&self) -> bool {
        self.reached
    }

    /// A record arrives before the queue. While the queue makes the core wait, nothing happens.
    pub fn offer(&mut self, queue: &mut BranchQueue, record: &BranchRecord) -> Offer {
        if !queue.ready() {
            return queue.offer(record);
        }
        let Some(first) = self.admit(record) else {
            if queue.is_enabled() {
                self.kept_out = self.kept_out.wrapping_add(1);
            }
            return Offer::Discarded;
        };
        if first {
            queue.purge();
        }
        queue.offer(record)
    }

    /// Whether a record gets in (`None`: it does not), and if so whether it is the first since a stop. Starts and stops profiling where the addresses
    /// say.
    fn admit(&mut self, record: &BranchRecord) -> Option<bool> {
        let is = |field: registers::Field| field.get(self.control) == 1;
        let at = |address| record.target & self.address_mask == address;
        let leaves = matches!(
            record.kind,
            BranchKind::Call | BranchKind::IndirectCall | BranchKind::Trap
        );
        if self.runs() {
            let first = core::mem::take(&mut self.fresh);
            if is(trigger_control::STOP_ADDRESS) && at(self.stop) {
                self.halt();
            }
            return Some(first);
        }
        let waits = is(trigger_control::AT_RETURN);
        if !is(trigger_control::START_ADDRESS) || !at(self.start) || waits && !leaves {
            return None;
        }
        if waits {
            self.stop = record.next & self.address_mask;
        }
        self.control |= trigger_control::RUN.mask();
        Some(core::mem::take(&mut self.fresh))
    }

    const fn halt(&mut self) {
        self.control &= !trigger_control::RUN.mask();
        self.fresh = true;
    }

    /// The event inputs in a cycle, after its record.
    pub const fn signal(&mut self, start: bool, stop: bool) {
        if self.runs() {
            if stop && trigger_control::STOP_EVENT.get(self.control) == 1 {
                self.halt();
            }
        } else if start && trigger_control::START_EVENT.get(self.control) == 1 {
            self.control |= trigger_control::RUN.mask();
        }
    }

    /// Counts completed paths. Returns whether the interrupt becomes due with them.
    pub fn complete(&mut self, paths: u64) -> bool {
        let waited = u64::from(self.left);
        self.left = waited.saturating_sub(paths) as u32;
        let last = (1..=paths).contains(&waited);
        self.reached |= last;
        last
    }

    /// Raises the interrupt, also in the cycle in which software clears it.
    pub const fn tell(&mut self) {
        self.reached = true;
    }

    /// Zeroes the count of the records that were kept out.
    pub const fn clear_counters(&mut self) {
        self.kept_out = 0;
    }

    /// What the register at a byte offset reads.
    pub const fn read(&self, offset: u32) -> u32 {
        match offset {
            at::TRIGGER_CONTROL => self.control,
            at::TRIGGER_STATUS => trigger_status::REACHED.put(self.reached as u32),
            at::TRIGGER_START_LO => self.start as u32,
            at::TRIGGER_START_HI => (self.start >> u32::BITS) as u32,
            at::TRIGGER_STOP_LO => self.stop as u32,
            at::TRIGGER_STOP_HI => (self.stop >> u32::BITS) as u32,
            at::TRIGGER_PATHS => self.left,
            at::TRIGGER_KEPT_OUT => self.kept_out,
            _ => 0,
        }
    }

    /// Writes the bits set in `mask` of the register at a byte offset.
    pub fn write(&mut self, offset: u32, value: u32, mask: u32) {
        let merged = value & mask | self.read(offset) & !mask;
        let low = |word: u64| word >> u32::BITS << u32::BITS | u64::from(merged);
        let high = |word: u64| u64::from(merged) << u32::BITS | word & u64::from(u32::MAX);
        match offset {
            at::TRIGGER_CONTROL => {
                let fields = TRIGGER_CONTROL.fields.iter();
                self.control = merged & fields.fold(0, |known, field| known | field.mask());
                self.fresh |= !self.runs();
            }
            at::TRIGGER_STATUS => self.reached &= trigger_status::REACHED.get(value & mask) == 0,
            at::TRIGGER_START_LO => self.start = low(self.start) & self.address_mask,
            at::TRIGGER_START_HI => self.start = high(self.start) & self.address_mask,
            at::TRIGGER_STOP_LO => self.stop = low(self.stop) & self.address_mask,
            at::TRIGGER_STOP_HI => self.stop = high(self.stop) & self.address_mask,
            at::TRIGGER_PATHS => self.left = merged,
            _ => {}
        }
    }
}

/// Whether a byte offset is one of the registers of a profiler's triggers.
pub const fn is_triggers(offset: u32, geometry: &Geometry) -> bool {
    let from = if geometry.has_drain() {
        at::TRIGGER_CONTROL
    } else {
        registers::ADDRESS_SPACE
    };
    geometry.triggers && from <= offset && offset < registers::WIDE_ADDRESS_SPACE
}
