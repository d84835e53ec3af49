//! Entries that are read while a clear walks over the table.

use super::Outcome;
use crate::stream::{Hazard, HazardStream, Mixture, StreamRng, rng};
use crate::{Bench, Device, Disagreement, Pace};
use hpp_golden::registers::{self, command};
use rand::RngExt;

/// Records that fill most of a small table.
const FILL: u64 = 200;

/// Cycles after the end of a walk in which a stage may still hold what it empties, and more.
const BEHIND: u64 = 16;

/// A request for one of the entries that are emptied last, or of any, at each moment from just before a clear to just after it; and an entry that is
/// fetched since the one before it was read when the clear comes.
pub(super) fn clears(bench: &mut Bench<impl Device>, times: u64) -> Outcome {
    let mut rng = rng(45);
    // A walk counts ways up to a power of two.
    let moments = 2 * u64::from(bench.geometry().entries()) + BEHIND;
    bench.reset(1)?;
    bench.enable()?;
    for moment in (0..moments).cycle().take((times * moments) as usize) {
        let mut last = filled(bench, &mut rng)?;
        bench.write(registers::COMMAND.offset, command::CLEAR.mask());
        pass(bench, moment, &mut last, &mut rng)?;
        ask(bench, &mut rng);
        bench.read_entry();
        bench.stream_until_idle(&mut last, Pace::Random(40), &mut rng)?;
        bench.settle()?;
    }
    bench.check_everything()
}

/// A table that is full, and an entry on its way to software while records go on that change it.
fn filled(
    bench: &mut Bench<impl Device>,
    rng: &mut StreamRng,
) -> Result<HazardStream, Disagreement> {
    let mut mixture = Mixture::new(bench.geometry(), rng);
    bench.stream(FILL, &mut mixture, Pace::Full, rng)?;
    let mut hits = HazardStream::new(Hazard::SameSetHits, bench.geometry(), rng);
    bench.stream(20, &mut hits, Pace::Full, rng)?;
    ask(bench, rng);
    bench.read_entry();
    Ok(hits)
}

/// So many cycles, with records or without.
fn pass(
    bench: &mut Bench<impl Device>,
    cycles: u64,
    stream: &mut HazardStream,
    rng: &mut StreamRng,
) -> Outcome {
    match rng.random() {
        true => {
            bench.finish_bus()?;
            bench.idle(cycles)
        }
        false => {
            bench.stream_until_idle(stream, Pace::Full, rng)?;
            bench.stream(cycles, stream, Pace::Full, rng)
        }
    }
}

/// Asks for an entry: mostly one of the last set.
fn ask(bench: &mut Bench<impl Device>, rng: &mut StreamRng) {
    let (entries, ways) = (bench.geometry().entries(), bench.geometry().ways);
    let first = match rng.random_range(0..4) {
        0 => 0,
        _ => entries - ways,
    };
    let number = rng.random_range(first..entries);
    bench.write(registers::TABLE_INDEX.offset, number);
}
