//! Control-flow graphs as Graphviz text.
use std::fmt::Debug;

use petgraph::dot::{Config, Dot};
use petgraph::graph::{DiGraph, EdgeIndex};
use petgraph::visit::EdgeRef;

use crate::graph::{Acyclic, DagEdge, DagEdgeId};
use crate::graph::{BlockId, Cfg, EdgeId, Flow};

/// The graph itself: broken edges dashed, `label` beside each edge.
#[must_use]
pub fn graph<N: Debug, E: Debug>(
    cfg: &Cfg<N, E>,
    broken: &[EdgeId],
    label: impl Fn(EdgeId) -> String,
) -> String {
    let mut is_broken = vec![false; cfg.edges().len()];
    for edge in broken {
        is_broken[edge.index()] = true;
    }
    draw(cfg, cfg.graph(), |edge| {
        edge_attributes(&label(edge), is_broken[edge.index()])
    })
}

/// The acyclic form: dummies dashed, `label` beside each edge.
#[must_use]
pub fn acyclic(dag: &Acyclic, label: impl Fn(DagEdgeId) -> String) -> String {
    draw(dag.flow(), dag.graph(), |edge| {
        let edge = DagEdgeId::new(edge);
        let dummy = !matches!(dag.kind(edge), DagEdge::Real(_));
        edge_attributes(&label(edge), dummy)
    })
}

/// A graph over the blocks of `flow`.
fn draw<N: Debug, E: Debug>(
    flow: &Flow,
    graph: &DiGraph<N, E, u32>,
    edge: impl Fn(EdgeIndex<u32>) -> String,
) -> String {
    let drawing = format!(
        "{:?}",
        Dot::with_attr_getters(
            graph,
            &[Config::NodeNoLabel, Config::EdgeNoLabel],
            &|_, e| edge(e.id()),
            &|_, (block, _)| block_attributes(flow, block),
        )
    );
    format!("{}\n", drawing.trim_end())
}

fn block_attributes(flow: &Flow, block: BlockId) -> String {
    let ends = [flow.entry(), flow.exit()].contains(&block);
    let shape = if ends { "oval" } else { "box" };
    format!("label = \"{}\" shape = {shape}", escaped(&flow.name(block)))
}

fn edge_attributes(label: &str, dashed: bool) -> String {
    let style = if dashed { " style = dashed" } else { "" };
    format!("label = \"{}\"{style}", escaped(label))
}

/// Text between the quotes of Graphviz.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('"', "\\\"")
        .replace('\n', "\\n")
}
