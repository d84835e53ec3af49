//! The rate at which a profiler accepts the branch records of a program.
//!
//! Recorded branches with their times are offered to the emitted Verilog at the pace of several cores, in lockstep with
//! the golden model. A core whose record is not accepted waits, which delays everything after it.

use super::{Bench, Device, Disagreement};
use hpp_golden::branch::BranchRecord;
use hpp_golden::registers::Counter;

/// The pace of a core.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// A branch in every cycle, which is faster than any core.
    BranchEveryCycle,
    /// So many instructions in every cycle: a pipeline of this width without stalls.
    Instructions(u64),
    /// That of the core which ran the program.
    Recorded,
}

/// A record and the progress of the program at it.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    pub record: BranchRecord,
    /// Clock cycles of the core so far.
    pub cycle: u64,
    pub instruction: u64,
}

/// The cost of a stream of records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rate {
    /// Records, all of which were accepted.
    pub records: u64,
    pub paths: u64,
    /// Cycles from the first record to the last.
    pub cycles: u64,
    /// Cycles in which a record was offered and not accepted.
    pub waiting: u64,
    /// The longest run of such cycles.
    pub longest: u64,
}

/// Plays the records to an enabled profiler in stall mode at the pace of a core.
pub fn replay<D: Device>(
    bench: &mut Bench<D>,
    records: &[Timed],
    core: Core,
) -> Result<Rate, Disagreement> {
    bench.enable()?;
    let paths = bench.total(Counter::Paths);
    let begin = bench.cycles();
    let mut rate = Rate::default();
    for (number, timed) in (0..).zip(records) {
        let at = match core {
            Core::BranchEveryCycle => number,
            Core::Instructions(width) => (timed.instruction - records[0].instruction) / width,
            Core::Recorded => timed.cycle - records[0].cycle,
        };
        // A cycle of waiting delays everything after it.
        bench.idle((begin + at + rate.waiting).saturating_sub(bench.cycles()))?;
        let mut waited = 0;
        while !bench.cycle(Some(&timed.record))? {
            waited += 1;
        }
        rate.records += 1;
        rate.waiting += waited;
        rate.longest = rate.longest.max(waited);
    }
    rate.cycles = bench.cycles() - begin;
    bench.settle()?;
    rate.paths = bench.total(Counter::Paths) - paths;
    Ok(rate)
}
