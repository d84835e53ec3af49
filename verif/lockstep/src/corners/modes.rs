//! Every hazard under random rows and modes. In some runs half of the rows only record, so that paths reach their
//! maximum length. In others calls and returns are recorded as branches too. The metric is random, and most paths
//! extend up to a small limit.

use crate::activity::{mode, rows};
use crate::bench::{Bench, Disagreement, Pace};
use crate::pins::Device;
use crate::stream::{Hazard, HazardStream, StreamRng, rng};
use hpp_golden::branch::BranchKind;
use hpp_golden::profiler::{Extension, Operation, Row, Rows};
use hpp_golden::registers::{self, ppcr_mode};
use rand::RngExt;

/// Maximum extensions that are small enough to be reached often.
const LIMITS: std::ops::RangeInclusive<u32> = 1..=2;

/// `lives` runs, each of a hazard with random rows and modes and some records, read back at its end.
pub fn run<D: Device>(
    bench: &mut Bench<D>,
    seed: u64,
    lives: usize,
    records: u64,
) -> Result<(), Disagreement> {
    let mut rng = rng(seed);
    for hazard in Hazard::ALL.into_iter().cycle().take(lives) {
        bench.reset(1)?;
        let rows = match rng.random() {
            true => every_branch_recorded(),
            false => half_recorded(&mut rng),
        };
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

/// Rows of any kind, half of which only record.
fn half_recorded(rng: &mut StreamRng) -> Rows {
    let mut rows = rows(rng);
    for kind in BranchKind::ALL {
        if rng.random() {
            rows[kind] = row(&[Operation::Update]);
        }
    }
    rows
}

/// Ball-Larus rows in which calls and returns are outcomes of a path as well.
pub fn every_branch_recorded() -> Rows {
    let mut rows = Rows::BALL_LARUS;
    for kind in BranchKind::ALL {
        if rows[kind].has(Operation::UpdateCount) {
            let other = match rows[kind].has(Operation::Push) {
                true => Operation::Push,
                false => Operation::Pop,
            };
            rows[kind] = row(&[Operation::Update, other]);
        }
    }
    rows
}

pub fn row(operations: &[Operation]) -> Row {
    Row::try_from(operations.to_vec()).expect("a legal row")
}
