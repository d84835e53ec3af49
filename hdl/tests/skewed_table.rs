//! The skewed table alone, with either policy, in rust-hdl simulation against the golden model: contents, statistics, chances, and the very cycle in
//! which it is done with each path.

use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::table::shadow::FIRST_SCALE;
use hpp_golden::profiler::{Admission, HotPathTable as Model, Lookup, ResetValues};
use hpp_hdl::sim::Simulator;
use hpp_hdl::table::SkewedTable;
use hpp_hdl::table::skewed::{HOLD_AT, PLACES};
use proptest::prelude::*;
use std::collections::VecDeque;

/// What happens in one cycle; a path waits until `hold` was 0 so many cycles ago as the detector is long.
#[derive(Clone, Copy, Debug)]
struct Cycle {
    path: Option<CompletedPath>,
    freeze: bool,
    clear: bool,
}

const IDLE: Cycle = Cycle {
    path: None,
    freeze: false,
    clear: false,
};

fn path(number: u64, count: u32) -> CompletedPath {
    let length = (number % 3) as u32;
    let descriptor = PathDescriptor {
        start: 4 * (number / 3),
        length,
        outcomes: (number / 5) & u64::from(length > 0),
    };
    CompletedPath { descriptor, count }
}

/// A few hot paths and many others, so that hits, insertions, matches and strangers follow each other closely.
fn paths() -> impl Strategy<Value = CompletedPath> {
    let number = prop_oneof![4 => 0..12_u64, 3 => 12..40_u64, 1 => 0..400_u64];
    let count = prop_oneof![8 => Just(1_u32), 3 => 0..4_u32, 1 => Just(200)];
    (number, count).prop_map(|(number, count)| path(number, count))
}

fn cycle(weight: f64) -> impl Strategy<Value = Cycle> {
    (
        prop::option::weighted(weight, paths()),
        prop::bool::weighted(0.02),
        prop::bool::weighted(0.002),
    )
        .prop_map(|(path, freeze, clear)| Cycle {
            path,
            freeze,
            clear,
        })
}

/// When the table does what: the rule of its documentation, beside the contents that the model has.
struct Expected {
    model: Model,
    ways: u64,
    clear_cycles: u64,
    /// The cycle in which the next path is in stage 4 at the earliest.
    free: u64,
    /// The last cycle of the latest path.
    last: u64,
    /// Reports that are due: hit, replacement, saturated.
    reports: VecDeque<(u64, [bool; 3])>,
    clearing_until: u64,
}

impl Expected {
    fn new(geometry: &Geometry, seed: u32, reset_ends: u64) -> Self {
        let clear_cycles = geometry.clear_cycles().into();
        Self {
            model: Model::seeded(geometry, seed),
            ways: geometry.ways.into(),
            clear_cycles,
            free: reset_ends + clear_cycles + 8,
            last: 0,
            reports: VecDeque::new(),
            clearing_until: reset_ends + clear_cycles,
        }
    }

    fn enter(&mut self, now: u64, path: &CompletedPath) {
        let scale = self
            .model
            .shadow()
            .map_or(0, |shadow| shadow.scale().into());
        let (lookup, admission) = self.model.admit(path);
        let decided = self.free.max(now + 7);
        let scanned = decided + 6 + self.ways;
        let compared = (scanned + 6 + self.ways).max(scanned + 7 + scale);
        self.last = match admission {
            Admission::None if matches!(lookup, Lookup::Replaced { .. }) => decided + 6,
            Admission::None | Admission::Inserted(_) => decided,
            Admission::Strange => scanned,
            Admission::Grew => compared + 6,
            Admission::Promoted { moved: None, .. } => (compared + 12).max(compared + 2 + scale),
            Admission::Promoted { moved: Some(_), .. } => {
                (compared + 7).max(compared + 2 + scale) + 6
            }
        };
        let at_once = match lookup {
            Lookup::Hit { .. } => true,
            Lookup::Nothing => admission == Admission::None,
            _ => false,
        };
        self.free = self.last + if at_once { 1 } else { 6 };
        let report = match lookup {
            Lookup::Hit { saturated } => [true, false, saturated],
            Lookup::Replaced { .. } => [false, true, false],
            _ => return,
        };
        self.reports.push_back((self.last + 1, report));
    }

    fn clear(&mut self, now: u64) {
        self.model.clear();
        let first = (now + 1).max(self.last + 1);
        self.clearing_until = first + self.clear_cycles;
        self.free = self.clearing_until + 8;
    }

    fn reports(&mut self, now: u64) -> [bool; 3] {
        match self.reports.front() {
            Some((cycle, report)) if *cycle == now => {
                let report = *report;
                self.reports.pop_front();
                report
            }
            _ => [false; 3],
        }
    }
}

/// Reads an entry.
fn read(
    circuit: &mut Simulator<SkewedTable>,
    number: u32,
    geometry: &Geometry,
) -> Option<CompletedPath> {
    circuit.set("entry_number", number.into());
    circuit.set("entry_request", 0);
    circuit.tick();
    circuit.set("entry_request", 1);
    let mut waited = 0;
    loop {
        circuit.tick();
        circuit.settle();
        if circuit.get("entry_done") == 1 {
            break;
        }
        waited += 1;
        assert!(waited < 3, "no answer");
    }
    (circuit.get("entry_filled") == 1).then(|| CompletedPath {
        descriptor: PathDescriptor {
            start: circuit.get("entry_start") << geometry.align,
            length: circuit.get("entry_length") as u32,
            outcomes: circuit.get("entry_outcomes"),
        },
        count: circuit.get("entry_count") as u32,
    })
}

/// Drives the cycles, with `latency` of them from `hold` to the path it held back, and reads the table at the end.
fn check(
    geometry: &Geometry,
    seed: u32,
    latency: usize,
    cycles: &[Cycle],
) -> Result<Model, TestCaseError> {
    let reset = ResetValues {
        seed,
        ..ResetValues::default()
    };
    let mut circuit = Simulator::new(SkewedTable::new(geometry, &reset));
    circuit.reset();
    let mut expected = Expected::new(geometry, seed, circuit.cycle());
    let mut on_the_way: VecDeque<Option<CompletedPath>> = vec![None; latency].into();
    let mut waiting = cycles.iter();
    let mut frozen = false;
    loop {
        let now = circuit.cycle();
        let step = if circuit.get("hold") == 1 {
            Some(&IDLE)
        } else {
            waiting.next()
        };
        let Some(step) = step else { break };
        on_the_way.push_back(step.path);
        let path = on_the_way.pop_front().expect("it was pushed");
        frozen ^= step.freeze;
        circuit.set("path_valid", path.is_some().into());
        if let Some(path) = path {
            circuit.set("path_start", path.descriptor.start >> geometry.align);
            circuit.set("path_length", path.descriptor.length.into());
            circuit.set("path_outcomes", path.descriptor.outcomes);
            circuit.set("path_count", path.count.into());
        }
        circuit.set("freeze", frozen.into());
        circuit.set("clear", step.clear.into());
        circuit.settle();
        let seen = ["hit", "replacement", "saturated"].map(|name| circuit.get(name) == 1);
        prop_assert_eq!(seen, expected.reports(now), "cycle {}", now);
        let clearing = now < expected.clearing_until;
        prop_assert_eq!(circuit.get("clearing") == 1, clearing, "cycle {}", now);
        if let Some(path) = path.filter(|_| !frozen && !clearing) {
            expected.enter(now, &path);
        }
        if step.clear {
            expected.clear(now);
        }
        circuit.tick();
    }
    circuit.set("path_valid", 0);
    circuit.set("clear", 0);
    while circuit.cycle() < expected.last.max(expected.clearing_until) + 12 {
        circuit.settle();
        let now = circuit.cycle();
        let seen = ["hit", "replacement", "saturated"].map(|name| circuit.get(name) == 1);
        prop_assert_eq!(seen, expected.reports(now), "cycle {}", now);
        circuit.tick();
    }
    if let Some(shadow) = expected.model.shadow() {
        prop_assert_eq!(circuit.get("lfsr"), u64::from(shadow.chance()));
        prop_assert_eq!(circuit.get("scale"), u64::from(shadow.scale()));
    }
    for number in 0..geometry.entries() {
        let held = expected.model.entry(number as usize);
        let held = held.map(|entry| CompletedPath {
            descriptor: entry.descriptor,
            count: entry.count,
        });
        prop_assert_eq!(
            read(&mut circuit, number, geometry),
            held,
            "entry {}",
            number
        );
    }
    Ok(expected.model)
}

fn small(sets: u32, ways: u32) -> Geometry {
    Geometry {
        sets,
        ways,
        replacement: Replacement::Shadow,
        ..Geometry::default()
    }
}

fn geometry() -> impl Strategy<Value = Geometry> {
    (
        1..4_u32,
        1..6_u32,
        prop::sample::select(vec![8_u32, 13, 32]),
        1..9_u32,
        prop::sample::select(vec![Replacement::Shadow, Replacement::Rrip]),
    )
        .prop_map(
            |(sets, ways, accumulator_bits, event_counter_bits, replacement)| Geometry {
                accumulator_bits,
                event_counter_bits,
                replacement,
                ..small(1 << sets, ways)
            },
        )
}

/// Counts that an event counter of the geometry holds.
fn fit(geometry: &Geometry, cycles: &[Cycle]) -> Vec<Cycle> {
    let most = Geometry::mask(geometry.event_counter_bits) as u32;
    let fit = |path: CompletedPath| CompletedPath {
        count: path.count.min(most),
        ..path
    };
    cycles
        .iter()
        .map(|cycle| Cycle {
            path: cycle.path.map(fit),
            ..*cycle
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn it_does_what_the_model_does_in_the_cycles_it_states(
        geometry in geometry(),
        seed in 0..1_u32 << 27,
        latency in 0..4_usize,
        cycles in prop_oneof![
            prop::collection::vec(cycle(0.99), 1..1500),
            prop::collection::vec(cycle(0.3), 1..1500),
        ],
    ) {
        check(&geometry, seed, latency, &fit(&geometry, &cycles))?;
    }
}

/// Hot occupants, and a stranger that misses until no shadow can count it: k grows, and all shadows are halved.
#[test]
fn k_grows_where_a_shadow_is_full() {
    let geometry = small(2, 2);
    let mut cycles = Vec::new();
    for round in 0..30_000_u64 {
        let number = match round % 3 {
            0 | 1 => round / 3 % 4,
            _ => 100 + round / 3 % 2,
        };
        let count = if number < 4 { 200 } else { 1 };
        cycles.push(Cycle {
            path: Some(path(3 * number, count)),
            ..IDLE
        });
    }
    let model = check(&geometry, 5, 3, &cycles).expect("it agrees");
    let scale = model.shadow().expect("the geometry asks for it").scale();
    assert!(scale > FIRST_SCALE + 1, "k is {scale}");
}

#[test]
fn four_paths_are_left_room_for() {
    assert_eq!(PLACES - HOLD_AT, 4);
}
