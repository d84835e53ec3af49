//! The numberings as JSON. Path numbers are strings, because they may have any length.

use std::borrow::Cow;

use anyhow::Result;
use hpp_paths::graph::{DagEdge, DagEdgeId, DagPath};
use serde::Serialize;

use super::Breaks;
use super::numbered::{Column, Numbered};
use super::source::Source;

#[derive(Serialize)]
struct Document<'a> {
    graph: &'a str,
    blocks: usize,
    breaks: &'static str,
    paths: String,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    notes: &'a [String],
    edges: Vec<Edge<'a>>,
    algorithms: Vec<AlgorithmPart>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    interesting: Vec<Path<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    regenerated: Vec<RegeneratedPart<'a>>,
}

/// An edge of the acyclic form.
#[derive(Serialize)]
struct Edge<'a> {
    from: Cow<'a, str>,
    to: Cow<'a, str>,
    kind: &'static str,
}

#[derive(Serialize)]
struct AlgorithmPart {
    name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    edges: Option<EdgesPart>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entropy: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    gamma: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    delta: Option<f64>,
    /// The numbers of the interesting paths, in their order.
    numbers: Vec<String>,
}

/// Values and probes by the position of the edge.
#[derive(Serialize)]
struct EdgesPart {
    values: Vec<String>,
    increments: Vec<String>,
    probes: Vec<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    entry_probe: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exit_probe: Option<String>,
    edges_with_value: usize,
    probe_count: usize,
}

#[derive(Serialize)]
struct Path<'a> {
    blocks: Vec<Cow<'a, str>>,
    edges: Vec<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    descriptor: Option<String>,
}

#[derive(Serialize)]
struct RegeneratedPart<'a> {
    algorithm: &'static str,
    number: String,
    path: Path<'a>,
}

/// One object, ending with a line feed.
pub fn write(source: &Source, numbered: &Numbered) -> Result<String> {
    let interesting = numbered.interesting.iter().flat_map(|set| set.paths());
    let document = Document {
        graph: &source.name,
        blocks: source.dag.flow().blocks().len(),
        breaks: match source.breaks {
            Breaks::DepthFirst => "depth-first",
            Breaks::Hardware => "hardware",
        },
        paths: numbered.paths.to_string(),
        notes: &source.notes,
        edges: source.dag.edges().map(|e| edge(source, e)).collect(),
        algorithms: numbered
            .columns
            .iter()
            .map(|column| part(source, column))
            .collect(),
        interesting: interesting.map(|p| path(source, p)).collect(),
        regenerated: numbered
            .regenerated
            .iter()
            .map(|regenerated| RegeneratedPart {
                algorithm: regenerated.algorithm.name(),
                number: regenerated.number.to_string(),
                path: path(source, &regenerated.path),
            })
            .collect(),
    };
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn edge(source: &Source, edge: DagEdgeId) -> Edge<'_> {
    let (from, to) = source.dag.ends(edge);
    Edge {
        from: source.dag.flow().name(from),
        to: source.dag.flow().name(to),
        kind: match source.dag.kind(edge) {
            DagEdge::Real(_) => "real",
            DagEdge::Stop { .. } => "stop",
            DagEdge::Start { .. } => "start",
        },
    }
}

fn part(source: &Source, column: &Column) -> AlgorithmPart {
    let edges = column.edges.as_ref().map(|edges| {
        let all = || source.dag.edges();
        EdgesPart {
            values: all().map(|e| edges.values.get(e).to_string()).collect(),
            increments: all()
                .map(|e| edges.probes.increments().get(e).to_string())
                .collect(),
            probes: all()
                .map(|e| edges.probes.on(e).map(ToString::to_string))
                .collect(),
            entry_probe: edges.probes.at_entry().map(ToString::to_string),
            exit_probe: edges.probes.at_exit().map(ToString::to_string),
            edges_with_value: edges.values.probes(),
            probe_count: edges.probes.count(),
        }
    });
    AlgorithmPart {
        name: column.algorithm.name(),
        edges,
        entropy: column.coding.map(|(entropy, _)| entropy),
        gamma: column.coding.map(|(_, gamma)| gamma),
        delta: column.delta.as_ref().map(|delta| delta.ratio()),
        numbers: column.numbers.iter().map(ToString::to_string).collect(),
    }
}

fn path<'a>(source: &'a Source, path: &DagPath) -> Path<'a> {
    let route = path.route(&source.dag);
    Path {
        blocks: route
            .blocks
            .iter()
            .map(|&block| source.dag.flow().name(block))
            .collect(),
        edges: path.edges().iter().map(|edge| edge.index()).collect(),
        descriptor: source.descriptor(path).map(|d| d.to_string()),
    }
}
