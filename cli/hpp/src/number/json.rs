//! The numberings as JSON. Path numbers are strings, because they may have any length.

use anyhow::Result;
use hpp_paths::graph::{DagEdge, DagEdgeId, DagPath};
use serde_json::{Value, json};

use super::Breaks;
use super::numbered::{Column, Edges, Numbered};
use super::source::Source;

/// One object, ending with a line feed.
pub fn write(source: &Source, numbered: &Numbered) -> Result<String> {
    let interesting = numbered.interesting.iter().flat_map(|set| set.paths());
    let regenerated = numbered.regenerated.iter().map(|regenerated| {
        json!({
            "algorithm": regenerated.algorithm.name(),
            "number": regenerated.number.to_string(),
            "path": path(source, &regenerated.path),
        })
    });
    let if_any = |all: Vec<Value>| (!all.is_empty()).then_some(all);
    let document = known(json!({
        "graph": source.name,
        "blocks": source.dag.flow().blocks().len(),
        "breaks": match source.breaks {
            Breaks::DepthFirst => "depth-first",
            Breaks::Hardware => "hardware",
        },
        "paths": numbered.paths.to_string(),
        "notes": if_any(source.notes.iter().map(|note| json!(note)).collect()),
        "edges": list(source.dag.edges().map(|e| edge(source, e))),
        "algorithms": list(numbered.columns.iter().map(|column| algorithm(source, column))),
        "interesting": if_any(interesting.map(|p| path(source, p)).collect()),
        "regenerated": if_any(regenerated.collect()),
    }));
    Ok(serde_json::to_string_pretty(&document)? + "\n")
}

fn list(all: impl Iterator<Item = Value>) -> Value {
    Value::Array(all.collect())
}

/// An object without what there is none of.
fn known(mut object: Value) -> Value {
    if let Value::Object(fields) = &mut object {
        fields.retain(|_, value| !value.is_null());
    }
    object
}

fn edge(source: &Source, edge: DagEdgeId) -> Value {
    let (from, to) = source.dag.ends(edge);
    json!({
        "from": source.dag.flow().name(from),
        "to": source.dag.flow().name(to),
        "kind": match source.dag.kind(edge) {
            DagEdge::Real(_) => "real",
            DagEdge::Stop { .. } => "stop",
            DagEdge::Start { .. } => "start",
        },
    })
}

/// `numbers` are those of the interesting paths, in their order.
fn algorithm(source: &Source, column: &Column) -> Value {
    known(json!({
        "name": column.algorithm.name(),
        "edges": column.edges.as_ref().map(|edges| of_edges(source, edges)),
        "entropy": column.coding.map(|(entropy, _)| entropy),
        "gamma": column.coding.map(|(_, gamma)| gamma),
        "delta": column.delta.as_ref().map(|delta| delta.ratio()),
        "numbers": list(column.numbers.iter().map(|number| json!(number.to_string()))),
    }))
}

/// Values and probes by the position of the edge.
fn of_edges(source: &Source, Edges { values, probes }: &Edges) -> Value {
    let all = |of: &dyn Fn(DagEdgeId) -> Value| list(source.dag.edges().map(of));
    known(json!({
        "values": all(&|edge| json!(values.get(edge).to_string())),
        "increments": all(&|edge| json!(probes.increments().get(edge).to_string())),
        "probes": all(&|edge| json!(probes.on(edge).map(ToString::to_string))),
        "entry_probe": probes.at_entry().map(ToString::to_string),
        "exit_probe": probes.at_exit().map(ToString::to_string),
        "edges_with_value": values.probes(),
        "probe_count": probes.count(),
    }))
}

fn path(source: &Source, path: &DagPath) -> Value {
    let flow = source.dag.flow();
    let route = path.route(&source.dag);
    known(json!({
        "blocks": list(route.blocks.iter().map(|&block| json!(flow.name(block)))),
        "edges": list(path.edges().iter().map(|edge| json!(edge.index()))),
        "descriptor": source.descriptor(path).map(|d| d.to_string()),
    }))
}
