//! The whole profiler in rust-hdl simulation against the golden model.

use super::masters::{Bus, Wishbone, access};
use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, IndexScheme, LookupScheme, Protection, Replacement};
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{BackwardNotTaken, Extension, Metric, Profiler, ResetValues, Row, Rows};
use hpp_golden::registers::{self, Counter};
use hpp_hdl::sim::Simulator;
use hpp_hdl::top::native;
use proptest::prelude::*;

/// The circuit with the test bench's side of its ports.
struct Bench {
    simulator: Simulator<native::OnWishbone>,
    paths: Vec<CompletedPath>,
}

impl Bench {
    fn new(geometry: &Geometry, reset: &ResetValues) -> Self {
        let mut simulator = Simulator::new(Wishbone::top(geometry, reset));
        simulator.reset();
        let mut bench = Self {
            simulator,
            paths: Vec::new(),
        };
        // The clear walk after reset.
        bench.idle(geometry.clear_cycles() as usize);
        bench
    }

    fn tick(&mut self) {
        tick(&mut self.simulator, &mut self.paths);
    }

    fn idle(&mut self, cycles: usize) {
        for _ in 0..cycles {
            self.tick();
        }
    }

    fn offer(&mut self, record: &BranchRecord) {
        let simulator = &mut self.simulator;
        simulator.set("br_valid", 1);
        simulator.set("br_kind", record.kind.code().into());
        simulator.set("br_taken", record.taken.into());
        simulator.set("br_target", record.target);
        simulator.set("br_next", record.next);
        simulator.set("br_events", record.events.into());
        simulator.settle();
        assert_eq!(simulator.get("br_ready"), 1, "the profiler holds the core");
        self.tick();
        self.simulator.set("br_valid", 0);
    }

    fn access(&mut self, offset: u32, write: Option<u32>) -> u32 {
        let paths = &mut self.paths;
        let access = access::<Wishbone>(&mut self.simulator, (offset, write), |simulator| {
            tick(simulator, paths);
        });
        access.1
    }

    fn read(&mut self, offset: u32) -> u32 {
        self.access(offset, None)
    }

    fn write(&mut self, offset: u32, value: u32) {
        self.access(offset, Some(value));
    }
}

/// A cycle, and the path that shows behind it.
fn tick(simulator: &mut Simulator<native::OnWishbone>, paths: &mut Vec<CompletedPath>) {
    simulator.tick();
    if simulator.get("path_valid") == 1 {
        let get = |port| simulator.get(port);
        paths.push(CompletedPath {
            descriptor: PathDescriptor {
                start: get("path_start"),
                length: get("path_length") as u32,
                outcomes: get("path_outcomes"),
            },
            count: get("path_count") as u32,
        });
    }
}

fn geometry() -> impl Strategy<Value = Geometry> {
    (
        (1u32..4, 1u32..6, 1u32..65, 1u32..4, 1u32..3, 32u32..65),
        (1u32..3, 1u32..9, 1u32..9, 1u32..4, 8u32..33, 32u32..65),
        any::<bool>(),
    )
        .prop_map(
            |(
                (sets, ways, max_branches, stack, queue, pc_bits),
                (
                    align,
                    event_bits,
                    event_counter_bits,
                    extension_bits,
                    accumulator_bits,
                    counter_bits,
                ),
                full,
            )| Geometry {
                sets: 1 << sets,
                ways,
                max_branches,
                stack_depth: 1 << stack,
                queue_depth: 1 << queue,
                pc_bits,
                align,
                event_bits,
                event_counter_bits,
                extension_bits,
                accumulator_bits,
                counter_bits,
                index_scheme: if full {
                    IndexScheme::Full
                } else {
                    IndexScheme::Start
                },
                lookup: LookupScheme::Parallel,
                replacement: Replacement::Lfu,
                context_bits: 0,
                stack_check: false,
                drain_depth: 0,
                protect: Protection::None,
                triggers: false,
            },
        )
}

fn rows() -> impl Strategy<Value = Rows> {
    let row = (0u8..16).prop_filter_map("a legal row", |bits| Row::from_bits(bits).ok());
    prop_oneof![
        Just(Rows::BALL_LARUS),
        Just(Rows::WHOLE_PROGRAM_PATH),
        proptest::array::uniform8(row).prop_map(Rows),
    ]
}

fn reset() -> impl Strategy<Value = ResetValues> {
    (rows(), any::<bool>(), any::<bool>(), 0u8..3, 0u8..2).prop_map(
        |(rows, events, backward, extension, max_extension)| ResetValues {
            enable: true,
            rows,
            metric: if events {
                Metric::Events
            } else {
                Metric::Executions
            },
            backward_not_taken: if backward {
                BackwardNotTaken::AsBackward
            } else {
                BackwardNotTaken::AsForward
            },
            extension: [Extension::None, Extension::Loop, Extension::Procedure]
                [usize::from(extension)],
            max_extension,
            ..ResetValues::default()
        },
    )
}

/// A record of a small program, so that paths repeat; `None` is a cycle without a record.
fn record() -> impl Strategy<Value = Option<BranchRecord>> {
    (any::<u8>(), any::<bool>(), 0u64..6, 0u32..8, 0u8..5).prop_map(
        |(kind, taken, target, events, gap)| {
            (gap != 0).then(|| BranchRecord {
                kind: BranchKind::from_code(kind),
                taken: taken || !matches!(kind & 7, 0 | 1),
                target: 0x8000_0000 + 4 * target,
                next: 0,
                events,
            })
        },
    )
}

fn check(geometry: &Geometry, reset: &ResetValues, records: &[Option<BranchRecord>]) {
    let mut bench = Bench::new(geometry, reset);
    let mut model = Profiler::new(geometry, reset).expect("a legal configuration");
    let mut expected = Vec::new();
    for record in records {
        match record {
            Some(record) => {
                let record = BranchRecord {
                    events: record.events & Geometry::mask(geometry.event_bits) as u32,
                    ..*record
                };
                expected.extend(model.profile(&record));
                bench.offer(&record);
            }
            None => bench.tick(),
        }
    }
    bench.idle(64);
    assert_eq!(bench.paths, expected);
    for counter in Counter::ALL {
        for offset in [counter.offset(), counter.offset() + 4] {
            assert_eq!(bench.read(offset), model.read(offset), "{counter:?}");
        }
    }
    let errors = registers::ERRORS.offset;
    assert_eq!(bench.read(errors), model.read(errors), "sticky errors");
    bench.write(registers::TABLE_INDEX.offset, 0);
    model.write(registers::TABLE_INDEX.offset, 0);
    for word in 0..geometry.entries() * geometry.entry_words() {
        let data = registers::TABLE_DATA.offset;
        assert_eq!(
            bench.read(data),
            model.read(data),
            "word {word} of the table"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn paths_counters_and_table_are_those_of_the_model(
        geometry in geometry(),
        reset in reset(),
        records in proptest::collection::vec(record(), 1..120),
    ) {
        check(&geometry, &reset, &records);
    }
}
