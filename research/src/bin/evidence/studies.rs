//! Selective profiling of few paths, and phases: studies of the programs' functions and runs.

use std::collections::{BTreeSet, HashMap};

use anyhow::Result;
use hpp_golden::profiler::{PathStack, Ppcr};
use hpp_paths::Number;
use hpp_paths::metrics::phases;
use hpp_paths::numbering::{BallLarus, Interesting, Pushing, Selective};
use rand::SeedableRng;
use rand::seq::index::sample;
use rand_chacha::ChaCha8Rng;

use crate::document::{Document, percent};
use crate::runs;
use crate::streams::{self, Stream};

/// The most paths of a function: the document's largest method has 5,656.
const PATHS: u64 = 6_000;

/// The most sets of paths of one function.
const SETS: usize = 100;

const INTERVAL: usize = 10_000;

/// How much intervals of a phase overlap with its first.
const LEAST: [f64; 3] = [0.95, 0.9, 0.8];

pub fn fill(document: &Document) -> Result<()> {
    selective(document)?;
    of_runs(document)
}

/// A function: how near it is to a chain of conditionals, and by how many paths are of interest the mean share of probes.
struct Function {
    chain: f64,
    shares: [Option<f64>; 5],
}

fn selective(document: &Document) -> Result<()> {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut functions = Vec::new();
    for run in runs::all()? {
        for id in run.program().ids() {
            if let Ok(numbering) = BallLarus::limited(run.program().procedure(id).dag(), PATHS) {
                functions.extend(function(&numbering, &mut random));
            }
        }
    }
    functions.sort_by(|one, other| one.chain.total_cmp(&other.chain));
    let rows: Vec<Vec<String>> = (1..=5).map(|count| studied(&functions, count)).collect();
    let head = "paths of interest | functions | probes, of Ball-Larus's | \
        half of the functions need less than | less than 60 % | the half more like trees | \
        like chains";
    document.table("studies-selective", head, &rows)
}

fn function(numbering: &BallLarus, random: &mut ChaCha8Rng) -> Option<Function> {
    let paths = usize::try_from(numbering.paths()).ok()?;
    let all = numbering.values().probes();
    if paths < 2 {
        return None;
    }
    let share = |count: usize, random: &mut ChaCha8Rng| {
        let sets = sets(paths, count, random)?;
        let probes = |set: &Vec<usize>| {
            let numbers: Vec<Number> = set.iter().map(|&number| Number::from(number)).collect();
            let interesting = Interesting::from_numbers(numbering, &numbers).ok()?;
            let selective = Selective::new(&interesting, Pushing::Restricted).ok()?;
            Some(selective.values.probes())
        };
        let probes: usize = sets.iter().filter_map(probes).sum();
        Some(probes as f64 / sets.len() as f64 / all as f64)
    };
    Some(Function {
        chain: (paths as f64).log2() - all as f64,
        shares: [1, 2, 3, 4, 5].map(|count| share(count, random)),
    })
}

/// Different sets of so many paths, at random, or all of them if there are few. None where all paths would be in the set.
fn sets(paths: usize, count: usize, random: &mut ChaCha8Rng) -> Option<BTreeSet<Vec<usize>>> {
    if count >= paths {
        return None;
    }
    if count == 1 {
        return Some((0..paths).map(|path| vec![path]).collect());
    }
    let choose = (0..count).fold(1.0, |all, at| all * (paths - at) as f64 / (at + 1) as f64);
    let enough = SETS.min(choose.round() as usize);
    let mut sets = BTreeSet::new();
    while sets.len() < enough {
        let mut set = sample(random, paths, count).into_vec();
        set.sort_unstable();
        sets.insert(set);
    }
    Some(sets)
}

fn studied(functions: &[Function], count: usize) -> Vec<String> {
    let shares: Vec<f64> = functions
        .iter()
        .filter_map(|function| function.shares[count - 1])
        .collect();
    let mean = |shares: &[f64]| percent(shares.iter().sum::<f64>() / shares.len() as f64);
    let mut sorted = shares.clone();
    sorted.sort_by(f64::total_cmp);
    let few = shares.iter().filter(|&&share| share < 0.6).count();
    let (trees, chains) = shares.split_at(shares.len() / 2);
    vec![
        count.to_string(),
        shares.len().to_string(),
        mean(&shares),
        percent(sorted[sorted.len() / 2]),
        percent(few as f64 / shares.len() as f64),
        mean(trees),
        mean(chains),
    ]
}

fn of_runs(document: &Document) -> Result<()> {
    let rows = streams::all()?.into_iter().flat_map(|stream| {
        let intervals = intervals(&stream);
        LEAST.map(|least| phased(stream.name, &intervals, least))
    });
    let head = "program | overlap in a phase | intervals | phases by blocks | by edges | by paths | \
        phases by blocks that hold several by paths | intervals in these";
    document.table("studies-phases", head, &rows.collect::<Vec<_>>())
}

type Counts<K> = Vec<HashMap<K, u64>>;

/// Profiles of the intervals of a run, by blocks, by edges and by the hardware's paths.
type Intervals = (
    Counts<u64>,
    Counts<(u64, u64)>,
    Counts<hpp_golden::path::PathDescriptor>,
);

fn intervals(stream: &Stream) -> Intervals {
    let mut stack = PathStack::new(&streams::geometry(), Ppcr::default());
    let (mut blocks, mut edges, mut paths): Intervals = Default::default();
    for records in stream.records.chunks(INTERVAL) {
        let (mut of_blocks, mut of_edges, mut of_paths) =
            (HashMap::new(), HashMap::new(), HashMap::new());
        for record in records {
            let to = if record.taken {
                record.target
            } else {
                record.next
            };
            *of_blocks.entry(to).or_default() += 1;
            *of_edges.entry((record.next, to)).or_default() += 1;
            if let Some(completed) = stack.step(record) {
                *of_paths.entry(completed.descriptor).or_default() += 1;
            }
        }
        blocks.push(of_blocks);
        edges.push(of_edges);
        paths.push(of_paths);
    }
    (blocks, edges, paths)
}

fn phased(program: &str, (blocks, edges, paths): &Intervals, least: f64) -> Vec<String> {
    let [by_blocks, by_edges, by_paths] = [
        phases(blocks, least),
        phases(edges, least),
        phases(paths, least),
    ];
    let count = |phases: &[usize]| phases.iter().max().map_or(0, |last| last + 1);
    let mut several: HashMap<usize, BTreeSet<usize>> = HashMap::new();
    for (&block, &path) in by_blocks.iter().zip(&by_paths) {
        several.entry(block).or_default().insert(path);
    }
    several.retain(|_, paths| paths.len() > 1);
    let inside = by_blocks
        .iter()
        .filter(|phase| several.contains_key(phase))
        .count();
    vec![
        program.to_owned(),
        percent(least),
        by_blocks.len().to_string(),
        count(&by_blocks).to_string(),
        count(&by_edges).to_string(),
        count(&by_paths).to_string(),
        several.len().to_string(),
        percent(inside as f64 / by_blocks.len() as f64),
    ]
}
