//! Scenarios of a few steps: defects that were found, by name.

use super::HARNESSES;
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::profiler::{Extension, Row, Rows};
use hpp_golden::registers::{Counter, at, command, ppcr_mode};
use hpp_lockstep::scenario::{Step, play};
use hpp_lockstep::stream::{StreamRng, rng};
use hpp_lockstep::{
    Device, Disagreement, Drive, Harness, Protocol, Request, Seen, VerilatedDevice, epoch,
};
use rand::Rng;

fn harness(name: &str) -> &'static Harness {
    HARNESSES
        .iter()
        .find(|harness| harness.named().name == name)
        .expect("a harness")
}

fn branch(kind: BranchKind, target: u64) -> Step {
    Step::Record {
        held: true,
        kind,
        taken: false,
        target,
        events: 0,
    }
}

fn access(offset: u32, write: Option<u32>) -> Step {
    Step::Request(Request {
        write,
        ..Request::read(offset)
    })
}

fn write(offset: u32, value: u32) -> Step {
    access(offset, Some(value))
}

#[test]
fn the_status_says_in_its_cycle_that_an_entry_is_fetched() {
    for harness in HARNESSES.iter() {
        let mut bench = harness.bench(Protocol::Pipelined).expect("it resets");
        for gap in 0..12 {
            let steps = [
                write(at::TABLE_INDEX, 0),
                Step::Idle(gap),
                access(at::STATUS, None),
                Step::Idle(40),
            ];
            play(&mut bench, &steps).unwrap_or_else(|error| {
                panic!("`{}`, {gap} cycles later: {error}", harness.named().name)
            });
        }
    }
}

/// A clear's walk that came into a set right after a path took the path still shown on `path_*` for its own, and left
/// the entry's count where it was.
#[test]
fn a_clear_right_after_a_path_empties_its_entry() {
    for gap in 0..8 {
        let steps = [
            branch(BranchKind::Return, 0),
            branch(BranchKind::Return, 0),
            branch(BranchKind::Return, 0),
            Step::Idle(gap),
            write(at::COMMAND, command::CLEAR.put(1)),
            Step::Check,
        ];
        let mut bench = harness("smallest")
            .bench(Protocol::Pipelined)
            .expect("it resets");
        play(&mut bench, &steps).unwrap_or_else(|error| panic!("{gap} cycles later: {error}"));
    }
}

/// While the table's clear began with the first cycle of a one-cycle reset, the set last read out stood on its address beside the
/// first set: that one kept its entries.
#[test]
fn a_reset_of_one_cycle_empties_the_first_set_whatever_was_read() -> Result<(), Disagreement> {
    let mut bench = harness("odd")
        .bench(Protocol::Pipelined)
        .expect("it resets");
    let geometry = *bench.geometry();
    let first_set = 0;
    bench.enable()?;
    for entry in geometry.ways..geometry.sets * geometry.ways {
        let records = (0..4).map(|_| branch(BranchKind::Return, first_set));
        let read = write(at::TABLE_INDEX, entry);
        let steps: Vec<Step> = records.chain([read, Step::Idle(40)]).collect();
        play(&mut bench, &steps)?;
        bench.reset(1)?;
        bench.check_everything()?;
        bench.enable()?;
    }
    Ok(())
}

/// A handler that returns 2 or 4 bytes past the end of the address space stays in its context: the carry out of the address went into the context above it, so
/// that a return into the next context fitted, and one into its own did not.
#[test]
fn a_trap_return_past_the_end_of_the_address_space_stays_in_its_context() {
    let harness = harness("guarded");
    let geometry = harness.named().geometry;
    let last = Geometry::mask(geometry.pc_bits) & !Geometry::mask(geometry.align);
    let record = |kind, target, context, next| {
        BranchRecord::new(kind, true, geometry.in_context(target, context), next)
    };
    let contexts = 1 << geometry.context_bits;
    for from in 0..contexts {
        for to in 0..contexts {
            let records = [
                record(BranchKind::Backward, 0x100, from, 0),
                record(BranchKind::Trap, 0x800, from, last),
                record(BranchKind::TrapReturn, 0, to, 0),
                record(BranchKind::Backward, 0x100, to, 0),
            ];
            let mut bench = harness.bench(Protocol::Pipelined).expect("it resets");
            let mut play = || {
                bench.enable()?;
                for record in &records {
                    while !bench.cycle(Some(record))? {}
                }
                bench.check_everything()?;
                bench.read_now(at::REPAIRS)
            };
            let repairs = play().unwrap_or_else(|error| panic!("from {from} to {to}: {error}"));
            assert_eq!(repairs, u32::from(from != to), "from {from} to {to}");
        }
    }
}

/// A device whose core drives the constant low bits of its addresses with something else in every cycle, also while a record waits.
struct Unaligned {
    device: VerilatedDevice,
    low: u64,
    noise: StreamRng,
}

impl Device for Unaligned {
    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String> {
        let mut drive = *drive;
        if let Some(record) = &mut drive.record {
            record.target |= self.noise.next_u64() & self.low;
            record.next |= self.noise.next_u64() & self.low;
        }
        self.device.cycle_into(&drive, seen)
    }
}

#[test]
fn the_constant_low_bits_of_an_address_are_not_looked_at() {
    for harness in HARNESSES.iter() {
        let low = Geometry::mask(harness.named().geometry.align);
        let unaligned = |device| Unaligned {
            device,
            low,
            noise: rng(1),
        };
        let bench = harness.bench_around(Protocol::Pipelined, unaligned);
        let mut bench = bench.expect("it resets");
        let outcome = epoch::hazards(&mut bench, 2, 500);
        outcome.unwrap_or_else(|(hazard, error)| {
            panic!("`{}`, {hazard:?}: {error}", harness.named().name)
        });
    }
}

/// An extension counter of eight bits at its end: calls beyond 255 that one path goes on across, and as many backward branches.
#[test]
fn a_path_extends_as_often_as_the_widest_counter_counts() -> Result<(), Disagreement> {
    let [harness] = &Harness::of_names(&["widest"])[..] else {
        unreachable!("one of a name");
    };
    let most = Geometry::mask(harness.named().geometry.extension_bits) as u32;
    assert_eq!(most, 255);
    let mut rows = Rows::BALL_LARUS;
    rows[BranchKind::Backward] = Row::from_bits(14).expect("update count, pop, push");
    for limit in [most - 1, most] {
        for extension in [Extension::Loop, Extension::Procedure] {
            let mut bench = harness.bench(Protocol::Pipelined).expect("it resets");
            let mode = ppcr_mode::EXTENSION.put(extension as u32)
                | ppcr_mode::MAX_EXTENSION.put(limit)
                | ppcr_mode::METRIC.put(1);
            bench.write(at::PPCR_ROWS, rows.to_word());
            bench.write(at::PPCR_MODE, mode);
            let kinds = [
                (BranchKind::Call, 300),
                (BranchKind::Return, 310),
                (BranchKind::Backward, 600),
            ];
            let step = |kind, target| Step::Record {
                held: true,
                kind,
                taken: true,
                target,
                events: 1,
            };
            let each = |(kind, count)| (0..count).map(move |target| step(kind, target));
            let steps: Vec<Step> = kinds.into_iter().flat_map(each).collect();
            play(&mut bench, &steps)?;
            let paths = bench.total(Counter::Paths);
            assert!(paths > 0, "{extension:?}, {limit}");
        }
    }
    Ok(())
}
