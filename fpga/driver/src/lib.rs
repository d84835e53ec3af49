//! Driver of the hot path profiler for firmware in Rust: no standard library, no allocation, no dependency.
//!
//! The sizes are read from the profiler, so one driver serves every configuration. Fields that a function does not name keep what they
//! hold: reset values, and what others have set. [`registers`] is generated from the description that the circuits are made of; the
//! driver in C (`hpp_driver.c`) does the same.
//!
//! ```no_run
//! use hpp_driver::{Driver, Error, Mmio};
//!
//! # fn serial() -> String { String::new() }
//! fn profile(work: impl FnOnce()) -> Result<(), Error> {
//!     // SAFETY: the address decoder puts the profiler there, and nothing else drives it.
//!     let mut profiler = Driver::new(unsafe { Mmio::new(0x2000_0000) })?;
//!     profiler.reset()?;
//!     profiler.start();
//!     work();
//!     profiler.stop();
//!     // Anything that is `core::fmt::Write`; what arrives is for `hpp report`.
//!     let _ = profiler.dump(&mut serial(), None, None);
//!     Ok(())
//! }
//! ```

#![no_std]

mod access;
mod drain;
mod dump;
mod entry;
pub mod registers;

pub use access::{Access, Mmio};
pub use drain::Left;
pub use entry::Entry;

use core::fmt;
use entry::MOST_WORDS;
use registers::{
    command, context, control, drain_command, drain_control, errors, geometry0, geometry1,
    geometry2, geometry3, id, ppcr_mode, ppcr_rows, repairs, status,
};

/// What the register `ID` reads.
pub const ID: u32 = 0x4850_5031;

/// Why a profiler cannot be driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// No profiler at the address.
    Absent,
    /// A profiler with sizes that this driver does not know.
    Unknown,
    /// The table was not cleared in the time that it takes.
    Timeout,
    /// The register keeps what it held: a row with both updates, a lock, or a field that this profiler has not.
    Refused,
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Absent => "no profiler at the address: check the address decoder",
            Self::Unknown => "a profiler with sizes that this driver does not know",
            Self::Timeout => "the table is not empty in its time: is the profiler's clock running?",
            Self::Refused => {
                "the register keeps what it held: a row with both update and update count, a lock, or no such field"
            }
        })
    }
}

impl core::error::Error for Error {}

/// A profiler.
#[derive(Debug)]
pub struct Driver<A> {
    access: A,
    geometry: [u32; 4],
}

impl<A: Access> Driver<A> {
    /// Looks for a profiler, and reads its sizes. Changes nothing.
    ///
    /// # Errors
    ///
    /// [`Error::Absent`], [`Error::Unknown`].
    pub fn new(mut access: A) -> Result<Self, Error> {
        if access.read(id::OFFSET) != ID {
            return Err(Error::Absent);
        }
        let offsets = [
            geometry0::OFFSET,
            geometry1::OFFSET,
            geometry2::OFFSET,
            geometry3::OFFSET,
        ];
        let geometry = offsets.map(|offset| access.read(offset));
        let driver = Self { access, geometry };
        let words = if driver.is_tiny() {
            3..=3
        } else {
            4..=MOST_WORDS
        };
        let known = driver.entries() > 0 && words.contains(&driver.entry_words());
        if known {
            Ok(driver)
        } else {
            Err(Error::Unknown)
        }
    }

    /// The registers themselves.
    pub fn access(&mut self) -> &mut A {
        &mut self.access
    }

    /// Registers `GEOMETRY0` to `GEOMETRY3`.
    #[must_use]
    pub const fn geometry(&self) -> [u32; 4] {
        self.geometry
    }

    /// Entries of the table.
    #[must_use]
    pub fn entries(&self) -> u32 {
        geometry0::WAYS.get(self.geometry[0]) << (geometry0::LOG2_SETS.get(self.geometry[0]) & 15)
    }

    /// Whether the profiler is one memory and a microprogram: its rows and modes are fixed, and it has neither events nor extensions nor lossy mode.
    #[must_use]
    pub const fn is_tiny(&self) -> bool {
        geometry3::ENGINE.get(self.geometry[3]) == geometry3::ENGINE_TINY
    }

    fn entry_words(&self) -> usize {
        geometry2::ENTRY_WORDS.get(self.geometry[2]) as usize
    }

    /// Most cycles until the paths that wait for their lookup have had it, and what left the table is in the drain: with sequential lookup the path
    /// that is looked up, and those of the records in and beyond the queue.
    fn looking_up(&self) -> u32 {
        let sequential = geometry2::LOOKUP.get(self.geometry[2]);
        let skewed = geometry3::REPLACEMENT.get(self.geometry[3]) != 0;
        let queue = geometry1::QUEUE_DEPTH_MINUS_1.get(self.geometry[1]) + 1;
        let ways = geometry0::WAYS.get(self.geometry[0]);
        // With values a path that evicts goes through its ways twice; with shadows one that matches takes up to 2 WAYS + 53.
        let lookup = if skewed { 2 * ways + 54 } else { ways + 4 };
        32 + sequential * (4 + queue) * lookup
    }

    /// Most cycles after the last record until everything is at rest: those of the lookups, and with a checked stack those of returns that
    /// go elsewhere.
    fn settling(&self) -> u32 {
        let queue = geometry1::QUEUE_DEPTH_MINUS_1.get(self.geometry[1]) + 1;
        let check = geometry3::STACK_CHECK.get(self.geometry[3]);
        let depth = geometry1::STACK_DEPTH_MINUS_1.get(self.geometry[1]) + 1;
        self.looking_up() + check * (queue + 2) * (depth + 5)
    }

    /// Gives the bits of `mask` new values. A bus may finish a write while the core goes on: reading back waits for it.
    fn change(&mut self, offset: u32, mask: u32, value: u32) {
        let word = self.access.read(offset) & !mask | value & mask;
        self.access.write(offset, word);
        self.access.read(offset);
    }

    /// So many cycles, by reads; no bus takes less than two cycles for one.
    fn wait(&mut self, cycles: u32) {
        let mut words = [0; 16];
        for _ in 0..cycles.div_ceil(2).div_ceil(words.len() as u32) {
            self.access.read_all(status::OFFSET, &mut words);
        }
    }

    /// Waits until the records that are in have come to rest. A drain that is nearly full and holds would keep them in the queue: the places
    /// that it keeps free are for them.
    fn settle(&mut self) {
        let drain = self
            .drains()
            .then(|| self.access.read(drain_control::OFFSET));
        if let Some(word) = drain {
            let released = word & !drain_control::HOLD.mask();
            self.access.write(drain_control::OFFSET, released);
        }
        self.wait(self.settling());
        if let Some(word) = drain {
            self.access.write(drain_control::OFFSET, word);
        }
    }

    /// Stops the profiler, and clears table, stack, counters and errors. Rows, modes and lossy mode stay as they are.
    ///
    /// # Errors
    ///
    /// [`Error::Timeout`].
    pub fn reset(&mut self) -> Result<(), Error> {
        self.change(control::OFFSET, control::ENABLE.mask(), 0);
        self.settle();
        let commands = [command::CLEAR, command::PURGE, command::CLEAR_COUNTERS];
        let commands = commands.iter().fold(0, |word, field| word | field.mask());
        self.access.write(command::OFFSET, commands);
        if self.drains() {
            self.access
                .write(drain_command::OFFSET, drain_command::CLEAR.mask());
        }
        let patience = 2 * self.entries() + self.settling();
        let clearing = status::CLEARING.mask();
        if (0..=patience).all(|_| self.access.read(status::OFFSET) & clearing != 0) {
            return Err(Error::Timeout);
        }
        self.clear_errors(u32::MAX);
        Ok(())
    }

    /// Enables the profiler and unfreezes the table.
    pub fn start(&mut self) {
        let (enable, freeze) = (control::ENABLE.mask(), control::FREEZE.mask());
        self.change(control::OFFSET, enable | freeze, enable);
    }

    /// Disables the profiler, waits until no record is in flight, and freezes the table.
    pub fn stop(&mut self) {
        self.change(control::OFFSET, control::ENABLE.mask(), 0);
        self.settle();
        self.change(control::OFFSET, control::FREEZE.mask(), u32::MAX);
    }

    /// Where paths begin and end. Takes effect with the next record.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`].
    pub fn set_rows(&mut self, rows: u32) -> Result<(), Error> {
        self.access.write(ppcr_rows::OFFSET, rows);
        if self.access.read(ppcr_rows::OFFSET) == rows {
            Ok(())
        } else {
            Err(Error::Refused)
        }
    }

    /// What a path counts: `METRIC_EXECUTIONS` or `METRIC_EVENTS` of [`ppcr_mode`].
    pub fn set_metric(&mut self, metric: u32) {
        self.change(
            ppcr_mode::OFFSET,
            ppcr_mode::METRIC.mask(),
            ppcr_mode::METRIC.put(metric),
        );
    }

    /// Which events count: `EVENT_SELECT_CYCLES`, `_INSTRUCTIONS` or `_EXTERNAL` of [`ppcr_mode`], or `EVENT_SELECT_EXTERNAL + i` for input *i*.
    pub fn set_events(&mut self, events: u32) {
        let field = ppcr_mode::EVENT_SELECT;
        self.change(ppcr_mode::OFFSET, field.mask(), field.put(events));
    }

    /// What paths extend across: `EXTENSION_NONE`, `_LOOP` or `_PROCEDURE` of [`ppcr_mode`], and how many of them.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`], also if `times` is more than the extension counter holds.
    pub fn set_extension(&mut self, extension: u32, times: u32) -> Result<(), Error> {
        let fits = times >> geometry2::EXTENSION_BITS.get(self.geometry[2]) == 0;
        if !fits || extension > ppcr_mode::EXTENSION_PROCEDURE {
            return Err(Error::Refused);
        }
        let (what, most) = (ppcr_mode::EXTENSION, ppcr_mode::MAX_EXTENSION);
        let (mask, word) = (
            what.mask() | most.mask(),
            what.put(extension) | most.put(times),
        );
        self.change(ppcr_mode::OFFSET, mask, word);
        let held = self.access.read(ppcr_mode::OFFSET) & mask;
        match held == word {
            true => Ok(()),
            false => Err(Error::Refused),
        }
    }

    /// Whether a record that finds the queue full is dropped and counted; otherwise the core waits.
    pub fn set_lossy(&mut self, lossy: bool) {
        let field = control::LOSSY;
        self.change(control::OFFSET, field.mask(), field.put(lossy.into()));
    }

    /// Shows the paths whose context equals `value` wherever `mask` has ones; a mask of 0 shows all. The stack still follows the
    /// others, and the table keeps its entries.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`].
    pub fn set_context(&mut self, mask: u8, value: u8) -> Result<(), Error> {
        let word = context::MASK.put(mask.into()) | context::VALUE.put(value.into());
        self.access.write(context::OFFSET, word);
        if self.access.read(context::OFFSET) == word {
            Ok(())
        } else {
            Err(Error::Refused)
        }
    }

    /// Locks `CONTEXT`, rows and modes until reset. Clear the table first.
    ///
    /// # Errors
    ///
    /// [`Error::Refused`], if the profiler has no contexts.
    pub fn lock(&mut self) -> Result<(), Error> {
        self.change(control::OFFSET, control::LOCK.mask(), u32::MAX);
        if control::LOCK.get(self.access.read(control::OFFSET)) == 1 {
            Ok(())
        } else {
            Err(Error::Refused)
        }
    }

    /// Returns that did not fit the checked stack, modulo 2^32; 0 without one.
    pub fn repairs(&mut self) -> u32 {
        self.access.read(repairs::OFFSET)
    }

    /// The sticky errors: the fields of [`errors`].
    pub fn errors(&mut self) -> u32 {
        self.access.read(errors::OFFSET)
    }

    /// Clears sticky errors.
    pub fn clear_errors(&mut self, errors: u32) {
        self.access.write(errors::OFFSET, errors);
    }

    /// A statistics counter, by the offset of its low word, such as `paths_lo::OFFSET`.
    pub fn counter(&mut self, low_offset: u32) -> u64 {
        // The low word latches the high one.
        let low = self.access.read(low_offset);
        u64::from(self.access.read(low_offset + 4)) << 32 | u64::from(low)
    }

    /// Something that is done while the table is frozen, and at rest: paths that completed before and wait for their lookup still change it.
    pub fn frozen<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.access.read(control::OFFSET);
        let freeze = control::FREEZE.mask();
        self.change(control::OFFSET, freeze, freeze);
        self.wait(self.looking_up());
        let result = work(self);
        self.change(control::OFFSET, freeze, before);
        result
    }
}
