//! The sequential hot path tables alone, in rust-hdl simulation against the golden model: contents, statistics, chances, and the very
//! cycle of everything they do.

mod expected;

use expected::Expected;
use hpp_golden::config::{Geometry, LookupScheme, Replacement};
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::ResetValues;
use hpp_golden::profiler::table::shadow::FIRST_SCALE;
use hpp_hdl::sim::{Ports, Simulator};
use hpp_hdl::table::{SequentialTable, SkewedTable};
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
    fn cycle<C: Ports>(
        &mut self,
        circuit: &mut Simulator<C>,
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
        let passed = i32::from(geometry.repeats_paths());
        prop_assert!(
            self.age <= geometry.longest_lookup() as i32 + 1 + passed,
            "no answer"
        );
        self.age += 1;
        circuit.set("entry_number", self.number.into());
        circuit.set("entry_request", (self.age >= 0).into());
        circuit.settle();
        Ok(())
    }
}

/// The entry that the readout shows.
fn entry<C: Ports>(circuit: &Simulator<C>, geometry: &Geometry) -> Option<CompletedPath> {
    (circuit.get("entry_filled") == 1).then(|| CompletedPath {
        descriptor: PathDescriptor {
            start: circuit.get("entry_start") << geometry.align,
            length: circuit.get("entry_length") as u32,
            outcomes: circuit.get("entry_outcomes"),
        },
        count: circuit.get("entry_count") as u32,
    })
}

/// Drives the cycles, each path for as long as it has to stay, and reads the table at the end. Returns for how many cycles paths stayed, and k.
fn check(geometry: &Geometry, seed: u32, cycles: &[Cycle]) -> Result<(u64, u32), TestCaseError> {
    let reset = ResetValues {
        seed,
        ..ResetValues::default()
    };
    match geometry.replacement {
        Replacement::Lfu => drive(SequentialTable::new(geometry), geometry, seed, cycles),
        _ => drive(SkewedTable::new(geometry, &reset), geometry, seed, cycles),
    }
}

fn drive<C: Ports>(
    circuit: C,
    geometry: &Geometry,
    seed: u32,
    cycles: &[Cycle],
) -> Result<(u64, u32), TestCaseError> {
    let mut circuit = Simulator::new(circuit);
    circuit.reset();
    let mut expected = Expected::new(geometry, seed, circuit.cycle());
    let mut shown = CompletedPath::default();
    let mut stays = false;
    let mut reader = Reader {
        number: 0,
        age: -2,
        history: VecDeque::new(),
    };
    let readouts = 6 * geometry.entries();
    let longest = geometry.clear_cycles() + geometry.longest_lookup() + 16 + readouts;
    let drain = (0..longest).map(|_| &IDLE);
    let mut stayed = 0;
    let mut cycles = cycles.iter().chain(drain).peekable();
    while let Some(&cycle) = cycles.next() {
        let now = circuit.cycle();
        let path = cycle.path.filter(|_| !stays);
        shown = path.unwrap_or(shown);
        circuit.set("path_valid", path.is_some().into());
        circuit.set("path_start", shown.descriptor.start >> geometry.align);
        circuit.set("path_length", shown.descriptor.length.into());
        circuit.set("path_outcomes", shown.descriptor.outcomes);
        circuit.set("path_count", shown.count.into());
        let coming = cycles.peek().is_some_and(|next| next.path.is_some());
        if geometry.repeats_paths() {
            circuit.set("coming", coming.into());
        }
        circuit.set("freeze", cycle.freeze.into());
        circuit.set("clear", cycle.clear.into());
        circuit.settle();
        let clearing = now < expected.clearing_until;
        if let Some(path) = path {
            expected.show(now, &path, !clearing && !cycle.freeze);
        }
        stays = path.is_some() || expected.free > now;
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
    let Some(shadow) = expected.model.shadow() else {
        return Ok((stayed, 0));
    };
    prop_assert_eq!(circuit.get("lfsr"), u64::from(shadow.chance()));
    prop_assert_eq!(circuit.get("scale"), u64::from(shadow.scale()));
    Ok((stayed, shadow.scale()))
}

fn geometry(sets: u32, ways: u32, accumulator_bits: u32) -> Geometry {
    Geometry {
        sets: 1 << sets,
        ways,
        max_branches: 8,
        accumulator_bits,
        lookup: LookupScheme::Sequential,
        ..Geometry::default()
    }
}

fn replacement() -> impl Strategy<Value = Replacement> {
    prop::sample::select(vec![
        Replacement::Lfu,
        Replacement::Shadow,
        Replacement::Rrip,
    ])
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn everything_happens_in_its_cycle_and_contents_are_those_of_one_path_after_another(
        sets in 1u32..3,
        ways in 1u32..7,
        accumulator_bits in prop::sample::select(vec![8u32, 32]),
        replacement in replacement(),
        seed in 0..1_u32 << 27,
        cycles in prop_oneof![
            prop::collection::vec(cycle(0.9), 1..2000),
            prop::collection::vec(cycle(0.2), 1..400),
        ],
    ) {
        let geometry = Geometry { replacement, ..geometry(sets, ways, accumulator_bits) };
        check(&geometry, seed, &cycles)?;
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
    let (stayed, _) = check(&geometry(1, 4, 32), 1, &cycles)?;
    prop_assert!(stayed > 200, "paths stayed for only {} cycles", stayed);
    Ok(())
}

/// Hot occupants, and a stranger that misses until no shadow can count it: k grows, and all shadows are halved.
#[test]
fn k_grows_where_a_shadow_is_full() -> Result<(), TestCaseError> {
    let path = |round: u64| {
        let (start, count) = match round % 3 {
            2 => (100 + round / 3 % 2, 1),
            _ => (round / 3 % 4, 200),
        };
        CompletedPath {
            descriptor: PathDescriptor::new(4 * start),
            count,
        }
    };
    let stay = |path| [Some(path)].into_iter().chain([None; 8]);
    let cycles = (0..20_000).map(path).flat_map(stay);
    let cycles: Vec<_> = cycles.map(|path| Cycle { path, ..IDLE }).collect();
    let geometry = Geometry {
        replacement: Replacement::Shadow,
        ..geometry(1, 2, 32)
    };
    let (_, scale) = check(&geometry, 5, &cycles)?;
    prop_assert!(scale > FIRST_SCALE + 1, "k is {}", scale);
    Ok(())
}
