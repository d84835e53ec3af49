//! What a table that looks its ways up one after another costs in cycles: the bounds that `docs/timing.md` states, on
//! the emitted Verilog in lockstep with the model.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, LookupScheme};
use hpp_golden::registers::{Counter, at, control, errors};
use hpp_lockstep::geometries::{self, Named};
use hpp_lockstep::stream::{Hazard, HazardStream, Stream, rng};
use hpp_lockstep::{Bench, Disagreement, Harness, Pace, Protocol, Timing, VerilatedDevice};
use std::sync::LazyLock;

static HARNESSES: LazyLock<Vec<Harness>> = LazyLock::new(|| {
    let sequential = |named: &&Named| {
        let skewed = named.geometry.replacement.is_skewed();
        named.geometry.lookup == LookupScheme::Sequential
            && (!skewed || ["shadow-odd", "rrip"].contains(&named.name))
    };
    let all = geometries::all();
    let names = all.iter().filter(sequential).map(|named| named.name);
    Harness::of_names(&names.collect::<Vec<_>>())
});

fn bench(harness: &Harness) -> Bench<VerilatedDevice> {
    harness.bench(Protocol::Pipelined).expect("it resets")
}

/// The longest lookup, and with a policy of skewed tables the cycle after it: under LFU the next path may be shown at once.
fn lookup(geometry: &Geometry) -> u64 {
    let rests = geometry.replacement.is_skewed();
    u64::from(geometry.longest_lookup()) + u64::from(rests)
}

/// A record waits less than so long at the full queue: for the path before it, with a checked stack for a return and the path before that, and
/// for the frames that a return looks at.
fn longest_wait(geometry: &Geometry) -> u64 {
    match geometry.stack_check {
        true => 2 * lookup(geometry) + u64::from(geometry.stack_depth),
        false => lookup(geometry),
    }
}

/// The cost of a stream of records.
#[derive(Debug, Default)]
struct Rate {
    records: u64,
    paths: u64,
    /// From the first record to the last.
    cycles: u64,
    /// Cycles in which a record was offered and not accepted.
    waiting: u64,
    /// The longest run of such cycles.
    longest: u64,
}

/// Offers the records to an enabled profiler in stall mode, one in every cycle, which is faster than any core.
fn replay(
    bench: &mut Bench<VerilatedDevice>,
    records: &[BranchRecord],
) -> Result<Rate, Disagreement> {
    bench.enable()?;
    let paths = bench.total(Counter::Paths);
    let begin = bench.cycles();
    let mut rate = Rate::default();
    for record in records {
        let mut waited = 0;
        while !bench.cycle(Some(record))? {
            waited += 1;
        }
        rate.records += 1;
        rate.waiting += waited;
        rate.longest = rate.longest.max(waited);
    }
    rate.cycles = bench.cycles() - begin;
    bench.settle()?;
    rate.paths = bench.total(Counter::Paths) - paths;
    Ok(rate)
}

fn hazard(geometry: &Geometry, hazard: Hazard, count: usize) -> Vec<BranchRecord> {
    let mut rng = rng(5);
    let mut stream = HazardStream::new(hazard, geometry, &mut rng);
    (0..count).map(|_| stream.record(&mut rng)).collect()
}

#[test]
fn no_stream_waits_longer_than_the_lookups_of_its_paths() -> Result<(), Disagreement> {
    for harness in HARNESSES.iter() {
        let mut bench = bench(harness);
        let geometry = *bench.geometry();
        for kind in Hazard::ALL {
            let records = hazard(&geometry, kind, 2000);
            let rate = replay(&mut bench, &records)?;
            let place = format!("{}, {kind:?}: {rate:?}", harness.named().name);
            assert!(rate.longest < longest_wait(&geometry), "{place}");
            assert!(
                geometry.stack_check
                    || rate.cycles <= rate.records + rate.paths * lookup(&geometry),
                "{place}"
            );
            assert_eq!(rate.cycles, rate.records + rate.waiting, "{place}");
        }
        assert_eq!(bench.read_now(Counter::LostRecords.offset())?, 0);
    }
    Ok(())
}

/// Records that each complete a path which is in no way: the slowest stream there is.
#[test]
fn the_slowest_stream_takes_a_whole_lookup_a_record() -> Result<(), Disagreement> {
    let lfu = |harness: &&Harness| !harness.named().geometry.replacement.is_skewed();
    for harness in HARNESSES.iter().filter(lfu) {
        let mut bench = bench(harness);
        let geometry = *bench.geometry();
        // Each path starts where the record before it went: addresses that never come again.
        let indirect = |number: u64| {
            BranchRecord::new(BranchKind::Indirect, true, number << geometry.align, 0)
        };
        let records: Vec<_> = (0..3000).map(indirect).collect();
        let rate = replay(&mut bench, &records)?;
        // What waits at the end has not been looked up: the queue, and what is between it and the table.
        let waiting = u64::from(geometry.queue_depth) + Timing::of(&geometry).path;
        let slowest = rate.paths * lookup(&geometry);
        let fastest = (rate.paths - waiting) * lookup(&geometry);
        assert!((fastest..=slowest).contains(&rate.cycles), "{rate:?}");
        assert!(rate.longest >= lookup(&geometry) - 1, "{rate:?}");
    }
    Ok(())
}

/// With a checked stack a return waits for the path before it, which waits for its own, and the record after the return for both. Every return fits, and no
/// path is found.
#[test]
fn after_a_return_that_fits_a_record_waits_for_two_lookups() -> Result<(), Disagreement> {
    let checked = |harness: &&Harness| harness.named().name == "sequential-guarded";
    let harness = HARNESSES.iter().find(checked).expect("a geometry");
    let mut bench = bench(harness);
    let geometry = *bench.geometry();
    let round = |number: u64| {
        let address = |place| (8 * number + place) << geometry.align;
        let record = |kind, target, next| BranchRecord::new(kind, true, target, next);
        [
            record(BranchKind::Call, address(0), address(3)),
            record(BranchKind::Indirect, address(1), 0),
            record(BranchKind::Indirect, address(2), 0),
            record(BranchKind::Return, address(3), 0),
        ]
    };
    let records: Vec<_> = (1..1000).flat_map(round).collect();
    let rate = replay(&mut bench, &records)?;
    assert_eq!(bench.read_now(at::REPAIRS)?, 0);
    assert_eq!(rate.longest, 2 * lookup(&geometry) - 1, "{rate:?}");
    Ok(())
}

/// Records that find the queue full are dropped and counted, and the stack is purged before the next: each path that shows
/// is one the model completes as well, in its cycle.
#[test]
fn lossy_mode_drops_what_it_cannot_take() -> Result<(), Disagreement> {
    for harness in HARNESSES.iter() {
        let mut bench = bench(harness);
        bench.enable()?;
        bench.write(at::CONTROL, control::ENABLE.put(1) | control::LOSSY.put(1));
        bench.finish_bus()?;
        for kind in Hazard::ALL {
            let mut rng = rng(9);
            let mut stream = HazardStream::new(kind, bench.geometry(), &mut rng);
            let before = bench.cycles();
            bench.stream(1000, &mut stream, Pace::Full, &mut rng)?;
            assert_eq!(bench.cycles() - before, 1000, "lossy mode never waits");
        }
        bench.check_everything()?;
        let lost = bench.total(Counter::LostRecords);
        assert!(lost > 1000, "{}: {lost} lost", harness.named().name);
    }
    Ok(())
}

/// A core that goes on though it is asked to hold, in stall mode: every record that it took away is counted, and no path goes
/// across the gap.
#[test]
fn a_core_that_does_not_hold_loses_nothing_in_silence() -> Result<(), Disagreement> {
    for harness in HARNESSES.iter() {
        let mut bench = bench(harness);
        bench.enable()?;
        bench.set_holds(false);
        for kind in Hazard::ALL {
            let mut rng = rng(11);
            let mut stream = HazardStream::new(kind, bench.geometry(), &mut rng);
            bench.stream(1000, &mut stream, Pace::Full, &mut rng)?;
        }
        bench.check_everything()?;
        let [lost, records] = [Counter::LostRecords, Counter::Records].map(|c| bench.total(c));
        assert!(lost > 1000, "{}: {lost} lost", harness.named().name);
        // What is neither in nor counted was equal to the record after it.
        assert!(lost + records <= 1000 * Hazard::ALL.len() as u64);
        let errors = bench.read_now(at::ERRORS)?;
        assert_eq!(errors::RECORDS_LOST.get(errors), 1);
    }
    Ok(())
}
