//! The hot path table alone, in rust-hdl simulation against the golden model: a path a cycle into very few sets,
//! with clears and freezes at any moment.

use hpp_golden::config::Geometry;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{HotPathTable as Model, Lookup};
use hpp_hdl::sim::Simulator;
use hpp_hdl::table::HotPathTable;
use proptest::prelude::*;

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

    fn sample(&mut self, circuit: &Simulator<HotPathTable>) {
        for (count, port) in self.0.iter_mut().zip(["hit", "replacement", "saturated"]) {
            *count += circuit.get(port);
        }
    }
}

/// Reads one entry; the high part of start, outcomes and length lie in the tag from bit 0 upwards.
fn entry(
    circuit: &mut Simulator<HotPathTable>,
    geometry: &Geometry,
    number: u32,
) -> Option<CompletedPath> {
    circuit.set("read_set", (number / geometry.ways).into());
    circuit.set("read_way", 1 << (number % geometry.ways));
    circuit.settle();
    circuit.tick();
    circuit.set("read_request", 1);
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
            return (count != 0).then(|| CompletedPath {
                descriptor: PathDescriptor {
                    start: start << geometry.align,
                    length: length as u32,
                    outcomes,
                },
                count,
            });
        }
    }
    panic!("entry {number} is never read");
}

fn check(geometry: &Geometry, cycles: &[Cycle]) -> Result<(), TestCaseError> {
    let mut model = Model::new(geometry);
    let mut circuit = Simulator::new(HotPathTable::new(geometry));
    circuit.reset();
    let (mut expected, mut seen) = (Tally::default(), Tally::default());
    let mut clearing = geometry.sets;
    let idle = Cycle {
        path: None,
        freeze: false,
        clear: false,
    };
    let drain = (0..geometry.sets + 8).map(|_| &idle);
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
        if let Some(path) = cycle.path.filter(|_| clearing == 0 && !cycle.freeze) {
            expected.count(model.record(&path));
        }
        clearing = clearing.saturating_sub(1);
        if cycle.clear {
            model.clear();
            clearing = geometry.sets;
        }
        circuit.tick();
    }
    prop_assert_eq!(seen, expected);
    for number in 0..geometry.entries() {
        let found = entry(&mut circuit, geometry, number);
        let wanted = model.entry(number as usize).map(|entry| CompletedPath {
            descriptor: entry.descriptor,
            count: entry.count,
        });
        prop_assert_eq!(found, wanted, "entry {}", number);
    }
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
