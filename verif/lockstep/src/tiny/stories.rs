//! Test sequences for a tiny profiler, under any simulation.

use super::bench::{Bench, Pins};
use super::emptying::{clears, crowds, resets};
use super::program::Run;
use super::software::{access, fills};
use super::words::Words;
use crate::pins::Request;
use hpp_golden::config::Geometry;
use hpp_golden::registers::{Counter, at};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

/// A tiny profiler of any legal size.
pub fn any_geometry(rng: &mut StdRng) -> Geometry {
    let entries = 64 << rng.random_range(0..3);
    let ways = 2 << rng.random_range(0..3);
    Geometry {
        sets: entries / ways,
        ways,
        stack_depth: (2 << rng.random_range(0..6)).min(entries / 4),
        max_branches: rng.random_range(16..=31),
        ..Geometry::tiny()
    }
}

/// A geometry with few of everything, so that every corner case occurs.
pub fn few() -> Geometry {
    Geometry {
        ways: 2,
        sets: 32,
        stack_depth: 4,
        max_branches: 16,
        ..Geometry::tiny()
    }
}

/// The behaviour of a core and a bus master.
#[derive(Clone, Copy, Debug)]
pub struct Manner {
    /// The core obeys a stall at once.
    pub holds: bool,
    /// Probability of an instruction in a cycle, of 256.
    pub pace: u8,
    /// Probability of an access in a free cycle, of 256.
    pub accesses: u8,
}

impl Manner {
    pub fn any(rng: &mut StdRng) -> Self {
        Self {
            holds: rng.random(),
            pace: [255, 80, 8][rng.random_range(0..3)],
            accesses: [0, 20, 255][rng.random_range(0..3)],
        }
    }
}

/// All sequences on a profiler of any size, determined by the seed. Returns the counts.
pub fn all<P: Pins>(
    device: impl Fn(&Geometry) -> P,
    seed: u64,
    cycles: u32,
) -> [u64; Counter::COUNT] {
    let mut rng = StdRng::seed_from_u64(seed);
    let (geometry, manner) = (any_geometry(&mut rng), Manner::any(&mut rng));
    println!("seed {seed}: {geometry:?}, {manner:?}");
    each(device(&geometry), geometry, seed, manner, cycles);
    let mut bench = Bench::new(device(&few()), few());
    fills(&mut bench, seed, cycles / 4);
    assert_eq!(bench.lost(), 0, "a core that holds loses nothing");
    Counter::ALL.map(|counter| bench.count(counter))
}

pub fn each<P: Pins>(device: P, geometry: Geometry, seed: u64, manner: Manner, cycles: u32) {
    let mut bench = Bench::new(device, geometry);
    bench.enable();
    run(&mut bench, seed, manner, cycles);
    words(&mut bench, seed, cycles / 4);
    switches(&mut bench, seed);
    clears(&mut bench, seed);
    resets(&mut bench, seed);
    crowds(&mut bench, seed);
}

pub fn words<P: Pins>(bench: &mut Bench<P>, seed: u64, cycles: u32) {
    bench.enable();
    let mut words = Words::new(seed);
    for _ in 0..cycles {
        let held = bench.stalls();
        bench.cycle((!held).then(|| words.step()));
    }
    bench.compare();
}

/// Software enables and disables the profiler while records arrive. Where the core does not hold, records are lost: a loss empties the
/// path stack, which hides whether disabling does.
pub fn switches<P: Pins>(bench: &mut Bench<P>, seed: u64) {
    let (mut rng, mut program) = (StdRng::seed_from_u64(seed), Run::new(seed));
    for _ in 0..40 {
        bench.begin(Request::write(at::CONTROL, rng.random_range(0..4)));
        let holds: bool = rng.random();
        for _ in 0..rng.random_range(1..60) {
            let held = holds && bench.stalls();
            bench.cycle((!held).then(|| program.step()));
        }
        while !bench.is_free() {
            bench.cycle(None);
        }
    }
    bench.compare();
}

/// `cycles` cycles of a run, and a comparison of everything.
pub fn run<P: Pins>(bench: &mut Bench<P>, seed: u64, manner: Manner, cycles: u32) {
    let (mut rng, mut program) = (StdRng::seed_from_u64(seed), Run::new(seed));
    for _ in 0..cycles {
        if bench.is_free() && rng.random_range(0..256) < u32::from(manner.accesses) {
            bench.begin(access(&mut rng));
        } else if !bench.is_free() && rng.random_range(0..64) == 0 {
            bench.give_up();
        }
        let comes = rng.random_range(0..256) <= u32::from(manner.pace);
        let held = manner.holds && bench.stalls();
        bench.cycle((comes && !held).then(|| program.step()));
        // Before the table may be empty: a record that waits when software ends a freeze is then counted, or is not.
        if !bench.knows_table() {
            bench.settle();
        }
    }
    while !bench.is_free() {
        bench.cycle(None);
    }
    bench.compare();
}
