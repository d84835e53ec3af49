//! Software reads the entry of a tight loop, into which a path comes every one to five cycles. Every access has its answer in its time, and the answer is
//! right.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::set_index;
use hpp_golden::registers::{at, command, control};
use hpp_lockstep::stream::{StreamRng, rng};
use hpp_lockstep::{Bench, Disagreement, Harness, Pace, Protocol, VerilatedDevice};
use std::sync::LazyLock;

/// Every way in which a table is read: ways a power of two and not, looked up at once and one after another, behind a stack that
/// is checked and one that is not.
static HARNESSES: LazyLock<Vec<Harness>> = LazyLock::new(|| {
    Harness::of_names(&[
        "default",
        "parallel",
        "odd",
        "associative",
        "guarded",
        "sequential",
        "sequential-odd",
        "sequential-associative",
    ])
});

const PACES: [Pace; 6] = [
    Pace::Full,
    Pace::Every(2),
    Pace::Every(3),
    Pace::Every(4),
    Pace::Every(5),
    Pace::Random(100),
];

/// The record of a loop's branch, and the set of the path it completes.
fn tight_loop(bench: &Bench<VerilatedDevice>) -> (BranchRecord, u32) {
    let target = 0x40 << bench.geometry().align;
    let record = BranchRecord::new(BranchKind::Backward, true, target, 0);
    let path = PathDescriptor {
        start: target,
        length: 1,
        outcomes: 1,
    };
    (record, set_index(bench.geometry(), &path) as u32)
}

/// A core that spins, and a debugger that reads the loop's own entry, every register, and freezes the table at last.
fn spin(bench: &mut Bench<VerilatedDevice>, pace: Pace) -> Result<(), Disagreement> {
    bench.reset(1)?;
    bench.enable()?;
    let (record, set) = tight_loop(bench);
    let mut stream = |_: &mut StreamRng| record;
    let mut rng = rng(0);
    bench.stream(40, &mut stream, pace, &mut rng)?;
    for _ in 0..3 {
        let entry = set * bench.geometry().ways;
        bench.write(at::TABLE_INDEX, entry);
        bench.read(at::STATUS);
        bench.read_entry();
        bench.read_registers();
        bench.stream_until_idle(&mut stream, pace, &mut rng)?;
    }
    let frozen = control::ENABLE.put(1) | control::FREEZE.put(1);
    bench.write(at::CONTROL, frozen);
    bench.write(at::TABLE_INDEX, set * bench.geometry().ways);
    bench.read_entry();
    bench.stream_until_idle(&mut stream, pace, &mut rng)?;
    bench.check_everything()
}

/// A read of the table began again whenever one of the four paths ahead had changed its set, and only in cycles without a
/// path: with a path every one to five cycles into that set it was never acknowledged.
#[test]
fn a_tight_loop_does_not_keep_its_own_entry_from_being_read() {
    for harness in HARNESSES.iter() {
        for (seed, pace) in (0..).zip(PACES) {
            let mut bench = harness.bench(Protocol::of_seed(seed)).expect("it resets");
            spin(&mut bench, pace).unwrap_or_else(|error| {
                panic!("geometry `{}`, {pace:?}: {error}", harness.named().name)
            });
        }
    }
}

/// A master that gave up a read of the table while the core spun got no answer to its next access either, which may have been
/// the one that ends the wait.
#[test]
fn an_access_given_up_does_not_keep_the_next_one_waiting() {
    for harness in HARNESSES.iter() {
        for protocol in [Protocol::Pipelined, Protocol::Classic] {
            for cycles in 1..40 {
                let mut bench = harness.bench(protocol).expect("it resets");
                give_up_after(&mut bench, cycles).unwrap_or_else(|error| {
                    let name = harness.named().name;
                    panic!("geometry `{name}`, {protocol:?}, given up after {cycles}: {error}")
                });
            }
        }
    }
}

fn give_up_after(bench: &mut Bench<VerilatedDevice>, cycles: u64) -> Result<(), Disagreement> {
    bench.enable()?;
    let (record, set) = tight_loop(bench);
    let mut stream = |_: &mut StreamRng| record;
    let mut rng = rng(0);
    bench.stream(40, &mut stream, Pace::Full, &mut rng)?;
    bench.write(at::TABLE_INDEX, set * bench.geometry().ways);
    bench.stream_until_idle(&mut stream, Pace::Full, &mut rng)?;
    bench.read(at::TABLE_DATA);
    bench.stream(cycles, &mut stream, Pace::Full, &mut rng)?;
    bench.give_up(1);
    let frozen = control::ENABLE.put(1) | control::FREEZE.put(1);
    bench.write(at::CONTROL, frozen);
    bench.read(at::CONTROL);
    bench.read_entry();
    bench.write(at::COMMAND, command::CLEAR.mask());
    bench.read_entry();
    bench.stream_until_idle(&mut stream, Pace::Full, &mut rng)?;
    bench.check_everything()
}
