//! The whole profiler in rust-hdl simulation against the golden model, without external tools: its paths, counters and
//! table. `verif/lockstep` compares cycles, buses and ingresses.

use hpp_golden::branch::BranchRecord;
use hpp_golden::config::{Geometry, IndexScheme, LookupScheme, Replacement};
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{Profiler, ResetValues};
use hpp_golden::registers::{self, Counter};
use hpp_hdl::IngressOptions;
use hpp_hdl::sim::Simulator;
use hpp_hdl::top::native::OnWishbone;
use proptest::prelude::*;

#[path = "../../golden-model/behaviour/tests/streams/strategies.rs"]
mod strategies;

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

/// Geometries with every lookup scheme and replacement policy, small enough to simulate; and what the registers hold after reset.
fn configuration() -> impl Strategy<Value = (Geometry, ResetValues)> {
    let table = prop::sample::select(vec![
        (LookupScheme::Parallel, Replacement::Lfu),
        (LookupScheme::Sequential, Replacement::Lfu),
        (LookupScheme::Sequential, Replacement::Shadow),
        (LookupScheme::Sequential, Replacement::Rrip),
    ]);
    let geometry = (strategies::geometry(), table);
    let geometry = geometry.prop_map(|(any, (lookup, replacement))| Geometry {
        sets: any.sets.min(8),
        ways: any.ways.min(5),
        stack_depth: any.stack_depth.min(16),
        queue_depth: any.queue_depth.min(8),
        align: any.align.max(1),
        index_scheme: IndexScheme::Full,
        context_bits: 0,
        lookup,
        replacement,
        ..any
    });
    geometry.prop_flat_map(|geometry| {
        let ppcr = strategies::ppcr(geometry.extension_bits);
        ppcr.prop_map(move |ppcr| {
            let reset = ResetValues {
                enable: true,
                rows: ppcr.rows,
                metric: ppcr.metric,
                backward_not_taken: ppcr.backward_not_taken,
                extension: ppcr.extension,
                max_extension: ppcr.max_extension,
                ..ResetValues::default()
            };
            (geometry, reset)
        })
    })
}

/// Records, and cycles without one.
fn records() -> impl Strategy<Value = Vec<Option<BranchRecord>>> {
    prop::collection::vec(prop::option::weighted(0.8, strategies::record()), 1..100)
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
        (geometry, reset) in configuration(),
        records in records(),
    ) {
        check(&geometry, &reset, &records);
    }
}
