//! Resets of one cycle, whatever the path stack and the table are doing.

use super::Outcome;
use crate::stream::{Hazard, HazardStream, Loops, Stream, rng};
use crate::{Bench, Device, Disagreement, Pace};
use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::registers::{at, ppcr_mode};
use rand::RngExt;

/// So many lives of a few records, each ended by a reset. Every branch is an outcome, and calls push too, so a path is often split by a record that
/// pushes. Paths count events, which often saturate. The errors of the life before would show.
pub(super) fn resets(bench: &mut Bench<impl Device>, lives: usize) -> Outcome {
    let mut rng = rng(46);
    let rows = super::modes::every_branch_recorded().to_word();
    let events = bench.geometry().event_bits > 0;
    for hazard in Hazard::ALL.into_iter().cycle().take(lives) {
        bench.write(at::PPCR_ROWS, rows);
        let metric = u32::from(events && rng.random());
        let limit = Geometry::mask(bench.geometry().extension_bits) as u32;
        let mode = ppcr_mode::METRIC.put(metric)
            | ppcr_mode::EVENT_SELECT.put(rng.random_range(0..16))
            | ppcr_mode::MAX_EXTENSION.put(limit);
        bench.write(at::PPCR_MODE, mode);
        bench.enable()?;
        bench.read(at::ERRORS);
        bench.settle()?;
        let mut stream = HazardStream::new(hazard, bench.geometry(), &mut rng);
        bench.stream(rng.random_range(1..80), &mut stream, Pace::Full, &mut rng)?;
        bench.idle(rng.random_range(0..8))?;
        bench.reset(1)?;
    }
    bench.check_everything()
}

/// Cycles that a record waits for a path that is judged, and for no other lookup of three ways.
const PATIENCE: u64 = 12;

/// Cycles of such a lookup and of what precedes it; one that goes on behind a reset ends within as many.
const MATCH: u64 = 40;

/// So many lives of a table with shadows, each ended by a reset at another moment of a lookup that judges a path, or shortly before it. After it the table is empty, and stays so.
pub(super) fn matches(bench: &mut Bench<impl Device>, lives: usize) -> Outcome {
    if bench.geometry().replacement != Replacement::Shadow {
        return Ok(());
    }
    for (seed, moment) in (47..).zip((0..MATCH).cycle()).take(lives) {
        bench.reset(1)?;
        let found = until_match(bench, seed, LONGEST)?;
        bench.reset(1)?;
        until_match(bench, seed, (found + moment).saturating_sub(2 * PATIENCE))?;
        bench.reset(1)?;
        bench.idle(MATCH)?;
        bench.check_everything()?;
    }
    Ok(())
}

/// Cycles of a life without such a lookup.
const LONGEST: u64 = 40_000;

/// Records of loops until one waits for it, or so many cycles at most; the cycles.
fn until_match(
    bench: &mut Bench<impl Device>,
    seed: u64,
    cycles: u64,
) -> Result<u64, Disagreement> {
    bench.enable()?;
    let (mut rng, [mut loops, ..]) = (rng(seed), Loops::ALL);
    let begin = bench.cycles();
    let (mut record, mut waited) = (loops.record(&mut rng), 0);
    loop {
        let passed = bench.cycles() - begin;
        // The second life of a seed goes on beyond the moment at which the first ended.
        if passed >= cycles || (cycles == LONGEST && waited > PATIENCE) {
            return Ok(passed);
        }
        match bench.cycle(Some(&record))? {
            true => (record, waited) = (loops.record(&mut rng), 0),
            false => waited += 1,
        }
    }
}
