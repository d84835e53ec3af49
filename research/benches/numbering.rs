//! How long numbering takes: large graphs, many interesting paths, and time against E x P.
//!
//! `cargo bench -p hpp-research --bench numbering`. Times are the thread's own, so that a busy machine disturbs them less.

mod thread_time;

use std::hint::black_box;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use hpp_paths::graph::{Acyclic, BlockId, Cfg, CfgBuilder, DagPath, Edge, Weights};
use hpp_paths::numbering::{BallLarus, Interesting, Preferential, truncate};
use hpp_paths::placement::Probes;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use thread_time::thread_time;

/// A row of diamonds from a block on; returns the block it ends in.
fn diamonds(builder: &mut CfgBuilder, from: BlockId, count: usize, name: &str) -> BlockId {
    let mut top = from;
    for at in 0..count {
        let [left, right, bottom] =
            ["l", "r", "j"].map(|part| builder.block(&format!("{name}{part}{at}")));
        for (from, to) in [(top, left), (top, right), (left, bottom), (right, bottom)] {
            builder.edge(from, to, Edge::default());
        }
        top = bottom;
    }
    top
}

/// A row of diamonds: 3 blocks, 4 edges and a factor of 2 in the paths each.
fn row(count: usize) -> Cfg {
    let mut builder = CfgBuilder::default();
    let entry = builder.block("entry");
    diamonds(&mut builder, entry, count, "");
    builder.build().expect("a graph")
}

/// A switch over loops of five diamonds: 17 blocks and 128 paths a case.
fn switch(cases: usize) -> Cfg {
    let mut builder = CfgBuilder::default();
    let [entry, exit] = ["entry", "exit"].map(|n| builder.block(n));
    for case in 0..cases {
        let header = builder.block(&format!("h{case}"));
        builder.edge(entry, header, Edge::default());
        let last = diamonds(&mut builder, header, 5, &format!("{case}"));
        let latch = builder.block(&format!("e{case}"));
        builder.edge(last, latch, Edge::default());
        builder.edge(latch, header, Edge::default());
        builder.edge(latch, exit, Edge::default());
    }
    builder.exit(exit);
    builder.build().expect("a graph")
}

/// Different random paths through a row of diamonds, always the same.
fn random_paths(dag: &Acyclic, count: usize) -> Interesting {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut path = || {
        let mut edges = Vec::new();
        let mut block = dag.entry();
        while block != dag.exit() {
            let out = dag.out(block);
            let edge = out[random.random_range(0..out.len())];
            edges.push(edge);
            block = dag.ends(edge).1;
        }
        DagPath::new(dag, edges).expect("a walk through the graph")
    };
    let paths = (0..count).map(|_| path()).collect();
    Interesting::new(dag, paths).expect("so many diamonds repeat no path")
}

/// Steps of up to a second need no hundred samples.
fn limit_time(group: &mut BenchmarkGroup<WallTime>) {
    group
        .sample_size(10)
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(3));
}

fn bench<T>(group: &mut BenchmarkGroup<WallTime>, name: &str, mut step: impl FnMut() -> T) {
    group.bench_function(name, |bencher| {
        bencher.iter_custom(|rounds| {
            thread_time(rounds, || {
                black_box(step());
            })
        });
    });
}

fn large_graphs(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("100,000 blocks");
    limit_time(&mut group);
    let cfg = switch(5_880);
    assert!(cfg.blocks().len() >= 99_900);
    bench(&mut group, "acyclic form", || Acyclic::depth_first(&cfg));
    let dag = Acyclic::depth_first(&cfg);
    bench(&mut group, "Ball-Larus", || BallLarus::exact(&dag));
    bench(&mut group, "heuristic weights", || Weights::heuristic(&cfg));
    let values = BallLarus::exact(&dag).values();
    let weights = Weights::heuristic(&cfg);
    bench(&mut group, "probes", || {
        Probes::optimised(&values, &weights)
    });
    let long = row(33_333);
    let dag = Acyclic::depth_first(&long);
    bench(&mut group, "2^33333 paths truncated to 2^64", || {
        truncate(&dag, u64::MAX).expect("can be cut")
    });
    group.finish();
}

fn preferential(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("preferential");
    limit_time(&mut group);
    let sizes = [
        (250, 10_000),
        (500, 10_000),
        (1_000, 10_000),
        (2_000, 10_000),
    ];
    let counts = [(1_000, 1_250), (1_000, 2_500), (1_000, 5_000)];
    for (edges, paths) in sizes.into_iter().chain(counts) {
        let cfg = row(edges / 4);
        let dag = Acyclic::depth_first(&cfg);
        let interesting = random_paths(&dag, paths);
        group.throughput(Throughput::Elements((edges * paths) as u64));
        let name = format!("{edges} edges x {paths} paths");
        bench(&mut group, &name, || Preferential::new(&interesting));
    }
    group.finish();
}

/// One edge in words, and in big integers: the same diamonds, with 2^64 paths more after each of them.
fn numbers(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("Ball-Larus, an edge");
    limit_time(&mut group);
    // Wide and flat, so that the numbers stay as long as the words they start with.
    for (name, after) in [("words", 0), ("big integers of two words", 64)] {
        let dag = Acyclic::depth_first(&fan(20_000, after));
        group.throughput(Throughput::Elements(dag.edge_count() as u64));
        bench(&mut group, name, || BallLarus::exact(&dag));
    }
    group.finish();
}

/// A switch over so many diamonds, with a row of diamonds after them all.
fn fan(cases: usize, after: usize) -> Cfg {
    let mut builder = CfgBuilder::default();
    let [entry, join] = ["entry", "join"].map(|n| builder.block(n));
    for case in 0..cases {
        let top = builder.block(&format!("t{case}"));
        builder.edge(entry, top, Edge::default());
        let bottom = diamonds(&mut builder, top, 1, &format!("{case}"));
        builder.edge(bottom, join, Edge::default());
    }
    diamonds(&mut builder, join, after, "x");
    builder.build().expect("a graph")
}

criterion_group!(benches, large_graphs, numbers, preferential);
criterion_main!(benches);
