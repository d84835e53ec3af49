//! A mutant on the bench.

use super::schema::INPUT;
use hpp_lockstep::{Device, Drive, Seen, VerilatedDevice};
use std::num::NonZeroU32;
use verilated::Design;

/// A profiler of which one mutant lives. It fails if it is driven for longer than it was given: with a mistake in it, what is waited for
/// may never come.
#[derive(Debug)]
pub struct MutantDevice {
    device: VerilatedDevice,
    cycles: u64,
}

impl MutantDevice {
    /// The mutant of this number in a built [`Schema`](super::Schema), for so many cycles; 0 is the profiler as it was.
    ///
    /// # Errors
    ///
    /// If the design lacks a port.
    pub fn new(design: &Design, number: u32, cycles: u64) -> verilated::Result<Self> {
        let mut device = VerilatedDevice::new(design, NonZeroU32::MIN)?;
        let model = device.model_mut();
        let input = model.input(INPUT)?;
        model.set(input, number.into());
        Ok(Self { device, cycles })
    }
}

impl Device for MutantDevice {
    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String> {
        let left = self.cycles.checked_sub(1);
        self.cycles = left.ok_or("it takes longer than it may")?;
        self.device.cycle_into(drive, seen)
    }
}
