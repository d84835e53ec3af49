//! The hot path table alone, in rust-hdl simulation against the golden model: a path a cycle into very few sets,
//! with clears and freezes at any moment, and its entries read all the while.

use hpp_golden::config::Geometry;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{HotPathTable as Model, Lookup};
use hpp_hdl::sim::Simulator;
use hpp_hdl::table::ParallelTable;
use proptest::prelude::*;
use std::collections::VecDeque;

/// What happens in one cycle.
#[derive(Clone, Copy, Debug)]
struct Cycle {
    path: Option<CompletedPath>,
    freeze: bool,
    clear: bool,
}

/// Few paths and few counts, so that hits, misses and equal accumulators follow each other closely.
fn cycle() -> impl Strategy<Value = Cycle> {
    let path = (0u64..7, prop_oneof![9 => 0u32..4, 1 => Just(200)], 0u32..2).prop_map(
        |(start, count, length)| CompletedPath {
            descriptor: PathDescriptor {
                start: 4 * start,
                length,
                outcomes: 0,
            },
            count,
        },
    );
    (
        prop::option::weighted(0.9, path),
        prop::bool::weighted(0.05),
        prop::bool::weighted(0.01),
    )
        .prop_map(|(path, freeze, clear)| Cycle {
            path,
            freeze,
            clear,
        })
}

/// Hits, replacements, saturations.
#[derive(Debug, Default, PartialEq, Eq)]
struct Tally([u64; 3]);

impl Tally {
    fn count(&mut self, lookup: Lookup) {
        match lookup {
            Lookup::Hit { saturated } => {
                self.0[0] += 1;
                self.0[2] += u64::from(saturated);
            }
            Lookup::Replaced { .. } => self.0[1] += 1,
            _ => {}
        }
    }

    fn sample(&mut self, circuit: &Simulator<ParallelTable>) {
        for (count, port) in self.0.iter_mut().zip(["hit", "replacement", "saturated"]) {
            *count += circuit.get(port);
        }
    }
}

/// Cycles from `path_*` to the cycle in which the mirror shows what a path has changed.
const TO_MIRROR: usize = 9;

/// Reads entries one after another while the table works, and expects each as it was at its moment.
struct Reader {
    geometry: Geometry,
    number: u32,
    /// Cycles until the request, then since.
    age: i32,
    /// What the model holds after each cycle, the latest first.
    history: VecDeque<Vec<Option<CompletedPath>>>,
    /// Cycles in which the latest operation of a clear is still on its way.
    emptying: u32,
}

impl Reader {
    fn new(geometry: &Geometry) -> Self {
        Self {
            geometry: *geometry,
            number: 0,
            age: -2,
            history: VecDeque::new(),
            emptying: 0,
        }
    }

    /// Before the edge: what `entry_done` shows, and the next request.
    fn cycle(&mut self, circuit: &mut Simulator<ParallelTable>) -> Result<(), TestCaseError> {
        if circuit.get("entry_done") == 1 {
            prop_assert!(
                (0..=1).contains(&self.age),
                "done {} cycles after the request",
                self.age + 1
            );
            let left = self.history.get(TO_MIRROR - 1);
            let left = left.and_then(|entries| entries[self.number as usize]);
            // A cycle has passed since the entry was read.
            let wanted = left.filter(|_| self.emptying <= 1);
            prop_assert_eq!(
                entry(circuit, &self.geometry),
                wanted,
                "entry {}",
                self.number
            );
            self.number = (self.number + 1) % self.geometry.entries();
            self.age = -2;
        }
        prop_assert!(self.age < 2, "no answer");
        self.age += 1;
        circuit.set("entry_number", self.number.into());
        circuit.set("entry_request", (self.age >= 0).into());
        circuit.settle();
        Ok(())
    }

    fn end_cycle(&mut self, model: &Model, clearing: bool) {
        let entries = (0..self.geometry.entries() as usize).map(|number| held(model, number));
        self.history.push_front(entries.collect());
        self.history.truncate(TO_MIRROR);
        self.emptying = match clearing {
            true => TO_MIRROR as u32,
            false => self.emptying.saturating_sub(1),
        };
    }
}

fn held(model: &Model, number: usize) -> Option<CompletedPath> {
    model.entry(number).map(|entry| CompletedPath {
        descriptor: entry.descriptor,
        count: entry.count,
    })
}

/// The entry that the readout shows.
fn entry(circuit: &Simulator<ParallelTable>, geometry: &Geometry) -> Option<CompletedPath> {
    (circuit.get("entry_filled") == 1).then(|| CompletedPath {
        descriptor: PathDescriptor {
            start: circuit.get("entry_start") << geometry.align,
            length: circuit.get("entry_length") as u32,
            outcomes: circuit.get("entry_outcomes"),
        },
        count: circuit.get("entry_count") as u32,
    })
}

fn check(geometry: &Geometry, cycles: &[Cycle]) -> Result<(), TestCaseError> {
    let mut model = Model::new(geometry);
    let mut circuit = Simulator::new(ParallelTable::new(geometry));
    circuit.reset();
    let (mut expected, mut seen) = (Tally::default(), Tally::default());
    let mut clearing = geometry.clear_cycles();
    let mut reader = Reader::new(geometry);
    let idle = Cycle {
        path: None,
        freeze: false,
        clear: false,
    };
    let readouts = 5 * geometry.entries();
    let drain = (0..geometry.clear_cycles() + TO_MIRROR as u32 + readouts).map(|_| &idle);
    for cycle in cycles.iter().chain(drain) {
        let path = cycle.path.unwrap_or_default();
        circuit.set("path_valid", cycle.path.is_some().into());
        circuit.set("path_start", path.descriptor.start >> geometry.align);
        circuit.set("path_length", path.descriptor.length.into());
        circuit.set("path_outcomes", path.descriptor.outcomes);
        circuit.set("path_count", path.count.into());
        circuit.set("freeze", cycle.freeze.into());
        circuit.set("clear", cycle.clear.into());
        circuit.settle();
        prop_assert_eq!(circuit.get("clearing") == 1, clearing > 0);
        seen.sample(&circuit);
        reader.cycle(&mut circuit)?;
        let walking = clearing > 0;
        if let Some(path) = cycle.path.filter(|_| clearing == 0 && !cycle.freeze) {
            expected.count(model.record(&path));
        }
        clearing = clearing.saturating_sub(1);
        if cycle.clear {
            model.clear();
            clearing = geometry.clear_cycles();
        }
        reader.end_cycle(&model, walking);
        circuit.tick();
    }
    prop_assert_eq!(seen, expected);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn contents_are_those_of_one_path_after_another(
        sets in 1u32..3,
        ways in 1u32..7,
        accumulator_bits in prop::sample::select(vec![8u32, 32]),
        cycles in prop::collection::vec(cycle(), 1..400),
    ) {
        let geometry = Geometry {
            sets: 1 << sets,
            ways,
            max_branches: 8,
            accumulator_bits,
            ..Geometry::default()
        };
        check(&geometry, &cycles)?;
    }
}

/// A set emptied twice within three cycles gave its second way to the path right behind.
#[test]
fn a_set_emptied_again_gives_its_first_way_first() -> Result<(), TestCaseError> {
    let geometry = Geometry {
        sets: 2,
        ways: 3,
        max_branches: 8,
        ..Geometry::default()
    };
    let of = |path, clear| Cycle {
        path,
        freeze: false,
        clear,
    };
    let path = |number: u64| CompletedPath {
        descriptor: PathDescriptor {
            start: 4 * number,
            length: 0,
            outcomes: 0,
        },
        count: 1,
    };
    for gap in 0..6 {
        let filled = (0..12).map(|number| of(Some(path(number)), false));
        let idle = (0..gap).map(|_| of(None, false));
        let behind = (12..36).map(|number| of(Some(path(number)), false));
        let cycles: Vec<Cycle> = filled
            .chain([of(None, true)])
            .chain(idle)
            .chain([of(None, true)])
            .chain(behind)
            .collect();
        check(&geometry, &cycles)?;
    }
    Ok(())
}
