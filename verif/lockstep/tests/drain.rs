//! Nothing is forgotten: what is in the table, what was taken out of the drain and what the drain says it lost add up to every path that was
//! shown, on the emitted Verilog in lockstep with the model.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::path::PathDescriptor;
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers::{self, at, command, control, drain_command, drain_control, errors};
use hpp_lockstep::geometries;
use hpp_lockstep::stream::{Mixture, Stream, StreamRng, rng};
use hpp_lockstep::{
    Bench, Device, Disagreement, Drive, Harness, Pace, Protocol, Seen, VerilatedDevice,
};
use rand::RngExt;
use std::collections::BTreeMap;
use std::sync::LazyLock;

type Profile = BTreeMap<PathDescriptor, u64>;

static HARNESSES: LazyLock<Vec<Harness>> = LazyLock::new(|| {
    Harness::of_names(&[
        "drained",
        "drained-odd",
        "drained-sequential",
        "drained-rrip",
        "drained-guarded",
    ])
});

/// A device, and what passed its pins: paths shown, entries taken through the ports, cycles in which the core had to wait.
struct Watched {
    device: VerilatedDevice,
    shown: Profile,
    taken: Profile,
    waited: u64,
    interrupts: u64,
}

fn add(profile: &mut Profile, path: PathDescriptor, count: u32) {
    *profile.entry(path).or_default() += u64::from(count);
}

impl Device for Watched {
    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String> {
        self.device.cycle_into(drive, seen)?;
        if !drive.reset {
            if let Some(path) = &seen.path {
                add(&mut self.shown, path.descriptor, path.count);
            }
            if let Some(entry) = seen.drain.filter(|_| drive.drain_ready) {
                add(&mut self.taken, entry.descriptor, entry.count);
            }
            self.waited += u64::from(drive.record.is_some() && !seen.ready);
            self.interrupts += u64::from(seen.drain_irq);
        }
        Ok(())
    }
}

fn bench(harness: &Harness) -> Bench<Watched> {
    let watched = |device| Watched {
        device,
        shown: Profile::new(),
        taken: Profile::new(),
        waited: 0,
        interrupts: 0,
    };
    harness
        .bench_around(Protocol::Pipelined, watched)
        .expect("it resets")
}

/// A record that is taken, of a path that begins and ends at its target if it is a backward branch.
fn taken(kind: BranchKind, target: u64, events: u32) -> BranchRecord {
    BranchRecord::new(kind, true, target, 0).with_events(events)
}

/// Loops of one block, of which a small table holds a few.
fn loops(rng: &mut StreamRng) -> BranchRecord {
    let number = rng.random_range(0..200) * rng.random_range(0..4);
    let target = 4 * (1000 + 7 * number);
    taken(BranchKind::Backward, target, rng.random_range(1..16))
}

/// What the registers say of the entry at the head.
fn head(bench: &mut Bench<Watched>) -> Result<Option<(PathDescriptor, u32)>, Disagreement> {
    let count = bench.read_now(at::DRAIN_COUNT)?;
    let mut read = |register: registers::Register| bench.read_now(register.offset);
    let descriptor = PathDescriptor {
        length: read(registers::DRAIN_LENGTH)?,
        outcomes: u64::from(read(registers::DRAIN_OUTCOMES_LO)?)
            | u64::from(read(registers::DRAIN_OUTCOMES_HI)?) << 32,
        start: u64::from(read(registers::DRAIN_START_LO)?)
            | u64::from(read(registers::DRAIN_START_HI)?) << 32,
    };
    Ok((count > 0).then_some((descriptor, count)))
}

/// Takes everything that waits, as a driver does.
fn empty(bench: &mut Bench<Watched>) -> Result<(), Disagreement> {
    bench.write(at::DRAIN_CONTROL, drain_control::HOLD.mask());
    while let Some((path, count)) = head(bench)? {
        add(&mut bench.device_mut().taken, path, count);
        bench.write(at::DRAIN_COMMAND, drain_command::TAKE.mask());
    }
    Ok(())
}

/// What is in the table and was taken.
fn kept(bench: &Bench<Watched>) -> Profile {
    let mut kept = bench.device().taken.clone();
    for (_, entry) in bench.reference().table().entries() {
        add(&mut kept, entry.descriptor, entry.count);
    }
    kept
}

fn start(harness: &Harness, control: u32) -> Result<Bench<Watched>, Disagreement> {
    let mut bench = bench(harness);
    bench.enable()?;
    bench.write(at::DRAIN_CONTROL, control);
    bench.settle()?;
    Ok(bench)
}

const RECORDS: u64 = 30_000;

#[test]
fn with_a_core_that_waits_everything_is_kept() -> Result<(), Disagreement> {
    let control = drain_control::HOLD.mask() | drain_control::STREAM.mask();
    for harness in HARNESSES.iter() {
        let mut rng = rng(5);
        let mut mixture = Mixture::new(&harness.named().geometry, &mut rng);
        let streams: [&mut dyn Stream; 2] = [&mut loops, &mut mixture];
        for stream in streams {
            let mut bench = start(harness, control)?;
            bench.stream(RECORDS, stream, Pace::Full, &mut rng)?;
            bench.settle()?;
            empty(&mut bench)?;
            bench.check_everything()?;
            assert_eq!(bench.read_now(at::DRAIN_LOST)?, 0);
            assert_eq!(bench.read_now(at::ERRORS)? & lost(), 0);
            let watched = bench.device();
            assert_eq!(kept(&bench), watched.shown, "{}", harness.named().label());
            assert!(watched.taken.len() > 100 && watched.waited > 100);
        }
    }
    Ok(())
}

fn lost() -> u32 {
    errors::DRAIN_LOST.mask()
}

#[test]
fn with_a_core_that_does_not_wait_what_is_lost_is_counted() -> Result<(), Disagreement> {
    for harness in HARNESSES.iter() {
        let mut rng = rng(6);
        let mut bench = start(harness, 0)?;
        // Long enough for accumulators to run over, some of them while the drain is full.
        bench.stream(RECORDS, &mut loops, Pace::Random(200), &mut rng)?;
        bench.settle()?;
        empty(&mut bench)?;
        bench.check_everything()?;
        let entries = bench.read_now(at::DRAIN_LOST)?;
        let count = u64::from(bench.read_now(at::DRAIN_LOST_COUNT_LO)?);
        assert!(entries > 50, "{entries}");
        assert_eq!(bench.read_now(at::ERRORS)? & lost(), lost());
        let total = |profile: &Profile| profile.values().sum::<u64>();
        let (kept, shown) = (kept(&bench), &bench.device().shown);
        assert_eq!(
            total(&kept) + count,
            total(shown),
            "{}",
            harness.named().label()
        );
        assert!(kept.iter().all(|(path, count)| *count <= shown[path]));

        bench.write(at::COMMAND, command::CLEAR_COUNTERS.mask());
        bench.finish_bus()?;
        assert_eq!(bench.read_now(at::DRAIN_LOST)?, 0);
        assert_eq!(bench.read_now(at::DRAIN_LOST_COUNT_LO)?, 0);
    }
    Ok(())
}

/// What was lost passes the end of a low word, and of both words, while software reads them.
#[test]
fn what_is_lost_reaches_the_high_word() -> Result<(), Disagreement> {
    for start in [u64::from(u32::MAX) - 20, u64::MAX - 20] {
        let reset = ResetValues {
            counters: start,
            ..ResetValues::default()
        };
        let harness = Harness::of_reset("drained-odd", reset);
        let mut bench = harness.bench(Protocol::Pipelined).expect("it resets");
        bench.enable()?;
        let mut rng = rng(7);
        let read = [
            registers::DRAIN_LOST,
            registers::DRAIN_LOST_COUNT_LO,
            registers::DRAIN_LOST_COUNT_HI,
        ];
        let mut high = 0;
        for _ in 0..100 {
            bench.stream(100, &mut loops, Pace::Full, &mut rng)?;
            for register in read {
                high = bench.read_now(register.offset)?;
            }
        }
        assert_eq!(u64::from(high), (start >> 32).wrapping_add(1) & 0xffff_ffff);
        bench.check_everything()?;
    }
    Ok(())
}

#[test]
fn an_accumulator_that_would_not_hold_a_count_leaves_and_begins_again() -> Result<(), Disagreement>
{
    let harness = &HARNESSES[0];
    let mut rng = rng(7);
    let mut bench = start(harness, 0)?;
    // One path, ten bits of accumulator, once begun by the first record.
    let mut one = |_: &mut StreamRng| taken(BranchKind::Backward, 0x1000, 1);
    bench.stream(1024 + 1 + 5, &mut one, Pace::Full, &mut rng)?;
    bench.settle()?;
    let (path, count) = head(&mut bench)?.expect("it ran over once");
    assert_eq!((path.start, count), (0x1000, 1023));
    let entries: Vec<_> = bench.reference().table().entries().collect();
    assert_eq!(entries.len(), 1);
    assert_eq!(entries[0].1.count, 1029 - 1023);
    assert_eq!(bench.read_now(at::ERRORS)?, 0, "nothing was lost");
    bench.check_everything()
}

#[test]
fn the_interrupt_asks_for_the_drain_to_be_emptied() -> Result<(), Disagreement> {
    let harness = &HARNESSES[0];
    let mut rng = rng(8);
    let mut bench = start(harness, drain_control::WATERMARK.put(12))?;
    bench.stream(200, &mut loops, Pace::Every(4), &mut rng)?;
    bench.settle()?;
    let raised = bench.device().interrupts;
    assert!(raised > 0);
    empty(&mut bench)?;
    bench.write(at::DRAIN_CONTROL, drain_control::WATERMARK.put(12));
    bench.settle()?;
    let raised = bench.device().interrupts;
    bench.idle(100)?;
    assert_eq!(bench.device().interrupts, raised, "it fell");
    bench.check_everything()
}

#[test]
fn a_core_without_anybody_at_the_drain_is_held_before_anything_is_lost() -> Result<(), Disagreement>
{
    for harness in HARNESSES.iter() {
        let mut rng = rng(9);
        let mut bench = start(harness, drain_control::HOLD.mask())?;
        // One after another: a table that takes its time lets a record wait, too, but not for long.
        let mut refused = 0;
        let mut record = loops(&mut rng);
        for _ in 0..3000 {
            let taken = bench.cycle(Some(&record))?;
            refused = if taken { 0 } else { refused + 1 };
            if taken {
                record = loops(&mut rng);
            }
            if refused > 200 {
                break;
            }
        }
        assert!(refused > 200, "{}", harness.named().label());
        assert_eq!(bench.read_now(at::DRAIN_LOST)?, 0);
        let level = bench.read_now(at::DRAIN_STATUS)?;
        let depth = harness.named().geometry.drain_depth;
        assert!(level > depth - 48 && level <= depth, "{level} of {depth}");
    }
    Ok(())
}

/// What software does while a drain is all but full: two writes, one right after the other.
fn brinks(hold: u32) -> Vec<[(u32, u32); 2]> {
    let control = at::CONTROL;
    let on = control::ENABLE.mask();
    let frozen = on | control::FREEZE.mask();
    let clear = (at::COMMAND, command::CLEAR.mask());
    let take = (at::DRAIN_COMMAND, drain_command::TAKE.mask());
    let forget = (at::DRAIN_COMMAND, drain_command::CLEAR.mask());
    let zero = (at::COMMAND, command::CLEAR_COUNTERS.mask());
    let drain = |word| (at::DRAIN_CONTROL, word);
    vec![
        [take, take],
        [take, forget],
        [forget, take],
        [(control, frozen), clear],
        [clear, (control, frozen)],
        [(control, frozen), forget],
        [forget, clear],
        [(control, frozen), (control, on)],
        [(control, 0), (control, on)],
        [zero, forget],
        [drain(hold ^ drain_control::HOLD.mask()), drain(hold)],
        [drain(hold | drain_control::STREAM.mask()), drain(hold)],
        [drain(drain_control::STREAM.mask()), take],
    ]
}

/// Records until so many paths have been completed that may make others leave, the brink, and records again, whether they are taken or not.
fn with_a_full_fifo(
    bench: &mut Bench<VerilatedDevice>,
    (paths, hold): (u64, u32),
    brink: [(u32, u32); 2],
) -> Result<(), Disagreement> {
    bench.reset(1)?;
    bench.enable()?;
    let word = hold | drain_control::WATERMARK.put(bench.geometry().drain_depth - 1);
    bench.write(at::DRAIN_CONTROL, word);
    bench.finish_bus()?;
    // Paths that never come again: once the table is full each makes another leave.
    let align = bench.geometry().align;
    let fresh = |number: u64| taken(BranchKind::Indirect, number << align, 1);
    let mut records = (1..).map(fresh);
    let mut next = || records.next().expect("they never end");
    let mut record = next();
    let mut taken = 0;
    let mut cycles = 40 * paths;
    while taken < paths && cycles > 0 {
        cycles -= 1;
        if bench.cycle(Some(&record))? {
            taken += 1;
            record = next();
        }
    }
    for (offset, value) in brink {
        bench.write(offset, value);
    }
    for _ in 0..60 {
        if bench.cycle(Some(&record))? {
            record = next();
        }
    }
    bench.finish_bus()?;
    bench.write(at::DRAIN_CONTROL, 0);
    bench.settle()?;
    bench.read_registers();
    bench.finish_bus()?;
    bench.idle(bench.reference().settling())?;
    bench.balance()
}

#[test]
fn whatever_software_does_while_a_drain_is_all_but_full() {
    for harness in HARNESSES.iter() {
        let geometry = harness.named().geometry;
        let mut bench = harness.bench(Protocol::Pipelined).expect("it resets");
        // The first record begins a path; skewed rows fill unevenly, so that some paths more are on their way to the brim.
        let empty = u64::from(geometry.entries()) + 1;
        let depth = u64::from(geometry.drain_depth);
        for hold in [0, drain_control::HOLD.mask()] {
            let capacity = if hold == 0 { depth } else { depth - 48 };
            for paths in empty + capacity - 4..empty + capacity + 16 {
                for brink in brinks(hold) {
                    with_a_full_fifo(&mut bench, (paths, hold), brink).unwrap_or_else(|error| {
                        panic!(
                            "{}, {paths} paths, hold {hold}, {brink:x?}: {error}",
                            harness.named().label()
                        )
                    });
                }
            }
        }
    }
}

#[test]
fn every_test_geometry_with_a_drain_is_one_of_these() {
    let drained = geometries::all();
    let drained = drained.iter().filter(|named| named.geometry.has_drain());
    assert_eq!(drained.count(), HARNESSES.len());
}
