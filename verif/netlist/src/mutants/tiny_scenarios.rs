//! The scenarios that mutants of a tiny profiler meet.

use super::scenario::{Run, Scenario};
use super::tiny_corners::{ends, held};
use hpp_lockstep::tiny::{self, Manner, Verilated, clears, crowds, fills, resets, switches, words};
use rand::SeedableRng;
use rand::rngs::StdRng;
use std::ops::Range;

type Bench = tiny::Bench<Verilated>;

/// A bench with what a seed leaves undefined at power-up, not 0.
pub(super) type Maker<'a> = dyn Fn(u32) -> Bench + 'a;

macro_rules! scenarios {
    ($($name:literal: $run:expr;)*) => {
        [$(Scenario {
            name: $name,
            run: Run::Tiny($run),
        }),*]
    };
}

/// Those that are over soon.
pub(super) const TINY_QUICK: [Scenario; 8] = scenarios! {
    "tiny-run-2k": |make| run(&mut make(1), 1, Manner { holds: true, pace: 255, accesses: 20 }, 2000);
    "tiny-lossy-2k": |make| run(&mut make(1), 2, Manner { holds: false, pace: 80, accesses: 255 }, 2000);
    "tiny-words-500": |make| words(&mut make(1), 10, 500);
    "tiny-switches": |make| switches(&mut make(1), 11);
    "tiny-clears": |make| clears(&mut make(1), 12);
    "tiny-resets": |make| resets(&mut make(1), 3);
    "tiny-crowds": |make| crowds(&mut make(1), 4);
    "tiny-fills-500": |make| fills(&mut make(1), 5, 500);
};

/// Many seeds.
pub(super) const TINY_RARE: [Scenario; 7] = scenarios! {
    "tiny-powers-64": |make| (1..65).for_each(|seed| any_run(&mut make(seed), seed.into(), 300));
    "tiny-held": |make| held(&mut make(1), 40);
    "tiny-ends-150": |make| ends(&mut make(1), 41, 150);
    "tiny-runs-60": |make| {
        let mut bench = make(1);
        (100..160).for_each(|seed| any_run(&mut bench, seed, 3000));
    };
    "tiny-seeds-16": |make| seeds(&mut make(1), 6..22, 2000);
    "tiny-splits-500": |make| fills(&mut make(1), 22, 500);
    "tiny-fills-4k": |make| { let mut bench = make(1); (23..27).for_each(|seed| fills(&mut bench, seed, 1000)); };
};

/// Those that take long.
pub(super) const TINY_LONG: [Scenario; 1] = scenarios! {
    "tiny-seeds-8": |make| seeds(&mut make(1), 27..35, 6000);
};

fn run(bench: &mut Bench, seed: u64, manner: Manner, cycles: u32) {
    bench.enable();
    tiny::run(bench, seed, manner, cycles);
}

fn any_run(bench: &mut Bench, seed: u64, cycles: u32) {
    let manner = Manner::any(&mut StdRng::seed_from_u64(seed));
    run(bench, seed, manner, cycles);
}

/// Everything but the filling, with a manner of each seed.
fn seeds(bench: &mut Bench, seeds: Range<u64>, cycles: u32) {
    for seed in seeds {
        any_run(bench, seed, cycles);
        words(bench, seed, cycles);
        switches(bench, seed);
        clears(bench, seed);
        resets(bench, seed);
        crowds(bench, seed);
    }
}
