//! The whole profiler in rust-hdl simulation against the golden model, without external tools: its paths, counters and
//! table. `verif/lockstep` compares cycles, buses and ingresses.

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::{Geometry, LookupScheme, Replacement};
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{BackwardNotTaken, Extension, Metric, Profiler, ResetValues, Row, Rows};
use hpp_golden::registers::{self, Counter};
use hpp_hdl::IngressOptions;
use hpp_hdl::sim::Simulator;
use hpp_hdl::top::native::OnWishbone;
use proptest::prelude::*;

/// Upper bound on the cycles that an access or a record waits.
const PATIENCE: usize = 1000;

/// The circuit with its test bench, and the paths that it has output.
struct Bench {
    simulator: Simulator<OnWishbone>,
    paths: Vec<CompletedPath>,
}

impl Bench {
    /// A bench after reset and the initial clear of the table.
    fn new(geometry: &Geometry, reset: &ResetValues) -> Self {
        let top = OnWishbone::new(geometry, reset, &IngressOptions::default());
        let mut simulator = Simulator::new(top);
        simulator.reset();
        let paths = Vec::new();
        let mut bench = Self { simulator, paths };
        bench.idle(geometry.clear_cycles() as usize);
        bench
    }

    fn set<const N: usize>(&mut self, inputs: [(&str, u64); N]) {
        for (port, value) in inputs {
            self.simulator.set(port, value);
        }
        self.simulator.settle();
    }

    fn tick(&mut self) {
        self.simulator.tick();
        let get = |port| self.simulator.get(port);
        if get("path_valid") == 1 {
            self.paths.push(CompletedPath {
                descriptor: PathDescriptor {
                    start: get("path_start"),
                    length: get("path_length") as u32,
                    outcomes: get("path_outcomes"),
                },
                count: get("path_count") as u32,
            });
        }
    }

    fn idle(&mut self, cycles: usize) {
        (0..cycles).for_each(|_| self.tick());
    }

    /// Runs cycles until a port is 1.
    fn until(&mut self, port: &str) {
        let is_high = |bench: &mut Self| {
            let high = bench.simulator.get(port) == 1;
            if !high {
                bench.tick();
                bench.simulator.settle();
            }
            high
        };
        assert!((0..PATIENCE).any(|_| is_high(self)), "{port} stays 0");
    }

    /// Offers a record until it is accepted.
    fn offer(&mut self, record: &BranchRecord) {
        self.set([
            ("br_valid", 1),
            ("br_kind", record.kind.code().into()),
            ("br_taken", record.taken.into()),
            ("br_target", record.target),
            ("br_next", record.next),
            ("br_events", record.events.into()),
        ]);
        self.until("br_ready");
        self.tick();
        self.simulator.set("br_valid", 0);
    }

    /// An access of a classic Wishbone master.
    fn access(&mut self, offset: u32, write: Option<u32>) -> u32 {
        self.set([
            ("wb_cyc_i", 1),
            ("wb_stb_i", 1),
            ("wb_adr_i", (offset / 4).into()),
            ("wb_we_i", write.is_some().into()),
            ("wb_sel_i", 0xf),
            ("wb_dat_i", write.unwrap_or(0).into()),
        ]);
        self.until("wb_ack_o");
        let word = self.simulator.get("wb_dat_o");
        self.tick();
        self.set([("wb_cyc_i", 0), ("wb_stb_i", 0)]);
        self.tick();
        word as u32
    }

    fn read(&mut self, offset: u32) -> u32 {
        self.access(offset, None)
    }
}

/// Every lookup scheme with every replacement policy.
fn tables() -> impl Strategy<Value = Geometry> {
    let table = |lookup, replacement| Geometry {
        lookup,
        replacement,
        drain_depth: 0,
        ..Geometry::default()
    };
    prop::sample::select(vec![
        table(LookupScheme::Parallel, Replacement::Lfu),
        table(LookupScheme::Sequential, Replacement::Lfu),
        table(LookupScheme::Sequential, Replacement::Shadow),
        table(LookupScheme::Sequential, Replacement::Rrip),
    ])
}

fn geometry() -> impl Strategy<Value = Geometry> {
    let sizes = (1u32..4, 1u32..6, 1u32..65, 1u32..4, 1u32..3, any::<bool>());
    let widths = (32u32..65, 1u32..3, 1u32..9, 1u32..9, 1u32..4);
    (tables(), sizes, widths, 8u32..33, 32u32..65).prop_map(
        |(table, sizes, widths, accumulator_bits, counter_bits)| Geometry {
            sets: 1 << sizes.0,
            ways: sizes.1,
            max_branches: sizes.2,
            stack_depth: 1 << sizes.3,
            queue_depth: 1 << sizes.4,
            stack_check: sizes.5,
            pc_bits: widths.0,
            align: widths.1,
            event_bits: widths.2,
            event_counter_bits: widths.3,
            extension_bits: widths.4,
            accumulator_bits,
            counter_bits,
            ..table
        },
    )
}

fn reset() -> impl Strategy<Value = ResetValues> {
    let row = (0u8..16).prop_filter_map("a legal row", |bits| Row::from_bits(bits).ok());
    let rows = prop_oneof![
        Just(Rows::BALL_LARUS),
        Just(Rows::WHOLE_PROGRAM_PATH),
        proptest::array::uniform8(row).prop_map(Rows),
    ];
    let metric = prop::sample::select(vec![Metric::Events, Metric::Executions]);
    let backward = prop::sample::select(vec![
        BackwardNotTaken::AsBackward,
        BackwardNotTaken::AsForward,
    ]);
    let extension =
        prop::sample::select(vec![Extension::None, Extension::Loop, Extension::Procedure]);
    (rows, metric, backward, extension, 0u8..2).prop_map(
        |(rows, metric, backward_not_taken, extension, max_extension)| ResetValues {
            enable: true,
            rows,
            metric,
            backward_not_taken,
            extension,
            max_extension,
            ..ResetValues::default()
        },
    )
}

/// A record of a small program, so that paths repeat; `None` is a cycle without a record.
fn record() -> impl Strategy<Value = Option<BranchRecord>> {
    let record = (0u8..8, any::<bool>(), 0u64..6, 0u64..6, 0u32..8).prop_map(
        |(kind, taken, target, next, events)| BranchRecord {
            kind: BranchKind::from_code(kind),
            taken: taken || kind > 1,
            target: 0x8000_0000 + 4 * target,
            next: 0x8000_0000 + 4 * next,
            events,
        },
    );
    prop::option::weighted(0.8, record)
}

fn check(geometry: &Geometry, reset: &ResetValues, records: &[Option<BranchRecord>]) {
    let mut bench = Bench::new(geometry, reset);
    let mut model = Profiler::new(geometry, reset).expect("a legal configuration");
    let mut expected = Vec::new();
    for record in records {
        let Some(record) = record else {
            bench.tick();
            continue;
        };
        let events = record.events & Geometry::mask(geometry.event_bits) as u32;
        let record = BranchRecord { events, ..*record };
        expected.extend(model.profile(&record));
        bench.offer(&record);
    }
    let waiting = geometry.queue_depth + 4;
    bench.idle((64 + waiting * geometry.longest_lookup()) as usize);
    assert_eq!(bench.paths, expected);
    for counter in Counter::ALL {
        for offset in [counter.offset(), counter.offset() + 4] {
            assert_eq!(bench.read(offset), model.read(offset), "{counter:?}");
        }
    }
    let errors = registers::ERRORS.offset;
    assert_eq!(bench.read(errors), model.read(errors), "sticky errors");
    bench.access(registers::TABLE_INDEX.offset, Some(0));
    model.write(registers::TABLE_INDEX.offset, 0);
    let data = registers::TABLE_DATA.offset;
    for word in 0..geometry.entries() * geometry.entry_words() {
        assert_eq!(bench.read(data), model.read(data), "word {word}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn paths_counters_and_table_are_those_of_the_model(
        geometry in geometry(),
        reset in reset(),
        records in prop::collection::vec(record(), 1..100),
    ) {
        check(&geometry, &reset, &records);
    }
}
