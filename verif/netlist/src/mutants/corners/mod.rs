//! Scenarios that random runs seldom reach:
//!
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
mod resets;
mod returns;

pub(super) use clears::clears;
pub(super) use errors::{errors, refusals};
pub(super) use resets::{matches, resets};
pub(super) use returns::{frames, switches};

use super::device::MutantDevice;
use hpp_golden::registers::{self, command, control};
use hpp_lockstep::stream::{Hazard, HazardStream, Loops, StreamRng, rng};
use hpp_lockstep::{Bench, Disagreement, Pace, saturation};
use rand::RngExt;

type Outcome = Result<(), Disagreement>;

/// Sets that are filled from empty, so many; a few paths more than there are ways come to each.
pub(super) fn saturations(bench: &mut Bench<MutantDevice>, sets: u64) -> Outcome {
    let paths = 2 * bench.geometry().ways as usize;
    (0..sets).try_for_each(|seed| saturation::run(bench, seed, paths))
}

/// Cycles from a request for an entry to a reset, fewer than this.
const MOMENTS: u64 = 24;

/// A reset at each moment after a request for an entry that is in use; after it, the entry read is the first, and empty.
pub(super) fn fetches(bench: &mut Bench<MutantDevice>, times: u64) -> Outcome {
    let mut rng = rng(41);
    for moment in (0..MOMENTS).cycle().take((times * MOMENTS) as usize) {
        fetch_and_reset(bench, moment, &mut rng)?;
    }
    bench.check_everything()
}

/// Records that all but fill a drain of 128 entries that nobody empties.
const NEARLY: u64 = 120;

/// Lives in which the low word of what a drain has lost wraps somewhere between the accesses of its two words.
pub(super) fn losses(bench: &mut Bench<MutantDevice>, lives: u64) -> Outcome {
    if !bench.geometry().has_drain() {
        return Ok(());
    }
    let mut rng = rng(42);
    let low = registers::DRAIN_LOST_COUNT_LO.offset;
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
            bench.read(registers::DRAIN_LOST_COUNT_HI.offset);
            bench.finish_bus()?;
        }
    }
    bench.check_everything()
}

/// So many records of loops of which a skewed table keeps some, while software looks and sometimes clears.
pub(super) fn judgements(bench: &mut Bench<MutantDevice>, records: u64) -> Outcome {
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
            bench.read(registers::SHADOW.offset);
            bench.read_entry();
            if round == 7 {
                bench.write(registers::COMMAND.offset, command::CLEAR.put(1));
            }
        }
        bench.check_everything()?;
    }
    Ok(())
}

fn fetch_and_reset(bench: &mut Bench<MutantDevice>, moment: u64, rng: &mut StreamRng) -> Outcome {
    bench.write(registers::CONTROL.offset, control::ENABLE.put(1));
    bench.settle()?;
    let mut hits = HazardStream::new(Hazard::SameSetHits, bench.geometry(), rng);
    bench.stream(20, &mut hits, Pace::Full, rng)?;
    bench.settle()?;
    let used = bench.reference().table().entries().next();
    let number = used.map_or(0, |(number, _)| number);
    bench.write(registers::TABLE_INDEX.offset, number as u32);
    match rng.random() {
        true => bench.idle(moment)?,
        false => bench.stream(moment, &mut hits, Pace::Full, rng)?,
    }
    bench.reset(1)?;
    if rng.random() {
        bench.read(registers::STATUS.offset);
    }
    bench.read_entry();
    bench.finish_bus()
}
