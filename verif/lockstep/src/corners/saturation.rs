//! Sets in which all accumulators are saturated or nearly so when another path arrives. The last few counts then decide
//! which is the least.

use crate::bench::{Bench, Disagreement, Pace};
use crate::pins::Device;
use crate::stream::{Shape, Stream, StreamRng, rng, targets_in_one_set};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use rand::RngExt;

/// Paths of a set beyond its ways.
const MORE: usize = 3;

/// How far below the maximum an accumulator may stay.
const BELOW: u64 = 3;

/// Accumulators with a greater maximum are not filled.
const MOST: u64 = 2047;

/// Everything is read back after this many paths.
const ROUND: usize = 16;

/// `paths` paths of a set, one after another, each until its accumulator is full or a few counts below.
pub fn run<D: Device>(bench: &mut Bench<D>, seed: u64, paths: usize) -> Result<(), Disagreement> {
    let mut rng = rng(seed);
    let geometry = *bench.geometry();
    let full = Geometry::mask(geometry.accumulator_bits).min(MOST);
    bench.reset(1)?;
    bench.enable()?;
    let pool = targets_in_one_set(&geometry, geometry.ways as usize + MORE, &mut rng);
    for number in 1..=paths {
        let mut path = Loop {
            shape: Shape::new(&geometry),
            target: pool[rng.random_range(0..pool.len())],
        };
        let count = full.saturating_sub(rng.random_range(0..=BELOW));
        bench.stream(count, &mut path, Pace::Full, &mut rng)?;
        if number.is_multiple_of(ROUND) {
            bench.check_everything()?;
        }
    }
    bench.check_everything()
}

/// A loop whose only branch is its back edge.
struct Loop {
    shape: Shape,
    target: u64,
}

impl Stream for Loop {
    fn record(&mut self, rng: &mut StreamRng) -> BranchRecord {
        let backward = BranchKind::Backward;
        self.shape.record(backward, true, self.target, rng)
    }
}
