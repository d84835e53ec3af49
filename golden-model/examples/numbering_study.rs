//! How well preferential and selective profiling do on random graphs.
//!
//! `cargo run --release -p hpp-golden --example numbering_study`
//!
//! Prints, for each number of interesting paths: the compactness of the preferential numbering and
//! the best there can be, how often the two are equal and how far apart they are at most; and the
//! probes selective profiling needs, as a share of those Ball-Larus profiling needs. The graphs come
//! from a fixed seed, which is printed.
use hpp_golden::cfg::{Acyclic, Cfg, CfgBuilder, Edge};
use hpp_golden::numbering::optimum::{MOST_PATHS, OptimumError, optimum};
use hpp_golden::numbering::{BallLarus, Interesting, Preferential, Pushing, Selective};
use num_bigint::BigUint;
use rand::seq::index::sample;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SEED: u64 = 2002;
const GRAPHS: usize = 300;

/// Sums over the graphs of one row of the table.
#[derive(Default)]
struct Row {
    graphs: usize,
    delta: f64,
    least: f64,
    optimal: usize,
    worst: f64,
    probes: f64,
}

/// A graph of a few blocks, each with one to three ways on, now and then back.
fn graph(random: &mut ChaCha8Rng) -> Cfg {
    let mut builder = CfgBuilder::default();
    let count = random.random_range(6..12);
    let blocks: Vec<_> = (0..count).map(|i| builder.block(&i.to_string())).collect();
    for (at, &from) in blocks[..count - 1].iter().enumerate() {
        for _ in 0..random.random_range(1..4) {
            let ahead = (at + random.random_range(1..4)).min(count - 1);
            let to = match random.random_ratio(1, 8) {
                true => random.random_range(0..=at),
                false => ahead,
            };
            builder.edge(from, blocks[to], Edge::default());
        }
    }
    builder.exit(blocks[count - 1]);
    builder.build().expect("every block goes on")
}

/// So many different paths of a graph; `None` if it has fewer.
fn pick(
    dag: &Acyclic,
    numbering: &BallLarus,
    count: usize,
    random: &mut ChaCha8Rng,
) -> Option<Interesting> {
    let paths = usize::try_from(numbering.paths()).ok()?;
    let chosen = (paths >= count).then(|| sample(random, paths, count))?;
    let numbers: Vec<BigUint> = chosen.into_iter().map(BigUint::from).collect();
    Interesting::from_numbers(dag, numbering, &numbers).ok()
}

fn study(count: usize, random: &mut ChaCha8Rng) -> Result<Row, OptimumError> {
    let mut row = Row::default();
    while row.graphs < GRAPHS {
        let cfg = graph(random);
        let dag = Acyclic::depth_first(&cfg);
        let numbering = BallLarus::new(&dag);
        let Some(paths) = pick(&dag, &numbering, count, random) else {
            continue;
        };
        let delta = Preferential::new(&dag, &paths).compactness().ratio();
        let least = f64::from(optimum(&dag, &paths)?.width) / count as f64;
        let probes = Selective::new(&dag, &paths, Pushing::Restricted)
            .values
            .probes();
        row.graphs += 1;
        row.delta += delta;
        row.least += least;
        row.optimal += usize::from(delta == least);
        row.worst = row.worst.max(delta / least);
        row.probes += probes as f64 / numbering.values().probes() as f64;
    }
    Ok(row)
}

fn main() -> Result<(), OptimumError> {
    println!("seed {SEED}, {GRAPHS} graphs a row");
    println!("paths  delta  least delta  optimal  worst ratio  probes/Ball-Larus");
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    for count in 2..=MOST_PATHS {
        let row = study(count, &mut random)?;
        let mean = |sum: f64| sum / GRAPHS as f64;
        println!(
            "{count:5}  {:5.3}  {:11.3}  {:6.1}%  {:11.3}  {:17.3}",
            mean(row.delta),
            mean(row.least),
            100.0 * mean(row.optimal as f64),
            row.worst,
            mean(row.probes),
        );
    }
    Ok(())
}
