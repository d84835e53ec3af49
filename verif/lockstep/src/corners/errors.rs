//! Errors of several kinds in one cycle.

use super::Outcome;
use crate::stream::{Hazard, HazardStream, StreamRng, rng};
use crate::{Bench, Device, Disagreement, Pace};
use hpp_golden::profiler::Rows;
use hpp_golden::registers::{at, control};
use rand::RngExt;

/// Records that fill the accumulator of one path.
const FILL: u64 = 300;

/// Cycles in which a record has been counted, and more.
const LATEST: u64 = 16;

/// While each path no longer fits its accumulator, software writes rows that are illegal, and reads and clears errors.
pub(super) fn errors(bench: &mut Bench<impl Device>, times: usize) -> Outcome {
    let mut rng = rng(40);
    let mut same = filled(bench, &mut rng)?;
    for _ in 0..times {
        let illegal = 3 << (4 * rng.random_range(0..8));
        let rows = Rows::BALL_LARUS.to_word() | illegal;
        let records = rng.random_range(10..30);
        bench.stream(records, &mut same, Pace::Random(128), &mut rng)?;
        bench.write(at::PPCR_ROWS, rows);
        bench.stream(records, &mut same, Pace::Random(128), &mut rng)?;
        bench.finish_bus()?;
        bench.idle(rng.random_range(10..20))?;
        bench.read(at::ERRORS);
        bench.write(at::ERRORS, u32::MAX);
        bench.finish_bus()?;
    }
    bench.check_everything()
}

/// Software writes rows that are refused, because they are locked, while a path no longer fits its accumulator, once.
pub(super) fn refusals(bench: &mut Bench<impl Device>, times: usize) -> Outcome {
    let mut rng = rng(44);
    let mut same = filled(bench, &mut rng)?;
    let locked = control::ENABLE.mask() | control::LOCK.mask();
    bench.write(at::CONTROL, locked);
    for _ in 0..times {
        bench.settle()?;
        bench.read(at::ERRORS);
        bench.write(at::ERRORS, u32::MAX);
        bench.settle()?;
        bench.stream(1, &mut same, Pace::Full, &mut rng)?;
        bench.idle(rng.random_range(0..LATEST))?;
        bench.write(at::PPCR_ROWS, Rows::BALL_LARUS.to_word());
    }
    bench.check_everything()
}

/// A stream of one path, which has filled its accumulator.
fn filled(
    bench: &mut Bench<impl Device>,
    rng: &mut StreamRng,
) -> Result<HazardStream, Disagreement> {
    bench.reset(1)?;
    bench.enable()?;
    let mut same = HazardStream::new(Hazard::SamePath, bench.geometry(), rng);
    bench.stream(FILL, &mut same, Pace::Full, rng)?;
    Ok(same)
}
