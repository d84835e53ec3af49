//! Effect: the statements of a list that decide a signal. The others are not written, and a choice between two values that fits on a line is one
//! expression: `test ? a : b`.

use crate::verilog::tree::expr::{Expr, Kind, SignalId};
use crate::verilog::tree::operator::Binary;
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
    let mut others = targets(before);
    others.remove(&target);
    let mut out = filter(before, &others);
    out.extend_from_slice(rest);
    out
}

/// `(test, then, otherwise)` of statements that choose between two values for the whole of one signal.
pub fn choice(statements: &[Statement]) -> Option<(&Expr, &Expr, &Expr)> {
    let said = |statement: &&Statement| !matches!(statement, Statement::Comment(_));
    let said: Vec<&Statement> = statements.iter().filter(said).collect();
    let (test, then, otherwise) = match said.as_slice() {
        [default, Statement::If(test, then, otherwise)] if otherwise.is_empty() => {
            (test, then, *default)
        }
        [Statement::If(test, then, otherwise)] => match otherwise.as_slice() {
            [otherwise] => (test, then, otherwise),
            _ => return None,
        },
        _ => return None,
    };
    match (then.as_slice(), otherwise) {
        ([Statement::Assign(_, then)], Statement::Assign(_, otherwise)) => {
            Some((test, then, otherwise))
        }
        _ => None,
    }
}

/// A choice as one expression, where that is no longer than the choice.
pub fn decided(test: &Expr, then: &Expr, otherwise: &Expr, width: usize) -> Option<Expr> {
    let (test, a, b) = (
        test.clone(),
        then.clone().cast(width),
        otherwise.clone().cast(width),
    );
    if a == b {
        Some(a)
    } else if width > 1 {
        None
    } else if a.is(1) {
        Some(test.cast(1).bitwise(Binary::Or, b))
    } else if b.is(0) {
        Some(test.cast(1).bitwise(Binary::And, a))
    } else if a.is(0) {
        Some(test.cast(1).not().bitwise(Binary::And, b))
    } else if b.is(1) {
        Some(test.cast(1).not().bitwise(Binary::Or, a))
    } else {
        None
    }
}
