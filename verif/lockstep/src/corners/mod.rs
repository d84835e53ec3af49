//! Stimulus for corners that random runs seldom reach:
//!
//! - registers by every choice of byte lanes;
//! - every hazard under random rows and modes;
//! - sets saturated to the last count;
//! - several errors in one cycle;
//! - a reset while an entry is fetched;
//! - a drain whose losses carry into the next word while software reads them;
//! - paths that must show that they are hot;
//! - entries read during a clear;
//! - a reset while a record moves the top of the stack, or while a path is looked up;
//! - returns that change a checked stack in ways that no program does.

mod clears;
mod errors;
mod lanes;
mod modes;
mod resets;
mod returns;
mod saturation;

pub use lanes::run as lanes;

use crate::stream::{Hazard, HazardStream, Loops, StreamRng, rng};
use crate::{Bench, Device, Disagreement, Pace, Protocol, epoch, stress};
use hpp_golden::registers::{at, command, control};
use rand::RngExt;

type Outcome = Result<(), Disagreement>;

/// A named stimulus for a profiler on Wishbone.
pub struct Stimulus<D> {
    pub name: &'static str,
    pub protocol: Protocol,
    /// Cycles that it takes at most, of any geometry of these tests: with a mistake in the circuit, what it waits for may never come.
    pub cycles: u64,
    pub run: fn(&mut Bench<D>) -> Outcome,
}

/// A line a stimulus: its name, the protocol, the cycles, and what it does.
macro_rules! stimuli {
    ($($name:literal, $protocol:ident, $cycles:literal: $run:expr;)*) => {
        vec![$(Stimulus {
            name: $name,
            protocol: Protocol::$protocol,
            cycles: $cycles,
            run: $run,
        }),*]
    };
}

/// Every style of stimulus, the shortest first. Those of a feature that a geometry lacks do nothing.
pub fn all<D: Device>() -> Vec<Stimulus<D>> {
    stimuli! {
        "epoch-1k", Pipelined, 200_000: |bench| epoch::run(bench, 1, 1000);
        "lanes", Pipelined, 1_000_000: lanes::run;
        "hazards-200", Classic, 1_000_000: |bench| hazards(bench, 2, 200);
        "epoch-5k", Classic, 1_000_000: |bench| epoch::run(bench, 3, 5000);
        "stress-300", Pipelined, 1_000_000: |bench| stress::run(bench, 7, 300);
        "modes-200", Pipelined, 8_000_000: |bench| modes::run(bench, 9, 200, 200);
        "saturations-20", Pipelined, 4_000_000: |bench| saturations(bench, 20);
        "errors-250", Classic, 4_000_000: |bench| errors::errors(bench, 250);
        "fetches-10", Pipelined, 16_000_000: |bench| fetches(bench, 10);
        "losses-20", Classic, 16_000_000: |bench| losses(bench, 20);
        "hot-10k", Pipelined, 4_000_000: |bench| hot(bench, 10_000);
        "refusals-300", Pipelined, 4_000_000: |bench| errors::refusals(bench, 300);
        "clears-20", Pipelined, 16_000_000: |bench| clears::clears(bench, 20);
        "switches-200", Pipelined, 16_000_000: |bench| returns::switches(bench, 200);
        "frames-200", Classic, 4_000_000: |bench| returns::frames(bench, 200);
        "resets-2k", Pipelined, 24_000_000: |bench| resets::resets(bench, 2000);
        "epoch-20k", Pipelined, 4_000_000: |bench| epoch::run(bench, 4, 20_000);
        "hazards-2k", Pipelined, 4_000_000: |bench| hazards(bench, 5, 2000);
        "stress-4k", Classic, 24_000_000: |bench| stress::run(bench, 8, 4000);
        "modes-1k", Classic, 40_000_000: |bench| modes::run(bench, 11, 1000, 200);
        "hot-120k", Classic, 40_000_000: |bench| hot(bench, 120_000);
        "matches-160", Pipelined, 24_000_000: |bench| resets::matches(bench, 160);
    }
}

fn hazards(bench: &mut Bench<impl Device>, seed: u64, records: u64) -> Outcome {
    epoch::hazards(bench, seed, records).map_err(|(_, difference)| difference)
}

/// Sets that are filled from empty, so many; a few paths more than there are ways come to each.
fn saturations(bench: &mut Bench<impl Device>, sets: u64) -> Outcome {
    let paths = 2 * bench.geometry().ways as usize;
    (0..sets).try_for_each(|seed| saturation::run(bench, seed, paths))
}

/// Cycles from a request for an entry to a reset, fewer than this.
const MOMENTS: u64 = 24;

/// A reset at each moment after a request for an entry that is in use; after it, the entry read is the first, and empty.
fn fetches(bench: &mut Bench<impl Device>, times: u64) -> Outcome {
    let mut rng = rng(41);
    for moment in (0..MOMENTS).cycle().take((times * MOMENTS) as usize) {
        fetch_and_reset(bench, moment, &mut rng)?;
    }
    bench.check_everything()
}

/// Records that all but fill a drain of 128 entries that nobody empties.
const NEARLY: u64 = 120;

/// Lives in which the low word of what a drain has lost wraps somewhere between the accesses of its two words.
fn losses(bench: &mut Bench<impl Device>, lives: u64) -> Outcome {
    if !bench.geometry().has_drain() {
        return Ok(());
    }
    let mut rng = rng(42);
    let low = at::DRAIN_LOST_COUNT_LO;
    for _ in 0..lives {
        bench.reset(1)?;
        bench.enable()?;
        let mut misses = HazardStream::new(Hazard::SameSetMisses, bench.geometry(), &mut rng);
        bench.stream(NEARLY, &mut misses, Pace::Full, &mut rng)?;
        for _ in 0..50 {
            bench.read(low);
            bench.finish_bus()?;
            let records = rng.random_range(0..8);
            bench.stream(records, &mut misses, Pace::Random(128), &mut rng)?;
            if rng.random() {
                bench.write(low, rng.random());
            }
            bench.read(at::DRAIN_LOST_COUNT_HI);
            bench.finish_bus()?;
        }
    }
    bench.check_everything()
}

/// So many records of loops of which a skewed table keeps some, while software looks and sometimes clears.
fn hot(bench: &mut Bench<impl Device>, records: u64) -> Outcome {
    if !bench.geometry().replacement.is_skewed() {
        return Ok(());
    }
    let mut rng = rng(43);
    for mut loops in Loops::ALL {
        bench.reset(1)?;
        bench.enable()?;
        for round in 0..12 {
            let pace = match rng.random() {
                true => Pace::Full,
                false => Pace::Random(40),
            };
            bench.stream(records / 12, &mut loops, pace, &mut rng)?;
            bench.read(at::SHADOW);
            bench.read_entry();
            if round == 7 {
                bench.write(at::COMMAND, command::CLEAR.put(1));
            }
        }
        let mut late = Loops::LATE;
        for _ in 0..4 {
            bench.stream(records / 16, &mut late, Pace::Full, &mut rng)?;
            bench.read(at::SHADOW);
        }
        bench.check_everything()?;
    }
    Ok(())
}

fn fetch_and_reset(bench: &mut Bench<impl Device>, moment: u64, rng: &mut StreamRng) -> Outcome {
    bench.write(at::CONTROL, control::ENABLE.put(1));
    bench.settle()?;
    let mut hits = HazardStream::new(Hazard::SameSetHits, bench.geometry(), rng);
    bench.stream(20, &mut hits, Pace::Full, rng)?;
    bench.settle()?;
    let used = bench.reference().table().entries().next();
    let number = used.map_or(0, |(number, _)| number);
    bench.write(at::TABLE_INDEX, number as u32);
    match rng.random() {
        true => bench.idle(moment)?,
        false => bench.stream(moment, &mut hits, Pace::Full, rng)?,
    }
    bench.reset(1)?;
    if rng.random() {
        bench.read(at::STATUS);
    }
    bench.read_entry();
    bench.finish_bus()
}
