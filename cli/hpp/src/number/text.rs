//! The numberings as tables for people.

use std::fmt::Write;

use anyhow::Result;
use comfy_table::CellAlignment;
use hpp_paths::Number;
use hpp_paths::counters::{BlockCounters, CounterPlaces, EdgeCounters, PrunedEdgeCounters};
use hpp_paths::graph::DagPath;
use hpp_paths::interprocedural::Procedure;
use hpp_paths::placement::{Probe, Probes};
use hpp_paths::trace::Witnesses;
use hpp_report::columns::{lines, table};

use super::Breaks;
use super::numbered::{Column, Numbered};
use super::source::Source;

/// Everything, in the order of interest: the graph, the algorithms, counters and witnesses if they are asked for, the edges, the paths.
pub fn write(source: &Source, numbered: &Numbered, counted: bool) -> Result<String> {
    let mut out = String::new();
    let breaks = match source.breaks {
        Breaks::DepthFirst => "back edges of a depth-first search",
        Breaks::Hardware => "backward and indirect branches",
    };
    writeln!(
        out,
        "{}: blocks {}, edges {}, broken edges {} ({breaks}), paths {}\n",
        source.name,
        source.dag.flow().blocks().len(),
        source.dag.flow().edges().len(),
        source.dag.broken().len(),
        numbered.paths
    )?;
    for note in &source.notes {
        writeln!(out, "note: {note}\n")?;
    }
    out += &aligned(&algorithms(numbered));
    out.push('\n');
    if counted {
        out += &aligned(&counters(source));
        out.push('\n');
    }
    out += &aligned(&edges(source, numbered));
    if let Some(interesting) = &numbered.interesting {
        out.push('\n');
        out += &aligned(&paths(source, numbered, interesting.paths()));
    }
    for regenerated in &numbered.regenerated {
        writeln!(
            out,
            "\n{} path {}: {}",
            regenerated.algorithm.name(),
            regenerated.number,
            regenerated.path.text(&source.dag)
        )?;
        if let Some(descriptor) = source.descriptor(&regenerated.path) {
            writeln!(out, "recorded by the hardware as {descriptor}")?;
        }
    }
    Ok(out)
}

/// What determines a profile of the edges or of the blocks, and a trace: places, and what runs there in all by the weights.
fn counters(source: &Source) -> Rows {
    let (flow, weights) = (source.dag.flow(), &source.weights);
    let heads = ["instrumentation", "for", "places", "run", "bits"];
    let mut rows = vec![heads.map(String::from).to_vec()];
    let number = |number: f64| {
        let digits = format!("{number:.2}");
        digits
            .trim_end_matches('0')
            .trim_end_matches('.')
            .to_owned()
    };
    let redundant = CounterPlaces::redundant(flow);
    let edges = EdgeCounters::optimal(flow, weights);
    let pruned = PrunedEdgeCounters::heuristic(flow, weights);
    let blocks = BlockCounters::optimal(flow, weights);
    for (name, what, places) in [
        ("a counter in every block", "block profile", &redundant),
        ("optimal counters", "edge profile", edges.places()),
        ("pruned counters", "block profile", pruned.places()),
        ("counters in blocks", "block profile", blocks.places()),
    ] {
        let (places, run) = (places.count().to_string(), number(places.cost(weights)));
        rows.push(vec![name.into(), what.into(), places, run, "-".into()]);
    }
    let procedure = Procedure::new(&source.name, source.dag.clone());
    let optimal = Witnesses::optimal(&procedure, weights).reusing_values();
    let bit_tracing = Witnesses::every_outcome(&procedure);
    for (name, witnesses) in [("optimal witnesses", optimal), ("bit tracing", bit_tracing)] {
        let bits = witnesses.edges().map(|edge| {
            let width = witnesses.width(flow.ends(edge).0);
            f64::from(width) * weights.edge(edge)
        });
        let places = witnesses.edges().count().to_string();
        let (run, bits) = (number(witnesses.cost(weights)), number(bits.sum()));
        rows.push(vec![name.into(), "trace".into(), places, run, bits]);
    }
    rows
}

fn algorithms(numbered: &Numbered) -> Rows {
    let heads = ["algorithm", "values", "probes", "delta", "entropy", "gamma"];
    let mut rows = vec![heads.map(String::from).to_vec()];
    for column in &numbered.columns {
        let edges = column.edges.as_ref();
        let or_dash = |text: Option<String>| text.unwrap_or_else(|| "-".into());
        rows.push(vec![
            column.algorithm.name().into(),
            or_dash(edges.map(|edges| edges.values.probes().to_string())),
            or_dash(edges.map(|edges| edges.probes.count().to_string())),
            or_dash(column.delta.as_ref().map(ToString::to_string)),
            or_dash(column.coding.map(|(entropy, _)| format!("{entropy:.3}"))),
            or_dash(column.coding.map(|(_, gamma)| format!("{gamma:.3}"))),
        ]);
    }
    rows
}

/// A row for each edge of the acyclic form, with value and probe by each algorithm that has them, and for the probes in
/// the entry and exit blocks.
fn edges(source: &Source, numbered: &Numbered) -> Rows {
    let mut heads = vec!["edge".to_owned()];
    let with_edges = || {
        numbered
            .columns
            .iter()
            .filter_map(|c| Some((c, c.edges.as_ref()?)))
    };
    for (column, _) in with_edges() {
        heads.push(column.algorithm.name().into());
        heads.push("probe".into());
    }
    let mut rows = vec![heads];
    for edge in source.dag.edges() {
        let mut row = vec![source.dag.edge_name(edge)];
        for (_, edges) in with_edges() {
            row.push(edges.values.get(edge).to_string());
            let probe = edges.probes.on(edge).map(ToString::to_string);
            row.push(probe.unwrap_or_default());
        }
        rows.push(row);
    }
    let flow = source.dag.flow();
    type InBlock = fn(&Probes) -> Option<&Probe>;
    let blocks: [(_, InBlock); 2] = [
        (flow.entry(), Probes::at_entry),
        (flow.exit(), Probes::at_exit),
    ];
    for (block, probe) in blocks {
        if with_edges().any(|(_, edges)| probe(&edges.probes).is_some()) {
            let mut row = vec![format!("in {}", flow.name(block))];
            for (_, edges) in with_edges() {
                let probe = probe(&edges.probes).map(ToString::to_string);
                row.extend([String::new(), probe.unwrap_or_default()]);
            }
            rows.push(row);
        }
    }
    rows
}

/// A row for each interesting path, with its number by each algorithm.
fn paths(source: &Source, numbered: &Numbered, paths: &[DagPath]) -> Rows {
    let columns = || numbered.columns.iter();
    let names = columns().map(|column| column.algorithm.name());
    let heads = names.chain(["interesting path"]).map(String::from);
    let mut rows = vec![heads.collect()];
    for (i, path) in paths.iter().enumerate() {
        let number = |column: &Column| column.numbers.get(i).map_or("-".into(), Number::to_string);
        let numbers = columns().map(number);
        rows.push(numbers.chain([path.text(&source.dag)]).collect());
    }
    rows
}

/// A line of heads, and the rows below it.
type Rows = Vec<Vec<String>>;

/// Columns of numbers to the right, others to the left, two blanks between.
fn aligned(rows: &Rows) -> String {
    let mut table = table(rows[0].iter().map(String::as_str), 0..0);
    table.add_rows(&rows[1..]);
    for (i, column) in table.column_iter_mut().enumerate() {
        column.set_padding((0, 2));
        if rows[1..].iter().all(|row| is_number(&row[i])) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    lines(&table)
}

fn is_number(cell: &str) -> bool {
    cell.chars()
        .all(|c| c.is_ascii_digit() || matches!(c, '-' | '.' | '/'))
}
