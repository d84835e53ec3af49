//! A tiny profiler's table is emptied, by a reset or by software, whatever else happens.

use super::bench::{Bench, Pins};
use super::program::Run;
use super::software::{access, fills};
use crate::pins::Request;
use hpp_golden::registers::{Counter, at, command, control};
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};

fn control(freezes: bool) -> Request {
    let value = control::ENABLE.mask() | control::FREEZE.put(freezes.into());
    Request::write(at::CONTROL, value)
}

fn clear() -> Request {
    Request::write(at::COMMAND, command::CLEAR.mask())
}

/// So many cycles of records and accesses, of which it is known what they do.
fn meanwhile<P: Pins>(bench: &mut Bench<P>, rng: &mut StdRng, program: &mut Run, cycles: u32) {
    let pace = [255, 80, 16, 0][rng.random_range(0..4)];
    let often = [0, 20, 80][rng.random_range(0..3)];
    for _ in 0..cycles {
        if bench.is_free() && rng.random_range(0..256) < often {
            let any = Request::read(4 * rng.random_range(0..32));
            bench.begin(match bench.knows_table() {
                true => access(rng),
                false if any.offset() == at::TABLE_DATA => Request::read(at::STATUS),
                false => any,
            });
        }
        let shows = bench.is_certain() && !bench.stalls() && rng.random_range(0..256) < pace;
        bench.cycle(shows.then(|| program.step()));
    }
}

/// The table is emptied while it is read out, while paths complete and while software does anything.
pub fn clears<P: Pins>(bench: &mut Bench<P>, seed: u64) {
    let (mut rng, mut program) = (StdRng::seed_from_u64(seed), Run::new(seed));
    for _ in 0..2 {
        bench.enable();
        for _ in 0..200 {
            let held = bench.stalls();
            bench.cycle((!held).then(|| program.step()));
        }
        bench.now(control(rng.random()));
        for _ in 0..2 {
            bench.now(Request::write(at::TABLE_INDEX, rng.random()));
            for _ in 0..rng.random_range(0..4) {
                bench.now(Request::read(at::TABLE_DATA));
            }
            // The second time, most of the time while it is being emptied.
            bench.now(clear());
            let cycles = rng.random_range(0..5 * bench.geometry().entries());
            meanwhile(bench, &mut rng, &mut program, cycles);
            if !bench.knows_table() {
                bench.settle();
            }
        }
        if rng.random() {
            bench.settle();
            bench.now(clear());
            bench.waits_until_empty();
        }
        bench.compare();
    }
}

/// The table is emptied and every access is answered, though the core never holds and the bus never rests.
pub fn crowds<P: Pins>(bench: &mut Bench<P>, seed: u64) {
    let (mut program, geometry) = (Run::new(seed), *bench.geometry());
    // Every other seed makes a record in every cycle.
    if seed.is_multiple_of(2) {
        program = program.dense();
    }
    bench.now(control(true));
    bench.now(clear());
    // A word at least for each record and each access.
    let words = geometry.entries() * geometry.entry_words();
    for _ in 0..2 * words * geometry.longest_access() {
        if bench.is_free() {
            bench.begin(Request::read(at::STATUS));
        }
        bench.cycle(Some(program.step()));
        if !bench.is_clearing() {
            break;
        }
    }
    assert!(!bench.is_clearing(), "the table is still being emptied");
    bench.compare();
}

/// Counters, table and stack are as after power-up, whenever a reset comes, and whatever comes behind it.
pub fn resets<P: Pins>(bench: &mut Bench<P>, seed: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    for round in 0..4 {
        bench.now(control(rng.random()));
        let mut program = Run::new(seed ^ round);
        let holds: bool = rng.random();
        for _ in 0..rng.random_range(1..400) {
            let held = holds && bench.stalls();
            bench.cycle((!held).then(|| program.step()));
        }
        for _ in 0..rng.random_range(0..8) {
            bench.now(Request::read(at::TABLE_DATA));
        }
        let cycles = rng.random_range(1..3);
        match rng.random_range(0..3) {
            0 => bench.reset(cycles),
            1 => {
                bench.restart(cycles);
                let late = rng.random_range(0..5 * bench.geometry().entries());
                bench.rest(late);
                let counter = Counter::ALL[rng.random_range(0..Counter::COUNT)];
                bench.now(Request::read(counter.offset()));
                bench.settle();
            }
            _ => {
                bench.restart(cycles);
                bench.now(control(true));
                let cycles = rng.random_range(0..6 * bench.geometry().entries());
                meanwhile(bench, &mut rng, &mut program, cycles);
                bench.settle();
                meanwhile(bench, &mut rng, &mut program, 200);
            }
        }
        bench.compare();
    }
}

const STATUS_READ: Request = Request::read(at::STATUS);

/// The walk of a reset or a clear ends at every step of the program, with an access or a record that waits, and without.
pub fn ends<P: Pins>(bench: &mut Bench<P>, seed: u64, rounds: u64) {
    let mut rng = StdRng::seed_from_u64(seed);
    for round in 0..rounds {
        let mut program = Run::new(seed ^ round);
        fills(bench, seed + round, 30);
        let resets: bool = rng.random();
        match resets {
            true => bench.restart(1),
            false => {
                bench.now(control(true));
                bench.now(clear());
            }
        }
        let often = [0, 0, 30, 120][rng.random_range(0..4)];
        let pace = [0, 40, 255][rng.random_range(0..3)];
        let before = bench.records;
        for _ in 0..6 * bench.geometry().entries() {
            if bench.is_free() && rng.random_range(0..256) < often {
                bench.begin(STATUS_READ);
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
pub fn held<P: Pins>(bench: &mut Bench<P>, seed: u64) {
    let mut program = Run::new(seed).dense();
    bench.now(control(true));
    bench.now(clear());
    let words = bench.geometry().entries() * bench.geometry().entry_words();
    for _ in 0..2 * words * bench.geometry().longest_access() {
        if bench.is_free() {
            bench.begin(STATUS_READ);
        }
        let held = bench.stalls();
        bench.cycle((!held).then(|| program.step()));
        if !bench.is_clearing() {
            return bench.compare();
        }
    }
    panic!("the clear never ends");
}
