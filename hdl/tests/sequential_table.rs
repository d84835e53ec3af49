//! The sequential hot path table alone, in rust-hdl simulation against the golden model: contents, statistics, and the very
//! cycle of everything it does.

use hpp_golden::config::{Geometry, LookupScheme};
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{HotPathTable as Model, Lookup};
use hpp_hdl::sim::Simulator;
use hpp_hdl::table::SequentialTable;
use proptest::prelude::*;
use std::collections::VecDeque;

/// What happens in one cycle; no path comes while another has to stay.
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
    /// What the table holds from these cycles on.
    contents: VecDeque<(u64, Vec<Option<CompletedPath>>)>,
    last: Option<u64>,
    clearing_until: u64,
}

impl Expected {
    fn new(geometry: &Geometry, reset_ends: u64) -> Self {
        Self {
            geometry: *geometry,
            model: Model::new(geometry),
            lookups: Vec::new(),
            contents: VecDeque::from([(0, vec![None; geometry.entries() as usize])]),
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
            Some(way) => way + 4,
            None => u64::from(self.geometry.ways) + 3,
        };
        let last = now + steps - 1;
        self.last = Some(last);
        self.lookups.push((last, self.model.record(path)));
        self.changed(last + 1);
    }

    fn changed(&mut self, from: u64) {
        let held = |number| {
            let entry = self.model.entry(number);
            entry.map(|entry| CompletedPath {
                descriptor: entry.descriptor,
                count: entry.count,
            })
        };
        let entries = (0..self.geometry.entries() as usize).map(held).collect();
        self.contents.push_back((from, entries));
    }

    /// What the table holds at the beginning of a cycle; cycles are asked about in their order.
    fn contents(&mut self, now: u64) -> Vec<Option<CompletedPath>> {
        while self.contents.get(1).is_some_and(|(from, _)| *from <= now) {
            self.contents.pop_front();
        }
        self.contents[0].1.clone()
    }

    fn clear(&mut self, now: u64) {
        self.model.clear();
        let first = self.last.map_or(now + 1, |last| (last + 1).max(now + 1));
        self.clearing_until = first + u64::from(self.geometry.clear_cycles());
        self.changed(self.clearing_until);
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

/// Reads entries one after another while the table works, and expects each as it was at its moment.
struct Reader {
    number: u32,
    /// Cycles until the request, then since.
    age: i32,
    /// What the table holds before each cycle, the latest first, and whether a clear is under way.
    history: VecDeque<(Vec<Option<CompletedPath>>, bool)>,
}

impl Reader {
    /// Before the edge: what `entry_done` shows, and the next request.
    fn cycle(
        &mut self,
        circuit: &mut Simulator<SequentialTable>,
        geometry: &Geometry,
    ) -> Result<(), TestCaseError> {
        if circuit.get("entry_done") == 1 {
            // It was read two cycles ago.
            let (entries, clearing) = &self.history[2];
            let wanted = entries[self.number as usize].filter(|_| !clearing);
            prop_assert_eq!(entry(circuit, geometry), wanted, "entry {}", self.number);
            self.number = (self.number + 1) % geometry.entries();
            self.age = -2;
        }
        prop_assert!(self.age <= geometry.ways as i32 + 4, "no answer");
        self.age += 1;
        circuit.set("entry_number", self.number.into());
        circuit.set("entry_request", (self.age >= 0).into());
        circuit.settle();
        Ok(())
    }
}

/// The entry that the readout shows.
fn entry(circuit: &Simulator<SequentialTable>, geometry: &Geometry) -> Option<CompletedPath> {
    (circuit.get("entry_filled") == 1).then(|| CompletedPath {
        descriptor: PathDescriptor {
            start: circuit.get("entry_start") << geometry.align,
            length: circuit.get("entry_length") as u32,
            outcomes: circuit.get("entry_outcomes"),
        },
        count: circuit.get("entry_count") as u32,
    })
}

/// Drives the cycles, each path for as long as it has to stay, and reads the table at the end. Returns for how many cycles paths stayed.
fn check(geometry: &Geometry, cycles: &[Cycle]) -> Result<u64, TestCaseError> {
    let mut circuit = Simulator::new(SequentialTable::new(geometry));
    circuit.reset();
    let mut expected = Expected::new(geometry, circuit.cycle());
    let mut shown = CompletedPath::default();
    let mut stays = false;
    let mut reader = Reader {
        number: 0,
        age: -2,
        history: VecDeque::new(),
    };
    let readouts = 6 * geometry.entries();
    let longest = geometry.clear_cycles() + 16 + readouts;
    let drain = (0..longest).map(|_| &IDLE);
    let mut stayed = 0;
    for &cycle in cycles.iter().chain(drain) {
        let now = circuit.cycle();
        let path = cycle.path.filter(|_| !stays);
        shown = path.unwrap_or(shown);
        circuit.set("path_valid", path.is_some().into());
        circuit.set("path_start", shown.descriptor.start >> geometry.align);
        circuit.set("path_length", shown.descriptor.length.into());
        circuit.set("path_outcomes", shown.descriptor.outcomes);
        circuit.set("path_count", shown.count.into());
        circuit.set("freeze", cycle.freeze.into());
        circuit.set("clear", cycle.clear.into());
        circuit.settle();
        let clearing = now < expected.clearing_until;
        if let Some(path) = path.filter(|_| !clearing && !cycle.freeze) {
            expected.enter(now, &path);
        }
        stays = path.is_some() || expected.last.is_some_and(|last| last >= now);
        prop_assert_eq!(circuit.get("waits") == 1, stays, "waits in cycle {}", now);
        prop_assert_eq!(
            circuit.get("clearing") == 1,
            clearing,
            "clearing in cycle {}",
            now
        );
        let seen = ["hit", "replacement", "saturated"].map(|port| circuit.get(port) == 1);
        prop_assert_eq!(seen, expected.reports(now), "reports in cycle {}", now);
        reader
            .history
            .push_front((expected.contents(now), clearing));
        reader.history.truncate(3);
        reader.cycle(&mut circuit, geometry)?;
        if cycle.clear {
            expected.clear(now);
        }
        stayed += u64::from(stays);
        circuit.tick();
    }
    Ok(stayed)
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
        cycles in prop_oneof![
            prop::collection::vec(cycle(0.9), 1..400),
            prop::collection::vec(cycle(0.2), 1..400),
        ],
    ) {
        check(&geometry(sets, ways, accumulator_bits), &cycles)?;
    }
}

/// A path as soon as the one before is done with: none is lost, and each stays for its whole lookup.
#[test]
fn a_path_in_every_cycle_stays_for_its_lookup() -> Result<(), TestCaseError> {
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
    let stayed = check(&geometry(1, 4, 32), &cycles)?;
    prop_assert!(stayed > 200, "paths stayed for only {} cycles", stayed);
    Ok(())
}
