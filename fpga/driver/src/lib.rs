//! Driver of the hardware path profiler for firmware in Rust: no standard library, no allocation, no dependency.
//!
//! The driver reads the sizes from the profiler, so one driver serves every configuration. A function changes only the fields that it
//! names. [`registers`] is generated from the description that the circuits are made of. The C driver (`hpp_driver.c`) has the same
//! functions.
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

/// The value of the register `ID`.
pub const ID: u32 = 0x4850_5031;

/// Why a profiler cannot be driven.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Error {
    /// There is no profiler at the address.
    Absent,
    /// The profiler has sizes that this driver does not support.
    Unknown,
    /// The table was not cleared in time.
    Timeout,
    /// The profiler did not accept a value: both updates in a row, out of range, locked, or no such field.
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
    /// Checks that there is a profiler, and reads its sizes. Writes no register.
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

    /// The access to the registers.
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

    /// Whether the profiler is the tiny engine. Its rows and modes are fixed. It has no events, extensions or lossy mode.
    #[must_use]
    pub const fn is_tiny(&self) -> bool {
        geometry3::ENGINE.get(self.geometry[3]) == geometry3::ENGINE_TINY
    }

    /// Whether entries have a word for their length. Else a mark below the outcomes says it.
    const fn has_length_word(&self) -> bool {
        !self.is_tiny()
    }

    fn entry_words(&self) -> usize {
        geometry2::ENTRY_WORDS.get(self.geometry[2]) as usize
    }

    /// Maximum number of cycles after profiling is disabled until all records have been looked up and counted, and evicted entries are in
    /// the drain. Each record in flight takes a lookup of every hart, and a repair of the checked stack.
    #[must_use]
    pub fn settling(&self) -> u32 {
        let [sizes, depths, words, options] = self.geometry;
        let ways = geometry0::WAYS.get(sizes);
        let lookup = match geometry3::REPLACEMENT.get(options) {
            _ if geometry2::LOOKUP.get(words) == geometry2::LOOKUP_PARALLEL => 0,
            geometry3::REPLACEMENT_LFU => ways + 4,
            geometry3::REPLACEMENT_SHADOW => ways + 47,
            _ => 2 * ways + 7,
        };
        let repair =
            geometry3::STACK_CHECK.get(options) * (geometry1::STACK_DEPTH_MINUS_1.get(depths) + 6);
        let harts = geometry3::HARTS.get(options) + 1;
        32 + (geometry1::QUEUE_DEPTH_MINUS_1.get(depths) + 4) * (harts * lookup + repair)
    }

    /// Writes the bits of `mask`. A bus may post writes. The read waits until the write is done.
    fn change(&mut self, offset: u32, mask: u32, value: u32) {
        let word = self.access.read(offset) & !mask | value & mask;
        self.access.write(offset, word);
        self.access.read(offset);
    }

    /// Waits for at least `cycles` cycles. A read takes two cycles or more on every bus.
    fn wait(&mut self, cycles: u32) {
        let mut words = [0; 16];
        for _ in 0..cycles.div_ceil(2).div_ceil(words.len() as u32) {
            self.access.read_all(status::OFFSET, &mut words);
        }
    }

    /// Waits until no record is in flight. A drain that is nearly full and holds would keep records in the queue. `HOLD` is therefore 0
    /// meanwhile: the drain keeps places free for these records.
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

    /// Stops the profiler, and clears table, drain, stack, counters and errors. Rows, modes and lossy mode keep their values.
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

    /// Sets where paths begin and end. Takes effect with the next record.
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

    /// Sets the metric: `METRIC_EXECUTIONS` or `METRIC_EVENTS` of [`ppcr_mode`].
    pub fn set_metric(&mut self, metric: u32) {
        self.change(
            ppcr_mode::OFFSET,
            ppcr_mode::METRIC.mask(),
            ppcr_mode::METRIC.put(metric),
        );
    }

    /// Selects the event to count: `EVENT_SELECT_CYCLES`, `_INSTRUCTIONS` or `_EXTERNAL` of [`ppcr_mode`], or `EVENT_SELECT_EXTERNAL + i` for input *i*.
    pub fn set_events(&mut self, events: u32) {
        let field = ppcr_mode::EVENT_SELECT;
        self.change(ppcr_mode::OFFSET, field.mask(), field.put(events));
    }

    /// Sets what paths extend across, and at most how often: `EXTENSION_NONE`, `_LOOP` or `_PROCEDURE` of [`ppcr_mode`].
    ///
    /// # Errors
    ///
    /// [`Error::Refused`], also if `times` does not fit the extension counter.
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

    /// `true`: a record is dropped and counted if the queue is full. `false`: the core stalls.
    pub fn set_lossy(&mut self, lossy: bool) {
        let field = control::LOSSY;
        self.change(control::OFFSET, field.mask(), field.put(lossy.into()));
    }

    /// Sets the context filter: a path passes if its context equals `value` in the bits that are 1 in `mask`. With a mask of 0 every path
    /// passes. The path stack follows all contexts. The table keeps its entries.
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

    /// Locks `CONTEXT`, `PPCR_ROWS` and `PPCR_MODE` until reset. Clear the table before.
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

    /// The number of returns that did not match the checked stack, modulo 2^32. 0 without a checked stack.
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

    /// Reads a statistics counter. `low_offset` is the offset of its low word, such as `paths_lo::OFFSET`.
    pub fn counter(&mut self, low_offset: u32) -> u64 {
        // The low word latches the high one.
        let low = self.access.read(low_offset);
        u64::from(self.access.read(low_offset + 4)) << 32 | u64::from(low)
    }

    /// Does something while the table is frozen. Paths that completed before still change the table, so it first waits for their lookups.
    pub fn frozen<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.access.read(control::OFFSET);
        let freeze = control::FREEZE.mask();
        self.change(control::OFFSET, freeze, freeze);
        self.wait(self.settling());
        let result = work(self);
        self.change(control::OFFSET, freeze, before);
        result
    }
}
