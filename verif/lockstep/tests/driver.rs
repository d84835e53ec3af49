//! The driver on the emitted Verilog, over the bus whose accesses take the fewest cycles: when it says that the profiler is at rest, it is.
//! With several harts the time that it waits is tried instead, as it is not tied to a bus.

use hpp_driver::{Access, Driver, registers as words};
use hpp_gen::{Bus, Config};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, LookupScheme, Replacement};
use hpp_golden::profiler::Rows;
use hpp_golden::registers::{CONTROL, Counter, at, control, drain_control};
use hpp_lockstep::bus::{ApbMaster, BusDevice};
use hpp_lockstep::geometries::Named;
use hpp_lockstep::harts::{self, design};
use hpp_lockstep::stream::{Hazard, HazardStream, Stream, StreamRng, rng};
use hpp_lockstep::{Bench, Disagreement, Harness, Pace};

type ApbBench = Bench<BusDevice<ApbMaster>>;

/// Registers behind APB, each access as soon as the one before is over.
struct Software<'a>(&'a mut ApbBench);

impl Access for Software<'_> {
    fn read(&mut self, offset: u32) -> u32 {
        let word = self.0.read_now(offset);
        word.unwrap_or_else(|error| panic!("read of {offset:#04x}: {error}"))
    }

    fn write(&mut self, offset: u32, value: u32) {
        self.0.write(offset, value);
        let done = self.0.finish_bus();
        done.unwrap_or_else(|error| panic!("write of {offset:#04x}: {error}"));
    }
}

/// Sizes with which most is under way when a profiler is stopped: full queues, the longest lookups, deep stacks whose returns go astray.
fn harnesses() -> Vec<Harness> {
    let slow = |name, lookup| Named {
        name,
        seed: None,
        geometry: Geometry {
            sets: 2,
            ways: 32,
            queue_depth: 64,
            stack_depth: 64,
            stack_check: true,
            lookup,
            ..Geometry::default()
        },
    };
    let ones = [
        "guarded",
        "sequential-smallest",
        "shadow",
        "rrip",
        "drained-sequential",
        "drained-rrip",
        "drained-guarded",
    ];
    let ones = ones.map(|name| Named::find(name).expect("a test geometry"));
    let own = [
        slow("slow-sequential", LookupScheme::Sequential),
        slow("slow", LookupScheme::Parallel),
    ];
    let config = Config {
        bus: Bus::Apb,
        ..Config::default()
    };
    let build = |named: &Named| Harness::build(named, &config);
    let harnesses = ones.iter().chain(&own).map(build);
    harnesses
        .map(|harness| harness.unwrap_or_else(|error| panic!("{error:#}")))
        .collect()
}

/// Calls as deep as the stack, then returns of which none fits.
fn astray(depth: u64) -> impl Stream {
    let mut number = 0;
    move |_: &mut StreamRng| {
        let kind = match number % (2 * depth) < depth {
            true => BranchKind::Call,
            false => BranchKind::Return,
        };
        number += 1;
        BranchRecord::new(kind, true, 0x1000 + 0x100 * number, 0x10).with_events(1)
    }
}

/// Records that leave as much behind as there may be.
fn streams(geometry: &Geometry, rng: &mut StreamRng) -> Vec<(&'static str, Box<dyn Stream>)> {
    let mut hazard = |hazard| Box::new(HazardStream::new(hazard, geometry, rng));
    vec![
        ("misses", hazard(Hazard::SameSetMisses)),
        ("anything", hazard(Hazard::Anywhere)),
        ("returns", hazard(Hazard::Underflow)),
        ("astray", Box::new(astray(geometry.stack_depth.into()))),
    ]
}

/// Enabled, with records until the queue has been full for long, if it can be; the last are there when `CONTROL` is written.
fn run(bench: &mut ApbBench, stream: &mut dyn Stream) -> Result<(), Disagreement> {
    let mut rng = rng(5);
    bench.write(at::CONTROL, control::ENABLE.mask());
    if bench.geometry().has_drain() {
        bench.write(at::DRAIN_CONTROL, drain_control::HOLD.mask());
    }
    bench.finish_bus()?;
    for _ in 0..2000 {
        let record = stream.record(&mut rng);
        // A full drain holds a record for ever.
        let mut patience = 300;
        while !bench.cycle(Some(&record))? && patience > 0 {
            patience -= 1;
        }
        if patience == 0 {
            break;
        }
    }
    bench.write(at::CONTROL, control::ENABLE.mask());
    bench.set_holds(false);
    bench.stream_until_idle(stream, Pace::Full, &mut rng)?;
    bench.set_holds(true);
    Ok(())
}

/// The counters, those first that lookups count.
const LATEST_FIRST: [Counter; 8] = [
    Counter::Replacements,
    Counter::Hits,
    Counter::Paths,
    Counter::Underflows,
    Counter::Overflows,
    Counter::Splits,
    Counter::LostRecords,
    Counter::Records,
];

fn counters(driver: &mut Driver<Software<'_>>) -> [u64; 8] {
    LATEST_FIRST.map(|counter| driver.counter(counter.offset()))
}

/// Entries that wait in the drain, if there is one.
fn level(driver: &mut Driver<Software<'_>>) -> u32 {
    match driver.drains() {
        true => driver.access().read(words::drain_status::OFFSET),
        false => 0,
    }
}

/// What software does with each profiler behind each stream; the name of both goes with it.
fn each(
    seed: u64,
    work: impl Fn(&mut Driver<Software<'_>>, &str) -> Result<(), Disagreement>,
) -> Result<(), Disagreement> {
    for harness in harnesses() {
        let mut rng = rng(seed);
        for (name, mut stream) in streams(&harness.named().geometry, &mut rng) {
            let mut bench = harness.bench_on().expect("it resets");
            run(&mut bench, &mut *stream)?;
            let mut driver = Driver::new(Software(&mut bench)).expect("a profiler");
            work(&mut driver, &format!("{}, {name}", harness.named().label()))?;
            bench.check_everything()?;
        }
    }
    Ok(())
}

/// Nothing is in the table, nor waits in a drain.
fn assert_empty(driver: &mut Driver<Software<'_>>, place: &str) {
    driver.read(|entry| panic!("{place}: {entry:?}"));
    if driver.drains() {
        driver
            .drain(|left| panic!("{place}: {left:?}"))
            .expect("a drain");
    }
}

/// What is read as soon as the driver has stopped the profiler is what is read ever after.
#[test]
fn a_profiler_that_was_stopped_is_at_rest() -> Result<(), Disagreement> {
    each(3, |driver, place| {
        driver.stop();
        let at_once = counters(driver);
        let left = level(driver);
        driver.access().0.settle()?;
        assert_eq!(counters(driver), at_once, "{place}");
        assert_eq!(level(driver), left, "{place}");
        let totals = LATEST_FIRST.map(|counter| driver.access().0.total(counter));
        assert_eq!(at_once, totals, "{place}");
        Ok(())
    })
}

/// Behind the driver's reset nothing of what was under way comes to light.
#[test]
fn a_profiler_that_was_emptied_stays_empty() -> Result<(), Disagreement> {
    each(4, |driver, place| {
        driver.reset().expect("in its time");
        driver.access().0.settle()?;
        assert_eq!(counters(driver), [0; 8], "{place}");
        assert_eq!(driver.errors(), 0, "{place}");
        assert_empty(driver, place);
        Ok(())
    })
}

/// What `docs/security.md` has a kernel do before it hands the profiler to a user. While a drain was full and held, the records in the queue came into
/// the table once it was emptied.
#[test]
fn a_user_finds_nothing_of_whoever_was_before() -> Result<(), Disagreement> {
    each(6, |driver, place| {
        hand_over(driver);
        driver.start();
        driver.access().0.settle()?;
        let entry = driver.access().0.geometry().entry_words();
        let first = (0..entry).map(|_| driver.access().read(words::table_data::OFFSET));
        assert_eq!(first.sum::<u32>(), 0, "{place}");
        assert_empty(driver, place);
        Ok(())
    })
}

fn hand_over(driver: &mut Driver<Software<'_>>) {
    driver.stop();
    driver
        .set_rows(Rows::BALL_LARUS.to_word())
        .expect("legal rows");
    let contexts = driver.set_context(1, 1).is_ok();
    let access = driver.access();
    access.write(words::command::OFFSET, words::command::CLEAR.mask());
    let clearing = words::status::CLEARING.mask();
    while access.read(words::status::OFFSET) & clearing != 0 {}
    if driver.drains() {
        let clear = words::drain_command::CLEAR.mask();
        driver.access().write(words::drain_command::OFFSET, clear);
    }
    driver.access().write(words::table_index::OFFSET, 0);
    assert_eq!(driver.lock().is_ok(), contexts);
}

/// Registers behind the bus of a profiler with several harts, which go on.
struct Shared<'a>(&'a mut harts::Bench);

impl Access for Shared<'_> {
    fn read(&mut self, offset: u32) -> u32 {
        self.0.access(offset, None)
    }

    fn write(&mut self, offset: u32, value: u32) {
        self.0.access(offset, Some(value));
    }
}

/// The harts' queues are full of paths that miss, or of returns that go astray, when profiling is disabled. After the cycles that the driver
/// waits, every path has been looked up and counted.
#[test]
fn harts_that_share_a_table_are_at_rest_when_the_driver_has_waited() {
    let policies = [
        Geometry::default(),
        Geometry {
            replacement: Replacement::Shadow,
            ..Geometry::default()
        },
        Geometry {
            replacement: Replacement::Rrip,
            queue_depth: 16,
            ..Geometry::default()
        },
        Geometry {
            stack_check: true,
            stack_depth: 16,
            queue_depth: 8,
            ..Geometry::default()
        },
    ];
    for geometry in policies {
        let default = geometry == Geometry::default();
        for harts in [1, 2, 4, 8] {
            if !default && matches!(harts, 1 | 4) {
                continue;
            }
            let geometry = Geometry {
                sets: 2,
                harts,
                context_bits: 3,
                ..geometry
            };
            let design = design(&geometry);
            for astray_returns in [false, true] {
                at_rest(&design, &geometry, astray_returns);
            }
        }
    }
}

fn at_rest(design: &verilated::Design, geometry: &Geometry, astray_returns: bool) {
    let place = format!("{geometry:?}, astray {astray_returns}");
    let mut bench = harts::Bench::new(design, geometry, 1, |_, _| {
        let mut stream: Box<dyn Stream> = match astray_returns {
            true => Box::new(astray(geometry.stack_depth.into())),
            false => Box::new(missing()),
        };
        Box::new(move |rng, pace| (pace > 0).then(|| stream.record(rng)))
    });
    let settling = Driver::new(Shared(&mut bench))
        .expect("a profiler")
        .settling();
    assert_eq!(settling, geometry.settling(), "{place}");
    bench.write(CONTROL, control::ENABLE.put(1));
    bench.pace = 1;
    (0..2000).for_each(|_| bench.cycle());
    bench.access(CONTROL.offset, Some(0));
    let mut shown = Vec::new();
    for cycle in 0..settling {
        let before = bench.board.paths;
        bench.cycle();
        shown.extend((bench.board.paths > before).then_some(cycle));
    }
    let last = shown.last().copied().unwrap_or(0);
    println!(
        "{} harts, {:?}, astray {astray_returns}: {} paths, the last after {last} of {settling} cycles",
        geometry.harts,
        geometry.replacement,
        shown.len()
    );
    let mut driver = Driver::new(Shared(&mut bench)).expect("a profiler");
    let looked_up = [Counter::Paths, Counter::Replacements, Counter::Hits];
    let at_once = looked_up.map(|counter| driver.counter(counter.offset()));
    let of_model = looked_up.map(|counter| driver.access().0.board.model.counters().get(counter));
    assert_eq!(at_once, of_model, "{place}");
    (0..harts::QUIET).for_each(|_| bench.cycle());
    let mut driver = Driver::new(Shared(&mut bench)).expect("a profiler");
    let later = looked_up.map(|counter| driver.counter(counter.offset()));
    assert_eq!(at_once, later, "{place}");
}

/// Each record completes a path that is new.
fn missing() -> impl Stream {
    let mut number = 0;
    move |_: &mut StreamRng| {
        number += 4;
        BranchRecord::new(BranchKind::Backward, true, 0x1000 + number, 0x10).with_events(1)
    }
}
