//! Directed tests of the emitted Verilog: every command at every moment of every hazard, and named regressions.

mod regressions;

use hpp_golden::profiler::Rows;
use hpp_golden::registers::{
    Counter, at, command, context, control, drain_command, drain_control, ppcr_mode,
};
use hpp_lockstep::bus::ApbMaster;
use hpp_lockstep::stream::{Hazard, HazardStream, rng};
use hpp_lockstep::{Bench, Device, Disagreement, Harness, Pace, Protocol, VerilatedDevice};
use std::sync::LazyLock;

/// The geometries whose pipelines, or lookups, are longest compared with their tables and stacks; and one with a checked stack, whose
/// returns take two cycles.
static HARNESSES: LazyLock<Vec<Harness>> = LazyLock::new(|| {
    Harness::of_names(&[
        "smallest",
        "odd",
        "associative",
        "guarded",
        "sequential-smallest",
        "sequential-odd",
        "sequential-associative",
        "drained",
        "drained-sequential",
        "shadow",
        "shadow-smallest",
        "rrip",
    ])
});

/// More cycles than the pipeline and the shortest clear walk take together.
const MOMENTS: u64 = 16;

/// What happens in the middle of a stream.
#[derive(Debug, Clone, Copy)]
enum Event {
    Write(u32, u32),
    /// Two writes, one right after the other.
    Twice([(u32, u32); 2]),
    Reset(u32),
}

fn events() -> Vec<Event> {
    let (command, control) = (at::COMMAND, at::CONTROL);
    let on = control::ENABLE.put(1);
    let frozen = on | control::FREEZE.put(1);
    vec![
        Event::Write(command, command::CLEAR.put(1)),
        Event::Write(command, command::PURGE.put(1)),
        Event::Write(command, command::CLEAR_COUNTERS.put(1)),
        Event::Write(command, u32::MAX),
        Event::Twice([(command, command::CLEAR.put(1)); 2]),
        Event::Twice([(control, frozen), (control, on)]),
        Event::Twice([(control, 0), (control, on)]),
        Event::Write(at::PPCR_ROWS, Rows::WHOLE_PROGRAM_PATH.to_word()),
        Event::Write(at::PPCR_MODE, ppcr_mode::METRIC.put(1)),
        Event::Write(at::CONTEXT, context::MASK.put(1)),
        Event::Write(
            at::DRAIN_CONTROL,
            drain_control::STREAM.mask() | drain_control::WATERMARK.put(1),
        ),
        Event::Twice([(at::DRAIN_COMMAND, drain_command::TAKE.mask()); 2]),
        Event::Write(at::DRAIN_COMMAND, u32::MAX),
        Event::Reset(1),
        Event::Reset(3),
    ]
}

/// A hazard's stream with the event after `moment` of its records, and all registers and the table read at the end.
fn strike<D: Device>(
    bench: &mut Bench<D>,
    (hazard, seed): (Hazard, u64),
    event: Event,
    moment: u64,
) -> Result<(), Disagreement> {
    let mut rng = rng(seed);
    let mut stream = HazardStream::new(hazard, bench.geometry(), &mut rng);
    bench.reset(1)?;
    bench.enable()?;
    bench.stream(20 + moment, &mut stream, Pace::Full, &mut rng)?;
    if bench.geometry().buffers_paths() || bench.geometry().stack_check {
        // Records come in step with lookups and checks; the event is to strike every step of one.
        bench.idle(moment)?;
    }
    match event {
        Event::Write(offset, value) => bench.write(offset, value),
        Event::Twice(writes) => writes
            .iter()
            .for_each(|(offset, value)| bench.write(*offset, *value)),
        Event::Reset(cycles) => {
            bench.reset(cycles)?;
            bench.write(at::CONTROL, control::ENABLE.put(1));
        }
    }
    bench.stream(30, &mut stream, Pace::Full, &mut rng)?;
    bench.check_everything()
}

#[test]
fn every_command_at_every_moment_of_every_hazard() {
    for harness in HARNESSES.iter() {
        let name = harness.named().name;
        let mut bench = harness.bench(Protocol::Pipelined).expect("it resets");
        for hazard in Hazard::ALL {
            for event in events() {
                for moment in 0..MOMENTS {
                    strike(&mut bench, (hazard, moment), event, moment).unwrap_or_else(|error| {
                        panic!("`{name}`, {hazard:?}, {event:?} after {moment} records: {error}")
                    });
                }
            }
        }
    }
}

/// What software may write one right after the other, where what the first does is still under way.
fn writes() -> Vec<(u32, u32)> {
    let (command, control) = (at::COMMAND, at::CONTROL);
    let on = control::ENABLE.put(1);
    vec![
        (command, command::CLEAR.put(1)),
        (command, command::PURGE.put(1)),
        (command, command::CLEAR_COUNTERS.put(1)),
        (control, 0),
        (control, on),
        (control, on | control::FREEZE.put(1)),
        (control, on | control::LOSSY.put(1)),
        (control, on | control::LOCK.put(1)),
        (at::PPCR_ROWS, Rows::WHOLE_PROGRAM_PATH.to_word()),
        (
            at::PPCR_MODE,
            ppcr_mode::METRIC.put(1)
                | ppcr_mode::EXTENSION.put(1)
                | ppcr_mode::MAX_EXTENSION.put(1),
        ),
        (at::CONTEXT, context::MASK.put(1) | context::VALUE.put(1)),
        (at::ERRORS, u32::MAX),
        (at::TABLE_INDEX, 1),
        (
            at::DRAIN_CONTROL,
            drain_control::HOLD.mask() | drain_control::WATERMARK.put(1),
        ),
        (at::DRAIN_COMMAND, drain_command::CLEAR.mask()),
    ]
}

/// Every two writes, each at a moment of its own, in the midst of a stream.
fn strike_twice<D: Device>(name: &str, bench: &mut Bench<D>) {
    let mut moment = 0;
    for hazard in [Hazard::SameSetMisses, Hazard::Recursion, Hazard::Uniform] {
        for first in writes() {
            for second in writes() {
                moment = (moment + 1) % MOMENTS;
                let event = Event::Twice([first, second]);
                strike(bench, (hazard, moment), event, moment).unwrap_or_else(|error| {
                    panic!("`{name}`, {hazard:?}, {event:x?} after {moment} records: {error}")
                });
            }
        }
    }
}

#[test]
fn every_two_writes_in_the_midst_of_a_stream() {
    for harness in HARNESSES.iter() {
        let mut bench = harness.bench(Protocol::Pipelined).expect("it resets");
        strike_twice(harness.named().name, &mut bench);
    }
}

/// On APB they act two cycles apart.
#[test]
fn every_two_writes_as_fast_as_a_bus_takes_them() {
    for name in [
        "odd",
        "guarded",
        "sequential-odd",
        "drained",
        "shadow",
        "rrip",
    ] {
        let harness = Harness::of_master::<ApbMaster>(name);
        let mut bench = harness.bench_on::<ApbMaster>().expect("it resets");
        strike_twice(name, &mut bench);
    }
}

#[test]
fn a_read_of_the_table_is_whole_at_every_moment_of_every_hazard() {
    for harness in HARNESSES.iter() {
        let mut bench = harness.bench(Protocol::Classic).expect("it resets");
        let words = bench.geometry().entry_words();
        for hazard in Hazard::ALL {
            for moment in 0..MOMENTS {
                let outcome = read_in_mid_stream(&mut bench, hazard, moment, words);
                outcome
                    .unwrap_or_else(|error| panic!("{hazard:?} after {moment} records: {error}"));
            }
        }
    }
}

fn read_in_mid_stream(
    bench: &mut Bench<VerilatedDevice>,
    hazard: Hazard,
    moment: u64,
    words: u32,
) -> Result<(), Disagreement> {
    let mut rng = rng(moment);
    let mut stream = HazardStream::new(hazard, bench.geometry(), &mut rng);
    bench.reset(1)?;
    bench.enable()?;
    bench.stream(10 + moment, &mut stream, Pace::Full, &mut rng)?;
    bench.write(at::TABLE_INDEX, (moment % 3) as u32);
    (0..2 * words).for_each(|_| bench.read(at::TABLE_DATA));
    bench.stream(60, &mut stream, Pace::Random(160), &mut rng)?;
    bench.check_everything()
}

#[test]
fn stall_mode_takes_a_record_every_cycle() -> Result<(), Disagreement> {
    for harness in HARNESSES.iter() {
        let mut bench = harness.bench(Protocol::Pipelined).expect("it resets");
        if bench.geometry().may_hold() {
            continue;
        }
        bench.enable()?;
        for hazard in Hazard::ALL {
            let mut rng = rng(8);
            let mut stream = HazardStream::new(hazard, bench.geometry(), &mut rng);
            let (cycles, records) = (bench.cycles(), bench.total(Counter::Records));
            bench.stream(3000, &mut stream, Pace::Full, &mut rng)?;
            assert_eq!(bench.cycles() - cycles, 3000, "{hazard:?}");
            bench.settle()?;
            assert_eq!(bench.total(Counter::Records) - records, 3000, "{hazard:?}");
        }
        assert_eq!(bench.read_now(Counter::LostRecords.offset())?, 0);
    }
    Ok(())
}
