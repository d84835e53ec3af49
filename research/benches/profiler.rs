//! Records a second: path stack and hot path table, and the whole profiler with its queue and counters.
//!
//! `cargo bench -p hpp-research --bench profiler`. Times are the thread's own, so that a busy machine disturbs them less.

mod streams;
mod thread_time;

use core::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use hpp_golden::branch::BranchRecord;
use hpp_golden::config::{Geometry, Replacement};
use hpp_golden::path::CompletedPath;
use hpp_golden::profiler::{
    ExactProfile, HotPathTable, NumberedPath, NumberedTable, PathStack, Ppcr, Profiler, ResetValues,
};
use indexmap::IndexSet;
use thread_time::thread_time;

const SEED: u64 = 5;

fn all_streams() -> [(&'static str, Vec<BranchRecord>); 4] {
    [
        ("structured", streams::structured(SEED)),
        ("call_return", streams::call_return()),
        ("all_misses", streams::all_misses()),
        ("random", streams::random(SEED)),
    ]
}

fn stack_and_table(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stack_and_table");
    group.throughput(Throughput::Elements(streams::RECORDS as u64));
    for (name, records) in all_streams() {
        let geometry = Geometry::default();
        let mut stack = PathStack::new(&geometry, Ppcr::ball_larus());
        let mut table = HotPathTable::new(&geometry);
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|rounds| {
                thread_time(rounds, || {
                    for path in black_box(&records)
                        .iter()
                        .filter_map(|record| stack.step(record))
                    {
                        black_box(table.record(&path));
                    }
                })
            });
        });
    }
    group.finish();
}

fn stack_and_exact_profile(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("stack_and_exact_profile");
    group.throughput(Throughput::Elements(streams::RECORDS as u64));
    let records = streams::structured(SEED);
    let mut stack = PathStack::new(&Geometry::default(), Ppcr::ball_larus());
    let mut profile = ExactProfile::new();
    group.bench_function("structured", |bencher| {
        bencher.iter_custom(|rounds| {
            thread_time(rounds, || {
                for record in black_box(&records) {
                    if let Some(path) = stack.step(record) {
                        profile.record(&path);
                    }
                }
            })
        });
    });
    group.finish();
}

fn whole_profiler(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("whole_profiler");
    group.throughput(Throughput::Elements(streams::RECORDS as u64));
    for (name, records) in all_streams() {
        let mut profiler =
            Profiler::new(&Geometry::default(), &ResetValues::enabled()).expect("a legal profiler");
        group.bench_function(name, |bencher| {
            bencher.iter_custom(|rounds| {
                thread_time(rounds, || {
                    for record in black_box(&records) {
                        black_box(profiler.profile(record));
                    }
                })
            });
        });
    }
    group.finish();
}

/// Paths a second of a table with each policy, and of one that knows paths by number, as sweeps do.
fn policies(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("paths_of_a_table");
    let geometry = Geometry::default();
    for (name, records) in all_streams() {
        let mut stack = PathStack::new(&geometry, Ppcr::ball_larus());
        let paths: Vec<_> = records
            .iter()
            .filter_map(|record| stack.step(record))
            .collect();
        group.throughput(Throughput::Elements(paths.len() as u64));
        for replacement in Replacement::ALL {
            let mut table = HotPathTable::new(&Geometry {
                replacement,
                ..geometry
            });
            group.bench_function(format!("{replacement}/{name}"), |bencher| {
                bencher.iter_custom(|rounds| {
                    thread_time(rounds, || {
                        for path in black_box(&paths) {
                            black_box(table.record(path));
                        }
                    })
                });
            });
        }
        let mut known = IndexSet::new();
        let number = |path: &CompletedPath| NumberedPath {
            number: known.insert_full(path.descriptor).0 as u32,
            count: path.count,
        };
        let numbered: Vec<NumberedPath> = paths.iter().map(number).collect();
        for replacement in Replacement::ALL {
            let geometry = Geometry {
                replacement,
                ..geometry
            };
            let mut table = NumberedTable::new(&geometry, 1);
            group.bench_function(format!("{replacement} by number/{name}"), |bencher| {
                bencher.iter_custom(|rounds| {
                    thread_time(rounds, || {
                        black_box(
                            table.record_all(black_box(&numbered), |number| known[number as usize]),
                        );
                    })
                });
            });
        }
    }
    group.finish();
}

criterion_group!(
    benches,
    policies,
    stack_and_table,
    stack_and_exact_profile,
    whole_profiler
);
criterion_main!(benches);
