//! Graphs to test numberings on, and their paths.
use std::ops::Range;

use hpp_paths::Number;
use hpp_paths::format::text::Text;
use hpp_paths::graph::{Acyclic, BlockId, Cfg, DagPath, EdgeId, Leftover};
use hpp_paths::numbering::{BallLarus, Interesting};
use proptest::prelude::*;
pub use proptest::sample::Index as Pick;

pub use crate::random_executions::execute;
pub use crate::random_graphs::{graph, graph_of};

/// Figure 3.4 of Vaswani's thesis: six paths.
pub fn vaswani() -> Cfg {
    graph_of("s a, s b, a c, a b, b c, c d, c t, d t")
}

/// So many diamonds in a row: 2^count paths.
pub fn diamonds(count: usize) -> Cfg {
    let names: Vec<[String; 3]> = (0..=count)
        .map(|at| ["j", "l", "r"].map(|part| format!("{part}{at}")))
        .collect();
    let edges = names.windows(2).flat_map(|pair| {
        let ([top, left, right], [bottom, ..]) = (&pair[0], &pair[1]);
        [(top, left), (top, right), (left, bottom), (right, bottom)]
    });
    Cfg::from_edges(edges.map(|(from, to)| (from.as_str(), to.as_str()))).expect("a graph")
}

/// So many forks in a row, each of so many edges side by side.
pub fn forks<const WAYS: usize>(count: usize) -> Acyclic {
    let names: Vec<String> = (0..=count).map(|block| block.to_string()).collect();
    let pairs = names.windows(2);
    let edges = pairs.flat_map(|pair| [(&*pair[0], &*pair[1]); WAYS]);
    Acyclic::depth_first(&Cfg::from_edges(edges).expect("a graph"))
}

/// The path through blocks written with blanks between them.
pub fn path(cfg: &Cfg, dag: &Acyclic, blocks: &str) -> DagPath {
    let find = |name| cfg.find(name).expect("a block of the graph");
    let blocks: Vec<BlockId> = blocks.split(' ').map(find).collect();
    DagPath::from_blocks(dag, &blocks).expect("a path of the graph")
}

/// The interesting paths through these block lists.
pub fn interesting(cfg: &Cfg, dag: &Acyclic, lists: &[&str]) -> Interesting {
    let paths = lists.iter().map(|l| path(cfg, dag, l)).collect();
    Interesting::new(dag, paths).expect("distinct paths")
}

/// Random graphs, and what picks some of their paths.
pub fn with_picks(
    blocks: Range<usize>,
    picks: Range<usize>,
) -> impl Strategy<Value = (Cfg, Vec<Pick>)> {
    (graph(blocks), prop::collection::vec(any::<Pick>(), picks))
}

/// Random graphs, and executions of fewer edges than so many.
pub fn executed(blocks: Range<usize>, most: usize) -> impl Strategy<Value = (Cfg, Vec<EdgeId>)> {
    let choices = prop::collection::vec(any::<u8>(), 0..most);
    (graph(blocks), choices).prop_map(|(cfg, choices)| {
        let execution = execute(&cfg, &choices);
        (cfg, execution)
    })
}

/// The graph of a text, as the command `hpp number` reads it.
pub fn read(text: &str) -> Cfg {
    Text::parse(text).expect("a graph").cfg
}

/// Some of the paths of a graph that has few; `picks` chooses them.
pub fn pick(dag: &Acyclic, paths: &[DagPath], picks: &[Pick]) -> Interesting {
    let mut chosen: Vec<usize> = picks.iter().map(|i| i.index(paths.len())).collect();
    chosen.sort();
    chosen.dedup();
    let chosen = chosen.into_iter().map(|i| paths[i].clone()).collect();
    Interesting::new(dag, chosen).expect("distinct")
}

pub fn big(number: u64) -> Number {
    Number::from(number)
}

/// All paths by walking the graph, the slow way, in the order of the edges.
pub fn all_paths(dag: &Acyclic) -> Vec<DagPath> {
    let mut found = Vec::new();
    let mut open = vec![(dag.entry(), Vec::new())];
    while let Some((block, edges)) = open.pop() {
        if block == dag.exit() {
            found.push(DagPath::new(dag, edges).expect("edges in a row"));
            continue;
        }
        for &edge in dag.out(block).iter().rev() {
            let mut longer = edges.clone();
            longer.push(edge);
            open.push((dag.ends(edge).1, longer));
        }
    }
    found
}

/// Acyclic forms of a graph under every notion of breaking.
pub fn forms(cfg: &Cfg) -> [Acyclic; 2] {
    let recorded = Acyclic::recorded(cfg, Leftover::Break).expect("all cycles are broken");
    [Acyclic::depth_first(cfg), recorded]
}

/// Whether a graph is small enough to try all its paths.
pub fn small(numbering: &BallLarus) -> bool {
    numbering.paths() <= big(3000)
}
