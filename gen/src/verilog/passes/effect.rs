//! Effect: the statements of a list that decide a signal. The others are not written.

use std::collections::BTreeSet;

use crate::verilog::tree::expr::{Expr, Kind, SignalId};
use crate::verilog::tree::rewrite::{filter, rebuild};
use crate::verilog::tree::statement::{Statement, targets};

/// The statements without those that have no effect on `target`, in blocks within them too: what the same block overwrites
/// unconditionally, and what gives `target` its own value.
pub fn effective(statements: &[Statement], target: SignalId) -> Vec<Statement> {
    let mut out = Vec::new();
    for statement in &without_overwritten(statements, target) {
        let before = out.len();
        let is_idle = matches!(statement, Statement::Assign(id, value)
            if *id == target && value.kind == Kind::Signal(target));
        if !is_idle {
            rebuild(
                statement,
                &Expr::clone,
                &|block| effective(block, target),
                &mut out,
            );
        }
        if out.len() == before && matches!(out.last(), Some(Statement::Comment(_))) {
            out.pop();
        }
    }
    out
}

/// Drops what a later unconditional assignment overwrites; the comment on that stays.
fn without_overwritten(statements: &[Statement], target: SignalId) -> Vec<Statement> {
    let covers = |statement: &Statement| {
        matches!(statement, Statement::Assign(id, value)
            if *id == target && !value.reads_any(&|id| id == target))
    };
    let Some(last) = statements.iter().rposition(covers) else {
        return statements.to_vec();
    };
    let is_comment = |s: &&Statement| matches!(s, Statement::Comment(_));
    let commented = statements[..last].last().filter(is_comment).is_some();
    let (before, rest) = statements.split_at(last - usize::from(commented));
    let mut others = BTreeSet::new();
    targets(before, &mut others);
    others.remove(&target);
    let mut out = filter(before, &others);
    out.extend_from_slice(rest);
    out
}
