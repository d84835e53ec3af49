//! A profiler on a board.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use anyhow::{Error, Result, anyhow};
use hpp_driver::registers::control;
use hpp_driver::{Access, Driver, Left};

use super::Bus;

/// The profiler's registers as the driver wants them. The first error ends it: from then on it reads zeros and writes nothing.
struct Registers {
    bus: Box<dyn Bus>,
    base: u64,
    failed: Rc<RefCell<Option<Error>>>,
}

impl Registers {
    fn tried(&mut self, access: impl FnOnce(&mut dyn Bus) -> Result<()>) {
        if self.failed.borrow().is_none() {
            *self.failed.borrow_mut() = access(&mut *self.bus).err();
        }
    }
}

impl Access for Registers {
    fn read(&mut self, offset: u32) -> u32 {
        let mut word = [0];
        self.read_all(offset, &mut word);
        word[0]
    }

    fn write(&mut self, offset: u32, value: u32) {
        let address = self.base + u64::from(offset);
        self.tried(|bus| bus.write(address, value));
    }

    fn read_all(&mut self, offset: u32, words: &mut [u32]) {
        let address = self.base + u64::from(offset);
        words.fill(0);
        self.tried(|bus| bus.read(address, words));
    }
}

/// A profiler on a board.
pub struct Board {
    driver: Driver<Registers>,
    failed: Rc<RefCell<Option<Error>>>,
    place: String,
}

impl Board {
    /// Looks for a profiler at an address. The core is held where the way holds it.
    pub fn open(bus: Box<dyn Bus>, base: u64) -> Result<Self> {
        let place = bus.place().to_owned();
        let failed = Rc::default();
        let mut registers = Registers {
            bus,
            base,
            failed: Rc::clone(&failed),
        };
        let id = registers.read(hpp_driver::registers::id::OFFSET);
        let driver = Driver::new(registers);
        if let Some(error) = failed.take() {
            return Err(error);
        }
        let driver = driver.map_err(|error| match error {
            hpp_driver::Error::Absent => anyhow!(
                "{place}: no profiler at {base:#x}: the word there is {id:#x}; its ID is {:#x}; check --base",
                hpp_driver::ID
            ),
            error => anyhow!("{place}: {error}; use the release it was made with"),
        })?;
        Ok(Self {
            driver,
            failed,
            place,
        })
    }

    /// What answers, in messages.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Registers `GEOMETRY0` to `GEOMETRY3`.
    pub const fn geometry(&self) -> [u32; 4] {
        self.driver.geometry()
    }

    fn checked<T>(&mut self, work: impl FnOnce(&mut Driver<Registers>) -> T) -> Result<T> {
        let result = work(&mut self.driver);
        match self.failed.take() {
            Some(error) => Err(error),
            None => Ok(result),
        }
    }

    /// Stops the core, where the way needs that.
    pub fn hold(&mut self) -> Result<()> {
        self.driver.access().bus.hold()
    }

    /// Lets the core go on.
    pub fn release(&mut self) -> Result<()> {
        self.driver.access().bus.release()
    }

    /// Enables the profiler and unfreezes the table.
    pub fn start(&mut self) -> Result<()> {
        self.checked(Driver::start)
    }

    /// Disables the profiler, waits until no record is in flight, and freezes the table.
    pub fn stop(&mut self) -> Result<()> {
        self.checked(Driver::stop)
    }

    /// Stops the profiler, and clears table, stack, counters and errors.
    pub fn reset(&mut self) -> Result<()> {
        let result = self.checked(Driver::reset)?;
        let place = &self.place;
        result.map_err(|error| anyhow!("{place}: {error}; check the profiler's clock and reset"))
    }

    /// The profile as text that `hpp report` reads, taken while the table is frozen; `CONTROL` is as before then. `configuration` is the SHA-256 of
    /// the profiler's configuration, `program` the program's build ID. With `takes`, what waits in a drain is taken out of it and is part
    /// of the profile, unless it leaves through ports.
    ///
    /// # Errors
    ///
    /// If the way breaks. The message says what is lost by that.
    pub fn dump(
        &mut self,
        configuration: Option<&str>,
        program: Option<&[u8]>,
        takes: bool,
    ) -> Result<String> {
        let before = self.checked(|driver| driver.access().read(control::OFFSET))?;
        let mut text = String::new();
        let mut taken = 0;
        let result = self.checked(|driver| {
            driver.frozen(|driver| {
                let left = match takes {
                    true => take(driver, &mut taken),
                    false => Vec::new(),
                };
                driver.dump_all(&mut text, configuration, program, left)
            })
        });
        match result {
            Ok(written) => {
                written.expect("writing to a string cannot fail");
                Ok(text)
            }
            Err(error) => Err(self.thaw(before, error, taken)),
        }
    }

    /// The error with what it left behind, unless `CONTROL` can be put back.
    fn thaw(&mut self, before: u32, error: Error, taken: u64) -> Error {
        let put_back = self.checked(|driver| {
            let registers = driver.access();
            registers.write(control::OFFSET, before);
            registers.read(control::OFFSET) == before
        });
        let error = match put_back {
            Ok(true) => error,
            _ => anyhow!("{error}; CONTROL.FREEZE is still set, which keeps the table as it is"),
        };
        match taken {
            0 => error,
            _ => {
                anyhow!("{error}; {taken} entries were taken out of the drain before, and are lost")
            }
        }
    }
}

/// What waits in the drain, added up by path.
fn take(driver: &mut Driver<Registers>, taken: &mut u64) -> Vec<Left> {
    let mut sums = BTreeMap::new();
    let drained = driver.drain(|left| {
        *taken += 1;
        let sum = sums.entry((left.start, left.outcomes, left.length));
        *sum.or_insert(0u64) += left.count;
        true
    });
    // No drain, or one whose entries leave through ports.
    if drained.is_err() {
        return Vec::new();
    }
    let left = |((start, outcomes, length), count)| Left {
        start,
        outcomes,
        length,
        count,
    };
    sums.into_iter().map(left).collect()
}
