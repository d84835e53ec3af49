//! A profiler of which one bit flips.

use super::state::Bit;
use hpp_lockstep::bus::BusMaster;
use hpp_lockstep::{Access, Device, Drive, Seen};
use std::cell::Cell;
use std::rc::Rc;
use verilated::Model;

/// Cycles in which a fault must be reported after something wrong was shown: the depth of the hierarchy that reports it, and more than the words
/// of a memory take to be shown.
const GRACE: u32 = 64;

/// What becomes of a flip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// Nothing was wrong, and nothing was reported: it was overwritten, or of no consequence.
    Nothing,
    /// It was reported so many cycles later, whether or not something was wrong.
    Reported(u64),
    /// Something was wrong, and nobody said so.
    Silent,
}

/// What became of a flip, seen from outside.
#[derive(Debug, Default)]
pub struct Sight {
    /// The cycle in which it happened; 0 if it did not yet.
    pub flipped: Cell<u64>,
    /// The cycle in which it was reported; 0 if not yet.
    pub reported: Cell<u64>,
}

impl Sight {
    /// What became of it, if something was wrong or nothing.
    pub fn outcome(&self, is_wrong: bool) -> Outcome {
        match (is_wrong, self.reported.get()) {
            (false, 0) => Outcome::Nothing,
            (true, 0) => Outcome::Silent,
            (_, reported) => Outcome::Reported(reported - self.flipped.get()),
        }
    }
}

/// A profiler of which a bit flips in one cycle. `fault` is kept from the bench, which allows none.
pub struct FlippingDevice {
    device: Box<dyn Device>,
    flip: Option<(Bit, u64)>,
    cycle: u64,
    /// It fails after so many: what is waited for may never come.
    most: u64,
    sight: Rc<Sight>,
}

impl FlippingDevice {
    /// A device of which a bit flips before the cycle of that number.
    pub fn new(
        device: Box<dyn Device>,
        flip: Option<(Bit, u64)>,
        most: u64,
        sight: Rc<Sight>,
    ) -> Self {
        Self {
            device,
            flip,
            cycle: 0,
            most,
            sight,
        }
    }

    /// A bit flips before the next cycle.
    pub fn flip_next(&mut self, bit: Bit) {
        self.flip = Some((bit, self.cycle + 1));
    }

    /// Cycles so far.
    pub fn cycles(&self) -> u64 {
        self.cycle
    }

    /// Lets the profiler run on by itself for long enough to tell a fault.
    pub fn settle(&mut self) {
        self.most = u64::MAX;
        for _ in 0..GRACE {
            // What it says is of no more interest than that it has flipped.
            let _ = self.cycle(&Drive::default());
        }
    }
}

impl Device for FlippingDevice {
    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String> {
        self.cycle += 1;
        if self.cycle > self.most {
            return Err("it takes longer than it may".into());
        }
        if let Some((bit, _)) = self.flip.take_if(|(_, when)| *when <= self.cycle) {
            let model = self.device.circuit().expect("it was built");
            model.flip(&bit.variable, bit.element, bit.bit);
            self.sight.flipped.set(self.cycle);
        }
        // A bus that answers wrongly is an error in the very cycle in which the fault may be reported.
        let outcome = self.device.cycle_into(drive, seen);
        // Before the first reset registers hold anything.
        let reported = std::mem::take(&mut seen.fault) && !drive.reset;
        if reported && self.sight.reported.get() == 0 {
            self.sight.reported.set(self.cycle);
        }
        outcome
    }

    fn stalls(&self) -> Option<bool> {
        self.device.stalls()
    }

    fn model(&self) -> Option<&Model> {
        self.device.model()
    }

    fn bus(&mut self) -> Option<&mut dyn BusMaster> {
        self.device.bus()
    }

    fn finished(&mut self) -> Option<Access> {
        self.device.finished()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tells a fault in the cycle in which its bus answers wrongly.
    struct Broken;

    impl Device for Broken {
        fn cycle_into(&mut self, _: &Drive, seen: &mut Seen) -> Result<(), String> {
            seen.fault = true;
            Err("an answer to nothing".into())
        }
    }

    #[test]
    fn a_fault_reported_in_the_cycle_of_a_wrong_answer_is_seen() {
        let sight = Rc::new(Sight::default());
        let mut device = FlippingDevice::new(Box::new(Broken), None, 8, Rc::clone(&sight));
        assert!(device.cycle(&Drive::default()).is_err());
        assert_eq!(sight.outcome(true), Outcome::Reported(1));
    }
}
