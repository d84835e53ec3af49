//! What a run shows whoever watches it.

use hpp_riscv::Retirement;

/// Inputs of events of a system, of which some systems have fewer.
pub const INPUTS: usize = 2;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Meanwhile {
    pub cycle: u64,
    /// Cycles since the last retirement, its own included.
    pub cycles: u32,
    /// Events on each input since the last retirement, those of its own cycle apart.
    pub events: [u32; INPUTS],
    /// Events on each input in its cycle.
    pub own_events: [u32; INPUTS],
}

/// Sees what happens in a run, in the order in which the profiler does: an instruction's record is made when the next one
/// retires, and reaches the queue after another cycle or two; a write that is in force by then comes first. A closure on
/// retirements is a watcher.
pub trait Watcher {
    fn retired(&mut self, retirement: &Retirement);

    /// The same with what happened up to it; a watcher sees each retirement through this method alone.
    fn retired_in(&mut self, _meanwhile: &Meanwhile, retirement: &Retirement) {
        self.retired(retirement);
    }

    /// The program wrote a register of the profiler: word address and value.
    fn register_written(&mut self, _word: u32, _value: u32) {}

    /// The run has come so far; called every few thousand cycles.
    fn progress(&mut self, _cycles: u64, _uart: &[u8]) {}
}

impl<F: FnMut(&Retirement)> Watcher for F {
    fn retired(&mut self, retirement: &Retirement) {
        self(retirement);
    }
}
