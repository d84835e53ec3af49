//! Effect: the statements of a list that decide a signal. The others are not written.

use std::collections::BTreeSet;

use crate::verilog::tree::expr::{Kind, SignalId};
use crate::verilog::tree::rewrite::{case, conditional, filter};
use crate::verilog::tree::statement::{Statement, is_empty, targets};

/// The statements without those that have no effect on `target`, in blocks within them too: what the same block overwrites
/// unconditionally, and what gives `target` its own value.
pub fn effective(statements: Vec<Statement>, target: SignalId, width: usize) -> Vec<Statement> {
    let within = |block| effective(block, target, width);
    let mut out = Vec::new();
    for statement in without_overwritten(statements, target, width) {
        let before = out.len();
        match statement {
            Statement::If(test, then, otherwise) => {
                let (then, otherwise) = (within(then), within(otherwise));
                if !is_empty(&then) || !is_empty(&otherwise) {
                    conditional(test, then, otherwise, &mut out);
                }
            }
            Statement::Case(test, arms, default) => {
                let arms = arms
                    .into_iter()
                    .map(|(value, block)| (value, within(block)));
                case(test, arms.collect(), within(default), &mut out);
            }
            other if is_idle(&other, target, width) => {}
            other => out.push(other),
        }
        if out.len() == before && matches!(out.last(), Some(Statement::Comment(_))) {
            out.pop();
        }
    }
    out
}

/// Whether a statement gives all of `target` the value that it has.
fn is_idle(statement: &Statement, target: SignalId, width: usize) -> bool {
    matches!(statement, Statement::Assign(place, value)
        if place.is_whole(target, width) && value.kind == Kind::Signal(target))
}

/// Drops what a later unconditional assignment of the whole signal overwrites; the comment on that stays.
fn without_overwritten(
    mut statements: Vec<Statement>,
    target: SignalId,
    width: usize,
) -> Vec<Statement> {
    let covers = |statement: &Statement| {
        matches!(statement, Statement::Assign(place, value)
            if place.is_whole(target, width) && !value.reads_any(&|id| id == target))
    };
    let Some(last) = statements.iter().rposition(covers) else {
        return statements;
    };
    let is_comment = |s: &&Statement| matches!(s, Statement::Comment(_));
    let commented = statements[..last].last().filter(is_comment).is_some();
    let rest = statements.split_off(last - usize::from(commented));
    let others = |id: &SignalId| *id != target;
    let mut assigned = BTreeSet::new();
    targets(&statements, &mut assigned);
    let kept = assigned.into_iter().filter(others).collect();
    let mut out = filter(&statements, &kept);
    out.extend(rest);
    out
}
