//! What the stories of a tiny profiler seldom do.

use hpp_golden::registers::{self, command, control};
use hpp_lockstep::tiny::{Access, Bench, Run, Verilated, fills};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

fn freezes() -> Access {
    let both = control::ENABLE.mask() | control::FREEZE.mask();
    Access::write(registers::CONTROL.offset, both)
}

fn clear() -> Access {
    Access::write(registers::COMMAND.offset, command::CLEAR.mask())
}

const STATUS: Access = Access::read(registers::STATUS.offset);

/// The walk of a reset or a clear ends at every step of the program, with an access or a record that waits, and without.
pub(super) fn ends(bench: &mut Bench<Verilated>, seed: u64, rounds: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    for round in 0..rounds {
        let mut program = Run::new(seed ^ round);
        fills(bench, seed + round, 30);
        let resets: bool = rng.random();
        match resets {
            true => bench.restart(1),
            false => {
                bench.now(freezes());
                bench.now(clear());
            }
        }
        let often = [0, 0, 30, 120][rng.random_range(0..4)];
        let pace = [0, 40, 255][rng.random_range(0..3)];
        let before = bench.records;
        for _ in 0..6 * bench.geometry().entries() {
            if bench.is_free() && rng.random_range(0..256) < often {
                bench.begin(STATUS);
            }
            let shows = !resets && !bench.stalls() && rng.random_range(0..256) < pace;
            bench.cycle(shows.then(|| program.step()));
        }
        assert!(
            resets || pace == 0 || bench.records > before,
            "no record is processed during a clear"
        );
        bench.compare();
    }
}

/// A clear ends although the bus is never idle and the core retires a transfer whenever it is not held.
pub(super) fn held(bench: &mut Bench<Verilated>, seed: u64) {
    let mut program = Run::new(seed).dense();
    bench.now(freezes());
    bench.now(clear());
    let words = bench.geometry().entries() * bench.geometry().entry_words();
    for _ in 0..2 * words * bench.geometry().longest_access() {
        if bench.is_free() {
            bench.begin(STATUS);
        }
        let held = bench.stalls();
        bench.cycle((!held).then(|| program.step()));
        if !bench.is_clearing() {
            return bench.compare();
        }
    }
    panic!("the clear never ends");
}
