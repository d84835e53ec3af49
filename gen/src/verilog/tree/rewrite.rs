//! Statement lists derived from others: with other expressions or targets, or with a subset of the statements.

use std::collections::BTreeSet;

use super::expr::{Expr, SignalId};
use super::operator::Compare;
use super::statement::Statement;

/// The statements with every expression replaced; what that decides is decided.
pub fn rewritten(statements: &[Statement], with: &dyn Fn(&Expr) -> Expr) -> Vec<Statement> {
    let mut out = Vec::new();
    for statement in statements {
        rebuild(statement, with, &|block| rewritten(block, with), &mut out);
    }
    out
}

/// Appends a statement with other expressions and blocks, or what is left of it.
pub fn rebuild(
    statement: &Statement,
    with: &dyn Fn(&Expr) -> Expr,
    within: &dyn Fn(&[Statement]) -> Vec<Statement>,
    out: &mut Vec<Statement>,
) {
    match statement {
        Statement::Comment(_) => out.push(statement.clone()),
        Statement::Assign(target, value) => out.push(Statement::Assign(*target, with(value))),
        Statement::If(test, then, otherwise) => {
            conditional(with(test), within(then), within(otherwise), out);
        }
        Statement::Case(test, arms, default) => {
            let arms = arms
                .iter()
                .map(|(value, block)| (value.clone(), within(block)));
            case(with(test), arms.collect(), within(default), out);
        }
    }
}

pub fn retarget(statements: &mut [Statement], moved: &dyn Fn(&SignalId) -> SignalId) {
    for statement in statements {
        if let Statement::Assign(target, _) = statement {
            *target = moved(target);
        }
        let blocks = statement.blocks_mut();
        blocks.into_iter().for_each(|block| retarget(block, moved));
    }
}

/// Appends an `if`, or what is left of it.
pub fn conditional(
    test: Expr,
    then: Vec<Statement>,
    otherwise: Vec<Statement>,
    out: &mut Vec<Statement>,
) {
    if let Some(value) = test.value() {
        let taken = if value.bits() > 0 { then } else { otherwise };
        out.extend(taken);
    } else if then == otherwise {
        out.extend(then);
    } else if then.is_empty() {
        out.push(Statement::If(test.not(), otherwise, Vec::new()));
    } else {
        out.push(Statement::If(test, then, otherwise));
    }
}

/// Appends a `case`, or what is left of it: arms that do as the default are left out, and a single arm is an `if`.
pub fn case(
    test: Expr,
    mut arms: Vec<(Expr, Vec<Statement>)>,
    default: Vec<Statement>,
    out: &mut Vec<Statement>,
) {
    if let Some(value) = test.value() {
        let hit = arms
            .into_iter()
            .find(|(pattern, _)| pattern.value() == Some(value));
        out.extend(hit.map_or(default, |(_, block)| block));
        return;
    }
    let mut seen = BTreeSet::new();
    arms.retain(|(pattern, _)| {
        pattern.width <= test.width && seen.insert(pattern.value().cloned())
    });
    arms.retain(|(_, block)| *block != default);
    if arms.len() < 2 {
        let (pattern, then) = arms.pop().unwrap_or((Expr::number(0u32), default.clone()));
        conditional(test.compare(Compare::Equal, pattern), then, default, out);
        return;
    }
    out.push(Statement::Case(test, arms, default));
}

/// The statements that assign one of `targets`, with the tests around them and the comments before them.
pub fn filter(statements: &[Statement], targets: &BTreeSet<SignalId>) -> Vec<Statement> {
    let mut out = Vec::new();
    let mut comment = None;
    for statement in statements {
        let before = out.len();
        match statement {
            Statement::Comment(_) => {
                comment = Some(statement);
                continue;
            }
            Statement::Assign(target, _) if !targets.contains(target) => {}
            other => rebuild(
                other,
                &Expr::clone,
                &|block| filter(block, targets),
                &mut out,
            ),
        }
        let said = comment.take();
        if let Some(said) = said.filter(|_| out.len() > before) {
            out.insert(before, said.clone());
        }
    }
    out
}
