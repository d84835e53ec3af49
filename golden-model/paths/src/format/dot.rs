//! Control-flow graphs as Graphviz text.
use petgraph::dot::{Config, Dot};
use petgraph::visit::EdgeRef;

use crate::graph::{Acyclic, BlockId, DagEdge, DagEdgeId, Flow};

/// The acyclic form: dummies dashed, `label` beside each edge.
pub fn acyclic(dag: &Acyclic, label: impl Fn(DagEdgeId) -> String) -> String {
    let flow = dag.flow();
    let drawing = format!(
        "{:?}",
        Dot::with_attr_getters(
            dag.graph(),
            &[Config::NodeNoLabel, Config::EdgeNoLabel],
            &|_, edge| {
                let edge = DagEdgeId::new(edge.id());
                let dummy = !matches!(dag.kind(edge), DagEdge::Real(_));
                edge_attributes(&label(edge), dummy)
            },
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
