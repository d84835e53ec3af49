//! Graphs as files, with what is expected of each edge beside it.
//!
//! The first note of a file says what is tested:
//!
//! - `test ball-larus [hardware]`: values; `paths N`. A file may say to break where the
//!   hardware does.
//! - `test increments`: chord increments under the heuristic weights.
//! - `test preferential`, with a note `interesting BLOCKS` for each path: values; `delta I/P`.
//! - `test selective assigned|pushed|removed`, likewise: values after that phase; `sums ...`.
//! - `test weights`: the heuristic weights.
//!
//! A broken edge has the values of its `stop` and its `start`, an edge control cannot reach has
//! the value `none`.
use std::fs;
use std::path::Path;

use hpp_paths::format::text::{Note, Text};
use hpp_paths::graph::{Acyclic, Cfg, Crossing, EdgeId, Leftover, Weights};
use hpp_paths::numbering::*;
use hpp_paths::placement::*;

use crate::graphs::interesting;

/// What a file's test found: for each edge keys and values, and for the file notes.
struct Found {
    edges: Vec<Vec<(&'static str, String)>>,
    notes: Vec<(&'static str, String)>,
}

/// The text after the first word of each note that begins with it.
fn notes<'a>(notes: &'a [Note], key: &'a str) -> impl Iterator<Item = String> + 'a {
    let found = notes.iter().filter(move |n| n.words[0] == key);
    found.map(|n| n.words[1..].join(" "))
}

fn edge_values(cfg: &Cfg, dag: &Acyclic, values: &EdgeValues) -> Vec<Vec<(&'static str, String)>> {
    let found = |edge: EdgeId| match dag.crossing(edge) {
        None => vec![("value", "none".to_string())],
        Some(Crossing::Inside(edge)) => vec![("value", values.get(edge).to_string())],
        Some(Crossing::Break { stop, start }) => {
            let start = start.map_or("none".into(), |s| values.get(s).to_string());
            vec![("stop", values.get(stop).to_string()), ("start", start)]
        }
    };
    cfg.edges().map(found).collect()
}

fn run(text: &Text, what: &[&str]) -> Found {
    let cfg = &text.cfg;
    let mut dag = Acyclic::depth_first(cfg);
    let lists: Vec<String> = notes(&text.notes, "interesting").collect();
    let paths = || {
        let lists: Vec<&str> = lists.iter().map(String::as_str).collect();
        interesting(cfg, &dag, &lists)
    };
    let (values, notes) = match what {
        ["ball-larus", breaks @ ..] => {
            if breaks == ["hardware"] {
                dag = Acyclic::recorded(cfg, Leftover::Refuse).expect("no cycle");
            }
            let numbering = BallLarus::exact(&dag);
            let notes = vec![("paths", numbering.paths().to_string())];
            (numbering.values(), notes)
        }
        ["increments"] => {
            let tree = SpanningTree::maximal(&dag, &Weights::heuristic(cfg));
            let values = BallLarus::exact(&dag).values();
            (tree.increments(&values), vec![])
        }
        ["preferential"] => {
            let numbering = Preferential::new(&paths());
            let notes = vec![("delta", numbering.compactness().to_string())];
            (numbering.values().clone(), notes)
        }
        ["selective", phase] => {
            let numbering = Selective::exact(&paths(), Pushing::Restricted);
            let sums: Vec<String> = numbering.sums().iter().map(|s| s.to_string()).collect();
            let values = match *phase {
                "assigned" => numbering.assigned,
                "pushed" => numbering.pushed,
                "removed" => numbering.values,
                other => panic!("selective profiling has no phase `{other}`"),
            };
            (values, vec![("sums", sums.join(" "))])
        }
        ["weights"] => {
            let weights = Weights::heuristic(cfg);
            let edges = cfg
                .edges()
                .map(|e| vec![("value", weights.edge(e).to_string())]);
            return Found {
                edges: edges.collect(),
                notes: vec![],
            };
        }
        other => panic!("there is no test `{}`", other.join(" ")),
    };
    Found {
        edges: edge_values(cfg, &dag, &values),
        notes,
    }
}

/// The expectations of a file that do not hold.
fn failures(path: &Path) -> Vec<String> {
    let name = path.display();
    let content = fs::read_to_string(path).expect("a file that can be read");
    let text = Text::parse(&content).unwrap_or_else(|error| panic!("{name}: {error}"));
    let test = notes(&text.notes, "test").next();
    let test = test.unwrap_or_else(|| panic!("{name}: no note says what to test"));
    let found = run(&text, &test.split(' ').collect::<Vec<_>>());
    let mut failures = Vec::new();
    for (edge, (line, expected)) in text.cfg.edges().zip(&text.expectations) {
        let expected: Vec<_> = expected
            .iter()
            .map(|e| (&*e.key, e.value.clone()))
            .collect();
        let found = &found.edges[edge.index()];
        if *found != expected {
            failures.push(format!(
                "{name}:{line}: expected {expected:?}, found {found:?}"
            ));
        }
    }
    for (key, value) in &found.notes {
        for expected in notes(&text.notes, key).filter(|e| e != value) {
            failures.push(format!("{name}: expected {key} {expected}, found {value}"));
        }
    }
    failures
}

#[test]
fn every_file_holds() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/numbering/files");
    let mut paths: Vec<_> = fs::read_dir(&folder)
        .expect("the folder of graphs")
        .map(|file| file.expect("a file").path())
        .collect();
    paths.sort();
    assert!(
        paths.len() >= 10,
        "only {} files in {}",
        paths.len(),
        folder.display()
    );
    let failures: Vec<String> = paths.iter().flat_map(|p| failures(p)).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}
