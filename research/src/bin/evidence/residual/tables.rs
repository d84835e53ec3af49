//! The counterparts of tables 3.1 and 3.2, and what bounded memory costs.

use anyhow::{Result, ensure};
use hpp_paths::interprocedural::{Supergraph, Windows};
use hpp_paths::numbering::BallLarus;
use hpp_paths::residual::{Limits, ResidualProfiler, ResidualReport, Summary, Tested};
use verilated::tools::figures::thousands;

use super::{Profiles, Runs, compact, inputs};
use crate::document::{Document, percent};

/// How deep calls are inlined.
const DEPTHS: [usize; 3] = [0, 1, 2];

/// Register of the Ball-Larus number.
const PATHS: u64 = 1 << 32;

/// Room for untested paths, and counters of an array.
const MEMORIES: [(usize, usize); 6] = [
    (1000, 2500),
    (100, 2500),
    (10, 2500),
    (1000, 50),
    (1000, 10),
    (100, 10),
];

pub fn fill(document: &Document) -> Result<()> {
    let (mut intra, mut inter, mut graphs, mut memory) = (vec![], vec![], vec![], vec![]);
    let mut compact = Vec::new();
    for (program, runs) in inputs::all()? {
        for depth in DEPTHS {
            let profiles = runs.profiles(depth)?;
            let summary = Summary::of(&profiles.graphs, &profiles.tests, &profiles.field);
            if depth == 0 {
                intra.push(intraprocedural(program, &summary));
            }
            inter.push(interprocedural(program, depth, &summary));
            let limits = |(untested, counters)| Limits {
                paths: PATHS,
                counters,
                untested,
            };
            let enough = limits((usize::MAX >> 8, usize::MAX >> 8));
            let cut = profiles.graphs.truncated(PATHS, &profiles.tests)?;
            let tests = runs.tests(&cut)?;
            let tested = Tested::new(&cut, &tests, enough)?;
            check(&runs, &tested, &deploy(&runs, &tested)?)?;
            graphs.push(sizes(program, depth, &profiles, &tested));
            let field = runs.field(tested.graphs())?;
            compact.push(compact::row(
                format!("{program} ({depth})"),
                &tested,
                &field,
            )?);
            if program == "bzip2" && depth == 1 {
                for room in MEMORIES {
                    let tested = Tested::new(&cut, &tests, limits(room))?;
                    memory.push(bounded(room, &tested, &deploy(&runs, &tested)?));
                }
            }
        }
    }
    document.table("residual-compact", compact::HEAD, &compact)?;
    put(document, [&intra, &inter, &graphs, &memory])
}

fn put(document: &Document, [intra, inter, graphs, memory]: [&[Vec<String>]; 4]) -> Result<()> {
    let head = "program | untested paths | of all | of executions | functions with them | untested edges | \
        functions with them | untested paths in functions without untested edges | of untested";
    document.table("residual-intra", head, intra)?;
    let head = "program (depth) | paths | untested | of all | of executions";
    document.table("residual-inter", head, inter)?;
    let head = "program (depth) | copies | blocks | most paths of a graph | edges truncated | \
        of those tested | tested paths | counters | the most of a graph";
    document.table("residual-graphs", head, graphs)?;
    let head = "room in the list, in an array | bytes | untested paths found | executions of them | \
        weeded | executions beyond";
    document.table("residual-memory", head, memory)
}

fn deploy(runs: &Runs, tested: &Tested) -> Result<ResidualReport> {
    let mut profiler = ResidualProfiler::new(tested);
    if let Some(field) = runs.runs.last() {
        let run = field.iter().copied();
        let program = runs.procedures.program();
        profiler.run(program, Windows::Tiled, runs.start, run)?;
    }
    Ok(profiler.report())
}

/// What numbers found is what an exact profile in the same graphs has beyond the tested paths, path for path.
fn check(runs: &Runs, tested: &Tested, report: &ResidualReport) -> Result<()> {
    let field = runs.field(tested.graphs())?;
    let known = |graph, path| tested.paths(graph).contains(path);
    let untested = field.iter().filter(|(graph, path, _)| !known(*graph, path));
    let reported = report.untested.iter().map(|u| (u.graph, &u.path, u.count));
    ensure!(
        reported.eq(untested) && report.executions() == field.executions() && report.beyond == 0,
        "the untested paths are not the exact ones"
    );
    Ok(())
}

fn share(part: u64, all: u64) -> String {
    percent(part as f64 / all.max(1) as f64)
}

fn intraprocedural(program: &str, summary: &Summary) -> Vec<String> {
    let count = |count: usize| thousands(count as u64);
    let [paths, untested, alone] = [
        summary.paths,
        summary.untested_paths,
        summary.paths_without_edges,
    ]
    .map(|n| n as u64);
    vec![
        program.to_owned(),
        thousands(untested),
        share(untested, paths),
        share(summary.untested_executions, summary.executions),
        count(summary.graphs_with_paths),
        count(summary.untested_edges),
        count(summary.graphs_with_edges),
        thousands(alone),
        share(alone, untested),
    ]
}

fn interprocedural(program: &str, depth: usize, summary: &Summary) -> Vec<String> {
    let [paths, untested] = [summary.paths, summary.untested_paths].map(|n| n as u64);
    vec![
        format!("{program} ({depth})"),
        thousands(paths),
        thousands(untested),
        share(untested, paths),
        share(summary.untested_executions, summary.executions),
    ]
}

/// Graphs that tests entered: their size, and what preferential numbers make of their paths.
fn sizes(program: &str, depth: usize, profiles: &Profiles, tested: &Tested) -> Vec<String> {
    let paths = |graph: &Supergraph| profiles.tests.paths(graph.root()).len();
    let graphs = profiles.graphs.iter().map(|graph| (graph, paths(graph)));
    let graphs: Vec<_> = graphs.filter(|(_, paths)| *paths > 0).collect();
    let sum = |count: &dyn Fn(&Supergraph) -> usize| {
        let counts = graphs.iter().map(|(graph, _)| count(graph));
        thousands(counts.sum::<usize>() as u64)
    };
    let all = graphs
        .iter()
        .map(|(graph, _)| BallLarus::exact(graph.dag()).paths());
    let most = all.max().map_or(0.0, |most| most.to_f64().value());
    let counters = |graph: &Supergraph| tested.counters(graph.root());
    let ran = profiles.tests.edges(&profiles.graphs);
    let removed = |graph: &Supergraph| tested.graphs().of(graph.root()).removed().to_vec();
    let broken = |graph: &Supergraph| {
        let tested = |edge: &_| ran.contains(&(graph.root(), *edge));
        removed(graph).iter().filter(|edge| tested(edge)).count()
    };
    let widest = graphs.iter().map(|(graph, _)| {
        let paths = tested.paths(graph.root()).len();
        (counters(graph), paths)
    });
    let (widest, paths_there) = widest.max().unwrap_or_default();
    vec![
        format!("{program} ({depth})"),
        sum(&|graph| graph.contexts().len()),
        sum(&|graph| graph.cfg().blocks().len()),
        format!("{most:.1e}"),
        sum(&|graph| removed(graph).len()),
        sum(&broken),
        sum(&|graph| tested.paths(graph.root()).len()),
        sum(&counters),
        format!(
            "{} for {}",
            thousands(widest as u64),
            thousands(paths_there as u64)
        ),
    ]
}

fn bounded(room: (usize, usize), tested: &Tested, report: &ResidualReport) -> Vec<String> {
    let executions = report.untested.iter().map(|path| path.count).sum();
    vec![
        format!("{}, {}", thousands(room.0 as u64), thousands(room.1 as u64)),
        thousands(tested.bytes() as u64),
        thousands(report.untested.len() as u64),
        thousands(executions),
        thousands(report.weeded.len() as u64),
        thousands(report.beyond),
    ]
}
