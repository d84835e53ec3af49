//! Every hazard under every choice of what counts as a path: rows of which half only record, so that paths grow to their end, any metric, and
//! mostly paths that extend, by a small limit.

use super::activity::{mode, rows};
use super::bench::{Bench, Disagreement, Pace};
use super::pins::Device;
use super::stream::{Hazard, HazardStream, rng};
use hpp_golden::branch::BranchKind;
use hpp_golden::profiler::{Extension, Operation, Row};
use hpp_golden::registers::{self, ppcr_mode};
use rand::RngExt;

/// Greatest extension counters that are small enough to be met often.
const LIMITS: std::ops::RangeInclusive<u32> = 1..=2;

/// So many lives, each of a hazard with a choice of its own and some records, read back at its end.
///
/// # Errors
///
/// The first difference found.
pub fn run<D: Device>(
    bench: &mut Bench<D>,
    seed: u64,
    lives: usize,
    records: u64,
) -> Result<(), Disagreement> {
    let mut rng = rng(seed);
    let recorded = Row::from_bits(Operation::Update as u8).expect("an update alone is legal");
    for hazard in Hazard::ALL.into_iter().cycle().take(lives) {
        bench.reset(1)?;
        let mut rows = rows(&mut rng);
        for kind in BranchKind::ALL {
            if rng.random() {
                rows[kind] = recorded;
            }
        }
        bench.write(registers::PPCR_ROWS.offset, rows.to_word());
        let mut chosen = mode(bench.geometry(), &mut rng);
        if rng.random_range(0..4) > 0 {
            let extension = match rng.random() {
                true => Extension::Loop,
                false => Extension::Procedure,
            };
            chosen &= !(ppcr_mode::EXTENSION.mask() | ppcr_mode::MAX_EXTENSION.mask());
            chosen |= ppcr_mode::EXTENSION.put(extension as u32)
                | ppcr_mode::MAX_EXTENSION.put(rng.random_range(LIMITS));
        }
        bench.write(registers::PPCR_MODE.offset, chosen);
        bench.enable()?;
        let mut stream = HazardStream::new(hazard, bench.geometry(), &mut rng);
        bench.stream(records, &mut stream, Pace::Full, &mut rng)?;
        bench.check_everything()?;
    }
    Ok(())
}
