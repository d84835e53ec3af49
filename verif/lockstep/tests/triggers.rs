//! Starts and stops in any cycle, and the interrupt after so many paths, on the emitted Verilog in lockstep with the model.

use hpp_gen::Config;
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, LookupScheme};
use hpp_golden::profiler::ResetValues;
use hpp_golden::registers::{
    self, Counter, TRIGGER_CONTROL, TRIGGER_KEPT_OUT, TRIGGER_PATHS, TRIGGER_START_LO,
    TRIGGER_STATUS, TRIGGER_STOP_LO, command, control, trigger_control,
};
use hpp_lockstep::geometries::Named;
use hpp_lockstep::stream::{Mixture, Stream, StreamRng};
use hpp_lockstep::{Bench, Device, Disagreement, Drive, Harness, Pace, Protocol, Seen};
use hpp_lockstep::{VerilatedDevice, epoch, first_seed, stream};
use rand::{Rng, RngExt};
use std::sync::LazyLock;

const RUN: u32 = trigger_control::RUN.mask();
const START: u32 = trigger_control::START_ADDRESS.mask();
const STOP: u32 = trigger_control::STOP_ADDRESS.mask();
const AT_RETURN: u32 = trigger_control::AT_RETURN.mask();

/// One that never holds the core; one that does for every reason, with a drain beside the triggers; one with addresses of a single word.
static HARNESSES: LazyLock<Vec<Harness>> = LazyLock::new(|| {
    let triggered = Named::find("triggered").expect("a test geometry");
    let held = Geometry {
        sets: 2,
        ways: 3,
        queue_depth: 2,
        lookup: LookupScheme::Sequential,
        stack_check: true,
        drain_depth: 64,
        ..triggered.geometry
    };
    let narrow = Geometry {
        pc_bits: 32,
        align: 2,
        context_bits: 0,
        queue_depth: 2,
        ..triggered.geometry
    };
    let named = |name, geometry| Named {
        name,
        seed: None,
        geometry,
    };
    [
        triggered,
        named("triggered-held", held),
        named("triggered-narrow", narrow),
    ]
    .iter()
    .map(|named| {
        Harness::build(named, &Config::default()).unwrap_or_else(|error| panic!("{error:#}"))
    })
    .collect()
});

/// A device, and what passed its pins.
struct Watched {
    device: VerilatedDevice,
    /// Cycles with an event input in which a record had to wait.
    amid_stalls: u64,
    interrupts: u64,
    irq: bool,
}

impl Device for Watched {
    fn cycle_into(&mut self, drive: &Drive, seen: &mut Seen) -> Result<(), String> {
        self.device.cycle_into(drive, seen)?;
        let event = drive.trigger_start || drive.trigger_stop;
        self.amid_stalls += u64::from(event && drive.record.is_some() && !seen.ready);
        self.interrupts += u64::from(seen.trigger_irq && !self.irq);
        self.irq = seen.trigger_irq;
        Ok(())
    }
}

fn bench(harness: &Harness) -> Bench<Watched> {
    let watched = |device| Watched {
        device,
        amid_stalls: 0,
        interrupts: 0,
        irq: false,
    };
    harness
        .bench_around(Protocol::Pipelined, watched)
        .expect("it resets")
}

/// Targets among a few, so that starts and stops are met often.
fn few(rng: &mut StreamRng) -> BranchRecord {
    BranchRecord {
        kind: BranchKind::from_code(rng.random_range(0..8)),
        taken: rng.random(),
        target: 0x100 * rng.random_range(0..8u64),
        next: 0x100 * rng.random_range(0..8u64),
        events: rng.random_range(0..4),
    }
}

/// What steers triggers, and what else a record may meet: freeze, clear, lossy mode, a disabled profiler.
fn steer(bench: &mut Bench<Watched>, rng: &mut StreamRng) {
    let address = 0x100 * rng.random_range(0..8u32);
    let running = control::ENABLE.put(u32::from(rng.random_range(0..8) > 0));
    let word = rng.next_u32();
    let (register, value) = match rng.random_range(0..12) {
        0 => (
            registers::CONTROL,
            running | word & (control::FREEZE.mask() | control::LOSSY.mask()),
        ),
        1 => (registers::COMMAND, 1 << rng.random_range(0..3)),
        2 => (TRIGGER_START_LO, address),
        3 => (TRIGGER_STOP_LO, address),
        4 | 5 => (TRIGGER_PATHS, rng.random_range(0..6)),
        6 | 7 => (TRIGGER_STATUS, word),
        _ => (TRIGGER_CONTROL, word),
    };
    bench.write(register.offset, value);
    if rng.random() {
        let all: Vec<_> = registers::TRIGGER_REGISTERS.iter().collect();
        bench.read(all[rng.random_range(0..all.len())].offset);
    }
}

#[test]
fn starts_and_stops_in_any_cycle_agree_with_the_model() -> Result<(), Disagreement> {
    let seed = first_seed("triggers");
    for harness in HARNESSES.iter() {
        let name = harness.named().name;
        println!("{name}: HPP_SEED={seed}");
        let mut rng = stream::rng(seed);
        let mut bench = bench(harness);
        bench.enable()?;
        for round in 0..400 {
            if round % 50 == 0 {
                bench.write(registers::CONTROL.offset, control::ENABLE.mask());
            }
            let pace = [Pace::Full, Pace::Random(160), Pace::Every(3)][rng.random_range(0..3)];
            bench.stream(rng.random_range(1..60), &mut few, pace, &mut rng)?;
            for _ in 0..rng.random_range(1..5) {
                steer(&mut bench, &mut rng);
            }
        }
        bench.stream_until_idle(&mut few, Pace::Full, &mut rng)?;
        bench.check_everything()?;
        let (records, paths) = bench.reference().compared();
        assert!(records > 1000 && paths > 100, "{name}: {records} {paths}");
        let watched = bench.device();
        assert!(watched.interrupts > 5, "{name}: {}", watched.interrupts);
        let waits = watched.amid_stalls;
        assert!(waits > 0 || !harness.named().geometry.may_hold(), "{name}");
    }
    Ok(())
}

#[test]
fn epochs_agree_with_the_model() {
    let seed = first_seed("triggers-epochs");
    for harness in HARNESSES.iter() {
        let mut bench = bench(harness);
        epoch::run(&mut bench, seed, 20_000)
            .unwrap_or_else(|error| panic!("{}, HPP_SEED={seed}: {error}", harness.named().name));
    }
}

#[test]
fn a_function_is_profiled_from_its_entry_to_its_exit() -> Result<(), Disagreement> {
    for harness in HARNESSES.iter() {
        let mut bench = bench(harness);
        bench.enable()?;
        bench.write(TRIGGER_START_LO.offset, 0x400);
        bench.write(TRIGGER_CONTROL.offset, START | STOP | AT_RETURN);
        bench.settle()?;
        let record =
            |kind, target, next| BranchRecord::new(kind, true, target, next).with_events(1);
        for site in [0x108, 0x208, 0x308] {
            let records = [
                record(BranchKind::Backward, 0x100, 0),
                record(BranchKind::Call, 0x400, site),
                record(BranchKind::Call, 0x600, 0x410),
                record(BranchKind::Return, 0x410, 0),
                record(BranchKind::Return, site, 0),
                record(BranchKind::Backward, 0x100, 0),
            ];
            for record in records {
                while !bench.cycle(Some(&record))? {}
            }
            assert_eq!(bench.read_now(TRIGGER_STOP_LO.offset)?, site as u32);
        }
        bench.settle()?;
        let entries = bench.reference().table().entries();
        let mut paths: Vec<_> = entries
            .map(|(_, entry)| (entry.descriptor.start, entry.count))
            .collect();
        paths.sort_unstable();
        assert_eq!(paths, [(0x400, 3), (0x600, 3)], "{}", harness.named().name);
        assert_eq!(bench.total(Counter::Records), 12);
        assert_eq!(bench.read_now(TRIGGER_KEPT_OUT.offset)?, 6);
        assert_eq!(bench.read_now(TRIGGER_CONTROL.offset)? & RUN, 0);
        bench.write(registers::COMMAND.offset, command::CLEAR_COUNTERS.mask());
        bench.finish_bus()?;
        assert_eq!(bench.read_now(TRIGGER_KEPT_OUT.offset)?, 0);
        bench.check_everything()?;
    }
    Ok(())
}

/// Every reset value but those that a test sets: what stops keeps out everything, however long.
#[test]
fn a_stopped_profiler_takes_nothing_and_never_holds_the_core() -> Result<(), Disagreement> {
    let harness = Harness::of_reset("triggered", ResetValues::enabled());
    let mut bench = bench(&harness);
    bench.write(TRIGGER_CONTROL.offset, 0);
    bench.settle()?;
    let mut rng = stream::rng(4);
    let mut mixture = Mixture::new(bench.geometry(), &mut rng);
    for _ in 0..5000 {
        let record = mixture.record(&mut rng);
        assert!(bench.cycle(Some(&record))?);
    }
    bench.settle()?;
    assert_eq!(bench.total(Counter::Records), 0);
    assert_eq!(bench.read_now(TRIGGER_KEPT_OUT.offset)?, 5000);
    bench.check_everything()
}
