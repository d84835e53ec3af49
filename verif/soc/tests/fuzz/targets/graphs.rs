//! Control-flow graphs, as text and as JSON.

use super::{Target, texts};
use hpp_paths::Number;
use hpp_paths::format::{json, text};
use hpp_paths::graph::{Acyclic, Cfg, DagPath, Leftover, Weights};
use hpp_paths::numbering::{BallLarus, Interesting, Preferential, Pushing, Selective};
use hpp_paths::placement::Probes;

const GRAPHS: [&str; 3] = [
    "a -> b ; 0\na -> c ; 2\nb -> c ; 0\nb -> d ; 1\nc -> d\nd -> e\nd -> f\ne -> f\n",
    "block a at 0x10 # first\na -> b indirect taken weight 7 ; 3, increment -1\n; test nothing\nb -> a\n\
     b -> \"an exit; really\"\nblock b at 16\n",
    "entry in\nexit out\nin -> head\nhead -> body taken weight 9\nhead -> out not-taken weight 1\nbody -> head backward\n",
];

pub const TEXT: Target = Target {
    name: "graph-text",
    run: |input| {
        if let Ok(read) = text::Text::parse(&String::from_utf8_lossy(input)) {
            use_graph(&read.cfg);
        }
    },
    seeds: || texts(&GRAPHS),
};

pub const JSON: Target = Target {
    name: "graph-json",
    run: |input| {
        if let Ok(cfg) = json::parse(&String::from_utf8_lossy(input)) {
            use_graph(&cfg);
        }
    },
    seeds: || {
        let graph = |text| text::Text::parse(text).expect("a graph").cfg;
        GRAPHS
            .iter()
            .map(|text| json::write(&graph(text)).into_bytes())
            .collect()
    },
};

/// Both formats keep the graph, and its paths have the numbers 0 to one below their count, whatever is numbered with them.
fn use_graph(cfg: &Cfg) {
    let whole = text::write(cfg, |_| None);
    let from_text = text::Text::parse(&whole).expect("what was written");
    assert_eq!(text::write(&from_text.cfg, |_| None), whole);
    let from_json = json::parse(&json::write(cfg)).expect("what was written");
    assert_eq!(text::write(&from_json, |_| None), whole);
    let small = cfg.blocks().len() <= 40 && cfg.edges().len() <= 80;
    if small {
        number(&Acyclic::depth_first(cfg), cfg);
        if let Ok(dag) = Acyclic::recorded(cfg, Leftover::Refuse) {
            number(&dag, cfg);
        }
    }
}

fn number(dag: &Acyclic, cfg: &Cfg) {
    let numbering = BallLarus::exact(dag);
    let last = numbering.paths() - Number::from(1u32);
    let path = |number: &Number| -> DagPath {
        let path = numbering.path(number).expect("a number below the count");
        assert_eq!(numbering.number(&path), *number);
        path
    };
    let mut paths = vec![path(&Number::from(0u32))];
    if last != Number::from(0u32) {
        paths.push(path(&last));
    }
    numbering
        .path(&numbering.paths())
        .expect_err("there are no more");
    let weights = Weights::measured(cfg).unwrap_or_else(|| Weights::heuristic(cfg));
    let _ = Probes::optimised(&numbering.values(), &weights);
    let interesting = Interesting::new(dag, paths).expect("the first and the last are two");
    let preferred = Preferential::new(&interesting);
    assert_eq!(preferred.numbers().len(), interesting.count());
    let _ = Probes::kept(&Selective::exact(&interesting, Pushing::Restricted).values);
}
