//! Resets of one cycle, whatever the path stack is doing.

use super::{MutantDevice, Outcome};
use hpp_golden::config::Geometry;
use hpp_golden::registers::{self, ppcr_mode};
use hpp_lockstep::stream::{Hazard, HazardStream, rng};
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
