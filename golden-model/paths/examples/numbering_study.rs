//! How well preferential and selective profiling do on random graphs.
//!
//! `cargo run --release -p hpp-paths --example numbering_study`
//!
//! Prints, for each number of interesting paths:
//!
//! - the compactness of the preferential numbering, with edges in the order of the graph and in the chosen order;
//! - the optimum, how often the chosen order reaches it, and the worst ratio of the two;
//! - the edges with values of selective profiling, as a share of Ball-Larus profiling's.
//!
//! Then the probes of two interesting paths, by placement, and the probes executed for each edge of random
//! executions, by placement. Graphs and executions come from a fixed seed, which is printed.
use hpp_paths::Number;
use hpp_paths::graph::{Acyclic, Cfg, CfgBuilder, Edge, EdgeId, Weights};
use hpp_paths::numbering::optimum::{MOST_PATHS, optimum};
use hpp_paths::numbering::{BallLarus, EdgeOrder, Interesting, Preferential, Pushing, Selective};
use hpp_paths::placement::Probes;
use rand::seq::index::sample;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const SEED: u64 = 2002;
const GRAPHS: usize = 300;
const LENGTH: usize = 5_000;

/// Sums over the graphs of one row of the table.
#[derive(Default)]
struct Row {
    graphs: usize,
    given: f64,
    delta: f64,
    least: f64,
    optimal: usize,
    worst: f64,
    probes: f64,
    /// Graphs left out, because the best numbering was not found.
    undecided: usize,
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
fn pick(numbering: &BallLarus, count: usize, random: &mut ChaCha8Rng) -> Option<Interesting> {
    let paths = usize::try_from(numbering.paths()).ok()?;
    let chosen = (paths >= count).then(|| sample(random, paths, count))?;
    let numbers: Vec<Number> = chosen.into_iter().map(Number::from).collect();
    Interesting::from_numbers(numbering, &numbers).ok()
}

fn study(count: usize, random: &mut ChaCha8Rng) -> Row {
    let mut row = Row::default();
    while row.graphs < GRAPHS {
        let cfg = graph(random);
        let dag = Acyclic::depth_first(&cfg);
        let numbering = BallLarus::exact(&dag);
        let Some(paths) = pick(&numbering, count, random) else {
            continue;
        };
        let Ok(best) = optimum(&paths) else {
            row.undecided += 1;
            continue;
        };
        let given = Preferential::in_order(&paths, EdgeOrder::Given);
        let given = given.compactness().ratio();
        let delta = Preferential::new(&paths).compactness().ratio();
        let least = f64::from(best.width) / count as f64;
        let probes = Selective::exact(&paths, Pushing::Restricted)
            .values
            .probes();
        row.graphs += 1;
        row.given += given;
        row.delta += delta;
        row.least += least;
        row.optimal += usize::from(delta == least);
        row.worst = row.worst.max(delta / least);
        row.probes += probes as f64 / numbering.values().probes() as f64;
    }
    row
}

/// Prints how many probes two interesting paths need.
fn study_placements(random: &mut ChaCha8Rng) {
    let mut needed = [0usize; 4];
    let mut graphs = 0;
    while graphs < GRAPHS {
        let cfg = graph(random);
        let dag = Acyclic::depth_first(&cfg);
        let numbering = BallLarus::exact(&dag);
        let Some(paths) = pick(&numbering, 2, random) else {
            continue;
        };
        graphs += 1;
        let weights = Weights::heuristic(&cfg);
        let values = Selective::exact(&paths, Pushing::Restricted).values;
        let counts = [
            Probes::optimised(&numbering.values(), &weights).count(),
            Probes::optimised(&values, &weights).count(),
            Probes::kept(&values).count(),
            values.probes(),
        ];
        for (needed, count) in needed.iter_mut().zip(counts) {
            *needed += count;
        }
    }
    println!("probes a graph for 2 interesting paths:");
    println!("Ball-Larus on chords  selective on chords  selective kept  of these with a value");
    let [ball_larus, moved, kept, values] = needed.map(|n| n as f64 / GRAPHS as f64);
    println!("{ball_larus:20.2}  {moved:19.2}  {kept:14.2}  {values:21.2}");
}

/// Calls of a procedure with random branches, so many edges altogether.
fn execute(cfg: &Cfg, random: &mut ChaCha8Rng) -> (u32, Vec<EdgeId>) {
    let mut taken = Vec::new();
    let mut calls = 0;
    // Biased branches, as programs have them: the same way mostly, at each block another.
    let likely: Vec<usize> = cfg.blocks().map(|_| random.random_range(0..4)).collect();
    while taken.len() < LENGTH {
        calls += 1;
        let mut control = cfg.entry();
        // Some of the graphs never come to their exit.
        while control != cfg.exit() && taken.len() < LENGTH {
            let out = cfg.successors(control);
            let choice = match random.random_ratio(3, 4) {
                true => likely[control.index()],
                false => random.random_range(0..4),
            };
            let edge = out[choice % out.len()];
            taken.push(edge);
            control = cfg.ends(edge).1;
        }
    }
    (calls, taken)
}

/// Prints how many probes run for each edge taken.
fn study_probes(random: &mut ChaCha8Rng) {
    let mut run = [0.0; 4];
    let mut edges = 0.0;
    for _ in 0..GRAPHS {
        let cfg = graph(random);
        let dag = Acyclic::depth_first(&cfg);
        let values = BallLarus::exact(&dag).values();
        let (calls, taken) = execute(&cfg, random);
        let measured = Weights::counted(&cfg, &taken);
        let placements = [
            Probes::naive(&values),
            Probes::optimised(&values, &Weights::uniform(&cfg)),
            Probes::optimised(&values, &Weights::heuristic(&cfg)),
            Probes::optimised(&values, &measured),
        ];
        for (run, probes) in run.iter_mut().zip(placements) {
            *run += probes.cost(&measured, f64::from(calls));
        }
        edges += taken.len() as f64;
    }
    println!("probes for each edge taken, naive and with the spanning tree for weights that are:");
    println!("naive  uniform  heuristic  measured");
    let [naive, uniform, heuristic, measured] = run.map(|r| r / edges);
    println!("{naive:5.3}  {uniform:7.3}  {heuristic:9.3}  {measured:8.3}");
}

fn main() {
    println!("seed {SEED}, {GRAPHS} graphs a row");
    println!(
        "paths  delta as given  delta  least delta  optimal  worst ratio  probes/Ball-Larus  undecided"
    );
    let mut random = ChaCha8Rng::seed_from_u64(SEED);
    for count in 2..=MOST_PATHS {
        let row = study(count, &mut random);
        let mean = |sum: f64| sum / GRAPHS as f64;
        println!(
            "{count:5}  {:14.3}  {:5.3}  {:11.3}  {:6.1}%  {:11.3}  {:17.3}  {:9}",
            mean(row.given),
            mean(row.delta),
            mean(row.least),
            100.0 * mean(row.optimal as f64),
            row.worst,
            mean(row.probes),
            row.undecided,
        );
    }
    println!();
    study_placements(&mut random);
    println!();
    study_probes(&mut random);
}
