//! Resets of one cycle, whatever the path stack and the table are doing.

use super::{MutantDevice, Outcome};
use hpp_golden::config::Geometry;
use hpp_golden::registers::{self, ppcr_mode};
use hpp_lockstep::stream::{Hazard, HazardStream, Loops, rng};
use hpp_lockstep::{Bench, Pace, modes};
use rand::RngExt;

/// So many lives of a few records, each ended by a reset. Every branch is an outcome, and calls push too, so a path is often split by a record that
/// pushes. Paths count events, which often saturate. The errors of the life before would show.
pub(in super::super) fn resets(bench: &mut Bench<MutantDevice>, lives: usize) -> Outcome {
    let mut rng = rng(46);
    let rows = modes::every_branch_recorded().to_word();
    let events = bench.geometry().event_bits > 0;
    for hazard in Hazard::ALL.into_iter().cycle().take(lives) {
        bench.write(registers::PPCR_ROWS.offset, rows);
        let metric = u32::from(events && rng.random());
        let limit = Geometry::mask(bench.geometry().extension_bits) as u32;
        let mode = ppcr_mode::METRIC.put(metric)
            | ppcr_mode::EVENT_SELECT.put(rng.random_range(0..16))
            | ppcr_mode::MAX_EXTENSION.put(limit);
        bench.write(registers::PPCR_MODE.offset, mode);
        bench.enable()?;
        bench.read(registers::ERRORS.offset);
        bench.settle()?;
        let mut stream = HazardStream::new(hazard, bench.geometry(), &mut rng);
        bench.stream(rng.random_range(1..80), &mut stream, Pace::Full, &mut rng)?;
        bench.idle(rng.random_range(0..8))?;
        bench.reset(1)?;
    }
    bench.check_everything()
}

/// Cycles in which a match would end that goes on behind a reset.
const MATCH: u64 = 64;

/// So many lives in which paths that miss match their shadows, each ended by a reset. After it the table is empty, and stays so.
pub(in super::super) fn matches(bench: &mut Bench<MutantDevice>, lives: usize) -> Outcome {
    if !bench.geometry().replacement.is_skewed() {
        return Ok(());
    }
    let mut rng = rng(47);
    for _ in 0..lives {
        for mut loops in Loops::ALL {
            bench.enable()?;
            let records = rng.random_range(100..500);
            bench.stream(records, &mut loops, Pace::Full, &mut rng)?;
            bench.reset(1)?;
            bench.idle(MATCH)?;
            bench.check_everything()?;
        }
    }
    Ok(())
}
