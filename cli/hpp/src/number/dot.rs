//! The acyclic form as a drawing for Graphviz, with the value and the probe of each edge.

use hpp_paths::format::dot;
use hpp_paths::graph::DagEdgeId;

use super::numbered::{Column, Numbered};
use super::source::Source;

/// One line of each edge's label for each algorithm; with one algorithm alone, its name is left out.
pub fn write(source: &Source, numbered: &Numbered) -> String {
    let columns: Vec<&Column> = numbered
        .columns
        .iter()
        .filter(|c| c.edges.is_some())
        .collect();
    dot::acyclic(&source.dag, |edge| {
        let lines = columns.iter().filter_map(|column| {
            let line = line(column, edge)?;
            // The blanks keep labels apart from the lines beside them.
            Some(match columns.len() {
                1 => format!(" {line} "),
                _ => format!(" {}: {line} ", column.algorithm.name()),
            })
        });
        lines.collect::<Vec<_>>().join("\n")
    })
}

fn line(column: &Column, edge: DagEdgeId) -> Option<String> {
    let edges = column.edges.as_ref()?;
    let value = edges.values.get(edge);
    Some(match edges.probes.on(edge) {
        Some(probe) => format!("{value} [{probe}]"),
        None => value.to_string(),
    })
}
