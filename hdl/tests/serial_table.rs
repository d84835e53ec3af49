//! The serial hot path table alone, in rust-hdl simulation against the golden model: contents, statistics, and the very
//! cycle of everything it does.

use hpp_golden::config::{Geometry, LookupScheme};
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{HotPathTable as Model, Lookup};
use hpp_hdl::sim::Simulator;
use hpp_hdl::table::{HOLD_AT, PLACES, SerialTable};
use proptest::prelude::*;

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

/// Few paths and few counts, so that hits, misses and equal accumulators follow each other closely.
fn path() -> impl Strategy<Value = CompletedPath> {
    (
        0u64..7,
        prop_oneof![9 => 0u32..4, 1 => Just(200)],
        0u32..2,
        0u64..2,
    )
        .prop_map(|(start, count, length, outcome)| CompletedPath {
            descriptor: PathDescriptor {
                start: 4 * start,
                length,
                outcomes: outcome & u64::from(length),
            },
            count,
        })
}

fn cycle(paths: f64) -> impl Strategy<Value = Cycle> {
    (
        prop::option::weighted(paths, path()),
        prop::bool::weighted(0.05),
        prop::bool::weighted(0.01),
    )
        .prop_map(|(path, freeze, clear)| Cycle {
            path,
            freeze,
            clear,
        })
}

/// When the table does what: the rule of `docs/timing.md`, beside the contents that the model has.
struct Expected {
    geometry: Geometry,
    model: Model,
    /// The last cycles of the lookups that are not over yet, and what they report.
    lookups: Vec<(u64, Lookup)>,
    last: Option<u64>,
    clearing_until: u64,
}

impl Expected {
    fn new(geometry: &Geometry, reset_ends: u64) -> Self {
        Self {
            geometry: *geometry,
            model: Model::new(geometry),
            lookups: Vec::new(),
            last: None,
            clearing_until: reset_ends + u64::from(geometry.clear_cycles()),
        }
    }

    /// The way in which a path is found.
    fn way(&self, path: &CompletedPath) -> Option<u64> {
        let entries = 0..self.geometry.entries() as usize;
        let is_there = |&number: &usize| {
            self.model
                .entry(number)
                .is_some_and(|entry| entry.descriptor == path.descriptor)
        };
        let number = entries.into_iter().find(is_there)?;
        Some(number as u64 % u64::from(self.geometry.ways))
    }

    fn enter(&mut self, now: u64, path: &CompletedPath) {
        let steps = match self.way(path) {
            Some(way) => way + 3,
            None => u64::from(self.geometry.ways) + 2,
        };
        let first = self.last.map_or(now + 2, |last| (last + 1).max(now + 2));
        let last = first + steps - 1;
        self.last = Some(last);
        self.lookups.push((last, self.model.record(path)));
    }

    fn clear(&mut self, now: u64) {
        self.model.clear();
        let first = self.last.map_or(now + 1, |last| (last + 1).max(now + 1));
        self.clearing_until = first + u64::from(self.geometry.clear_cycles());
    }

    /// `hit`, `replacement`, `saturated` in this cycle.
    fn reports(&self, now: u64) -> [bool; 3] {
        let over = self.lookups.iter().find(|(last, _)| *last == now);
        let lookup = over.map(|(_, lookup)| *lookup);
        [
            matches!(lookup, Some(Lookup::Hit { .. })),
            matches!(lookup, Some(Lookup::Replaced { .. })),
            matches!(lookup, Some(Lookup::Hit { saturated: true })),
        ]
    }
}

/// Reads one entry; the high part of start, outcomes and length lie in the tag from bit 0 upwards.
fn entry(
    circuit: &mut Simulator<SerialTable>,
    geometry: &Geometry,
    number: u32,
) -> Option<CompletedPath> {
    circuit.set("read_request", 1);
    circuit.set("read_set", (number / geometry.ways).into());
    circuit.set("read_way", 1 << (number % geometry.ways));
    circuit.settle();
    for _ in 0..20 {
        circuit.tick();
        if circuit.get("read_done") == 1 {
            circuit.set("read_request", 0);
            let (tag, count) = (circuit.get("read_tag"), circuit.get("read_count") as u32);
            let start_low = circuit.get("read_start_low");
            circuit.tick();
            let start_bits = geometry.pc_bits - geometry.align - geometry.set_bits();
            let start = (tag & Geometry::mask(start_bits)) << geometry.set_bits() | start_low;
            let outcomes = tag >> start_bits & Geometry::mask(geometry.max_branches);
            let length = tag >> (start_bits + geometry.max_branches)
                & Geometry::mask(geometry.length_bits());
            let found = CompletedPath {
                descriptor: PathDescriptor {
                    start: start << geometry.align,
                    length: length as u32,
                    outcomes,
                },
                count,
            };
            assert!(
                count != 0 || found == CompletedPath::default(),
                "an empty entry reads {found:?}"
            );
            return (count != 0).then_some(found);
        }
    }
    panic!("entry {number} is never read");
}

/// Drives the cycles, with `latency` of them from `hold` to the path it held back, and reads the table at the end.
fn check(geometry: &Geometry, latency: usize, cycles: &[Cycle]) -> Result<u64, TestCaseError> {
    let mut circuit = Simulator::new(SerialTable::new(geometry));
    circuit.reset();
    let mut expected = Expected::new(geometry, circuit.cycle());
    let mut on_the_way: Vec<Option<CompletedPath>> = vec![None; latency];
    let longest = PLACES * (geometry.ways + 2) + geometry.clear_cycles() + 8;
    let drain = (0..longest).map(|_| &IDLE);
    let mut held = 0;
    let mut script = cycles.iter().chain(drain).peekable();
    while let Some(&&cycle) = script.peek() {
        let now = circuit.cycle();
        let path = on_the_way.remove(0);
        let shown = path.unwrap_or_default();
        circuit.set("path_valid", path.is_some().into());
        circuit.set("path_start", shown.descriptor.start >> geometry.align);
        circuit.set("path_length", shown.descriptor.length.into());
        circuit.set("path_outcomes", shown.descriptor.outcomes);
        circuit.set("path_count", shown.count.into());
        circuit.set("freeze", cycle.freeze.into());
        circuit.set("clear", cycle.clear.into());
        circuit.settle();
        let waiting = expected.lookups.iter().filter(|(last, _)| *last >= now);
        let hold = waiting.count() as u32 >= HOLD_AT;
        let clearing = now < expected.clearing_until;
        prop_assert_eq!(circuit.get("hold") == 1, hold, "hold in cycle {}", now);
        prop_assert_eq!(
            circuit.get("clearing") == 1,
            clearing,
            "clearing in cycle {}",
            now
        );
        let seen = ["hit", "replacement", "saturated"].map(|port| circuit.get(port) == 1);
        prop_assert_eq!(seen, expected.reports(now), "reports in cycle {}", now);
        if let Some(path) = path.filter(|_| !clearing && !cycle.freeze) {
            expected.enter(now, &path);
        }
        if cycle.clear {
            expected.clear(now);
        }
        held += u64::from(hold);
        on_the_way.push(cycle.path.filter(|_| !hold));
        script.next();
        circuit.tick();
    }
    for number in 0..geometry.entries() {
        let found = entry(&mut circuit, geometry, number);
        let wanted = expected.model.entry(number as usize);
        let wanted = wanted.map(|entry| CompletedPath {
            descriptor: entry.descriptor,
            count: entry.count,
        });
        prop_assert_eq!(found, wanted, "entry {}", number);
    }
    Ok(held)
}

fn geometry(sets: u32, ways: u32, accumulator_bits: u32) -> Geometry {
    Geometry {
        sets: 1 << sets,
        ways,
        max_branches: 8,
        accumulator_bits,
        lookup: LookupScheme::Serial,
        ..Geometry::default()
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn everything_happens_in_its_cycle_and_contents_are_those_of_one_path_after_another(
        sets in 1u32..3,
        ways in 1u32..7,
        accumulator_bits in prop::sample::select(vec![8u32, 32]),
        latency in 1usize..4,
        cycles in prop_oneof![
            prop::collection::vec(cycle(0.9), 1..400),
            prop::collection::vec(cycle(0.2), 1..400),
        ],
    ) {
        check(&geometry(sets, ways, accumulator_bits), latency, &cycles)?;
    }
}

/// A path in every cycle: the buffer fills to its last place, holds, and loses none.
#[test]
fn a_path_in_every_cycle_fills_the_buffer_and_none_is_lost() -> Result<(), TestCaseError> {
    let paths = (0..300).map(|number| Cycle {
        path: Some(CompletedPath {
            descriptor: PathDescriptor {
                start: 4 * (number % 5),
                length: 0,
                outcomes: 0,
            },
            count: 1,
        }),
        ..IDLE
    });
    let cycles: Vec<_> = (0..8).map(|_| IDLE).chain(paths).collect();
    for latency in 1..=(PLACES - HOLD_AT) as usize - 1 {
        let held = check(&geometry(1, 4, 32), latency, &cycles)?;
        prop_assert!(held > 200, "held for only {} cycles", held);
    }
    Ok(())
}
