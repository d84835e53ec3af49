//! How fast a profiler takes the branch records of a program.
//!
//! Records that were timed meet the emitted Verilog at the pace of several cores, in lockstep with the golden model. A core whose record is not taken waits, and everything after it comes later.

use super::{Bench, Device, Disagreement};
use hpp_golden::branch::BranchRecord;
use hpp_golden::registers::Counter;

/// How a core retires.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Core {
    /// A branch in every cycle: more than any core.
    BranchEveryCycle,
    /// An instruction in every cycle: a pipeline that never waits.
    InstructionEveryCycle,
    /// As PicoRV32 did.
    PicoRv32,
}

impl Core {
    /// All of them, the fastest first.
    pub const ALL: [Self; 3] = [
        Self::BranchEveryCycle,
        Self::InstructionEveryCycle,
        Self::PicoRv32,
    ];

    /// What it retires, in words.
    pub const fn pace(self) -> &'static str {
        match self {
            Self::BranchEveryCycle => "a branch a cycle",
            Self::InstructionEveryCycle => "an instruction a cycle",
            Self::PicoRv32 => "PicoRV32",
        }
    }
}

/// A record, and how far the program had come at it.
#[derive(Clone, Copy, Debug)]
pub struct Timed {
    /// The record.
    pub record: BranchRecord,
    /// Clock cycles of PicoRV32.
    pub cycle: u64,
    /// Instructions.
    pub instruction: u64,
}

/// What taking a stream of records took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rate {
    /// Records, all of which were taken.
    pub records: u64,
    /// Paths they completed.
    pub paths: u64,
    /// Cycles from the first to the last.
    pub cycles: u64,
    /// Those in which a record was offered and not taken.
    pub waiting: u64,
    /// The most of them in a row.
    pub longest: u64,
}

/// Plays the records to an enabled profiler in stall mode at the pace of a core.
///
/// # Errors
///
/// The first difference between device and model.
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
            Core::InstructionEveryCycle => timed.instruction - records[0].instruction,
            Core::PicoRv32 => timed.cycle - records[0].cycle,
        };
        // Every cycle waited puts off whatever comes later.
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
