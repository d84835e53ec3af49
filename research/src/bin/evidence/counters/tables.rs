use anyhow::Result;
use verilated::tools::figures::thousands;

use super::measured::{Cost, Measured, Placement};
use crate::document::{Document, percent};
use crate::runs::Weighting;

pub fn fill(document: &Document, measured: &[Measured<'_>]) -> Result<()> {
    let rows = |row: fn(&Measured<'_>) -> Vec<String>| measured.iter().map(row).collect::<Vec<_>>();
    document.table(
        "counters-increments",
        "program | instructions a block | increments, redundant | increments, optimal | \
            in loops of a block | reduction of increments | extra jumps | \
            reduction of instrumentation",
        &rows(increments),
    )?;
    document.table(
        "counters-placements",
        "program | Eprof(Ecnt) | Vprof(Ecnt) | Vprof(Vcnt) | counters pruned | increments pruned",
        &rows(placements),
    )?;
    document.table(
        "counters-edges",
        "program | edges | profiled | of all | without a jump | of profiled",
        &rows(edges),
    )?;
    document.table(
        "counters-weightings",
        "program | exact, maximal | heuristic, maximal | heuristic, minimal | exact, minimal | \
            lost by guessing",
        &rows(weightings),
    )?;
    document.table(
        "counters-instructions",
        "program | redundant | heuristic | exact",
        &rows(instructions),
    )
}

/// How many times fewer.
pub fn ratio(redundant: u64, optimal: u64) -> f64 {
    redundant as f64 / optimal as f64
}

/// Reductions of increments with a maximal and a minimal tree, under both weightings.
pub fn by_weighting(measured: &Measured<'_>) -> [f64; 4] {
    let redundant = measured.cost(Placement::Redundant, Weighting::Exact);
    [
        (Placement::Edges, Weighting::Exact),
        (Placement::Edges, Weighting::Heuristic),
        (Placement::WorstEdges, Weighting::Heuristic),
        (Placement::WorstEdges, Weighting::Exact),
    ]
    .map(|(placement, weighting)| {
        let cost = measured.cost(placement, weighting);
        ratio(redundant.increments, cost.increments)
    })
}

/// Reductions of instrumentation of the three placements, placed by the heuristic.
pub fn by_placement(measured: &Measured<'_>) -> [f64; 3] {
    let redundant = measured.cost(Placement::Redundant, Weighting::Heuristic);
    [Placement::Edges, Placement::PrunedEdges, Placement::Blocks].map(|placement| {
        let cost = measured.cost(placement, Weighting::Heuristic);
        ratio(redundant.instructions(), cost.instructions())
    })
}

fn increments(measured: &Measured<'_>) -> Vec<String> {
    let redundant = measured.cost(Placement::Redundant, Weighting::Heuristic);
    let optimal = measured.cost(Placement::Edges, Weighting::Heuristic);
    vec![
        measured.run.name.to_owned(),
        format!("{:.1}", ratio(measured.run.retired, redundant.increments)),
        thousands(redundant.increments),
        thousands(optimal.increments),
        percent(ratio(optimal.in_short_loops, optimal.increments)),
        format!("{:.2}", ratio(redundant.increments, optimal.increments)),
        thousands(optimal.jumps),
        format!(
            "{:.2}",
            ratio(redundant.instructions(), optimal.instructions())
        ),
    ]
}

fn placements(measured: &Measured<'_>) -> Vec<String> {
    let edges = measured.cost(Placement::Edges, Weighting::Heuristic);
    let pruned = measured.cost(Placement::PrunedEdges, Weighting::Heuristic);
    let reductions = by_placement(measured).map(|reduction| format!("{reduction:.2}"));
    let mut row = vec![measured.run.name.to_owned()];
    row.extend(reductions);
    row.push(measured.removed(Weighting::Heuristic).to_string());
    row.push(thousands(edges.increments - pruned.increments));
    row
}

fn edges(measured: &Measured<'_>) -> Vec<String> {
    let Cost { edges, no_jump, .. } = measured.cost(Placement::Edges, Weighting::Heuristic);
    vec![
        measured.run.name.to_owned(),
        thousands(measured.edges()),
        thousands(edges),
        percent(ratio(edges, measured.edges())),
        thousands(no_jump),
        percent(ratio(no_jump, edges)),
    ]
}

fn weightings(measured: &Measured<'_>) -> Vec<String> {
    let reductions = by_weighting(measured);
    let mut row = vec![measured.run.name.to_owned()];
    row.extend(reductions.map(|reduction| format!("{reduction:.2}")));
    row.push(percent(1.0 - reductions[1] / reductions[0]));
    row
}

/// Instructions with the counters' own, of those without.
pub fn normalised(measured: &Measured<'_>) -> [f64; 3] {
    [
        (Placement::Redundant, Weighting::Heuristic),
        (Placement::Edges, Weighting::Heuristic),
        (Placement::Edges, Weighting::Exact),
    ]
    .map(|(placement, weighting)| {
        let cost = measured.cost(placement, weighting);
        1.0 + ratio(cost.instructions(), measured.run.retired)
    })
}

fn instructions(measured: &Measured<'_>) -> Vec<String> {
    let mut row = vec![measured.run.name.to_owned()];
    row.extend(normalised(measured).map(|share| format!("{share:.2}")));
    row
}
