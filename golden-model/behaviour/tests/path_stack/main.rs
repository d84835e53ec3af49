//! Every corner of the path stack, by name.

mod corners;
mod examples;
mod extended;
mod frames;
mod undisciplined;

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{BackwardNotTaken, Extension, Metric, Operation, PathStack, Ppcr, Row};

fn branch(kind: BranchKind, taken: bool, target: u64, events: u32) -> BranchRecord {
    BranchRecord {
        kind,
        taken,
        target,
        next: 0,
        events,
    }
}

fn taken(kind: BranchKind, target: u64) -> BranchRecord {
    branch(kind, true, target, 0)
}

fn small() -> Geometry {
    Geometry {
        max_branches: 3,
        stack_depth: 4,
        ..Geometry::default()
    }
}

/// A stack that has seen its first record, with target 0x100.
fn started(geometry: Geometry, ppcr: Ppcr) -> PathStack {
    geometry.validate().expect("a legal geometry");
    let mut stack = PathStack::new(&geometry, ppcr);
    assert_eq!(stack.step(&taken(BranchKind::Forward, 0x100)), None);
    stack
}

fn with_row(kind: BranchKind, operations: &[Operation]) -> Ppcr {
    let mut ppcr = Ppcr::ball_larus();
    ppcr.rows[kind] = Row::try_from(operations.to_vec()).expect("a legal row");
    ppcr
}

/// The path as its display, and its count: `0x00000100:TN x1`.
fn show(path: Option<CompletedPath>) -> String {
    path.map_or_else(
        || "-".to_owned(),
        |p| format!("{} x{}", p.descriptor, p.count),
    )
}

/// The entries from the top downwards: descriptor, events, extension.
fn entries(stack: &PathStack) -> Vec<(String, u32, u8)> {
    let entry =
        |e: &hpp_golden::profiler::StackEntry| (e.descriptor.to_string(), e.events, e.extension);
    stack.entries().map(entry).collect()
}

fn tops(stack: &PathStack) -> Vec<u64> {
    stack.entries().map(|e| e.descriptor.start).collect()
}
