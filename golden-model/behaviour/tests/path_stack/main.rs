//! The path stack: worked examples, and what was found wrong once.

mod examples;
mod frames;
mod undisciplined;

use hpp_golden::branch::{BranchKind, BranchRecord};
use hpp_golden::config::Geometry;
use hpp_golden::path::{CompletedPath, PathDescriptor};
use hpp_golden::profiler::{BackwardNotTaken, Extension, PathStack, Ppcr};

fn taken(kind: BranchKind, target: u64) -> BranchRecord {
    BranchRecord::new(kind, true, target, 0)
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

/// The path as its display, and its count: `0x00000100:TN x1`.
fn show(path: Option<CompletedPath>) -> String {
    path.map_or_else(
        || "-".to_owned(),
        |p| format!("{} x{}", p.descriptor, p.count),
    )
}

fn tops(stack: &PathStack) -> Vec<u64> {
    stack.entries().map(|e| e.descriptor.start).collect()
}
