//! Statements of a module, and properties of statement lists.

use std::collections::BTreeSet;

use super::expr::{Expr, SignalId};

/// A statement of a module.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// Lines of a comment on what follows.
    Comment(Vec<String>),
    /// `width` bits of `target` from `low` up get `value`.
    Assign {
        target: SignalId,
        low: usize,
        width: usize,
        value: Expr,
    },
    If {
        test: Expr,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    /// No pattern is wider than what is tested.
    Case {
        test: Expr,
        arms: Vec<(Expr, Vec<Statement>)>,
        default: Vec<Statement>,
    },
}

/// Whether nothing but comments is said.
pub fn is_empty(statements: &[Statement]) -> bool {
    statements
        .iter()
        .all(|statement| matches!(statement, Statement::Comment(_)))
}

/// Every signal that some statement assigns.
pub fn targets(statements: &[Statement], out: &mut BTreeSet<SignalId>) {
    for statement in statements {
        match statement {
            Statement::Comment(_) => {}
            Statement::Assign { target, .. } => {
                out.insert(*target);
            }
            Statement::If {
                then, otherwise, ..
            } => {
                targets(then, out);
                targets(otherwise, out);
            }
            Statement::Case { arms, default, .. } => {
                arms.iter().for_each(|(_, block)| targets(block, out));
                targets(default, out);
            }
        }
    }
}

/// Calls `see` on every expression: values, tests and labels.
pub fn expressions<'a>(statements: &'a [Statement], see: &mut dyn FnMut(&'a Expr)) {
    for statement in statements {
        match statement {
            Statement::Comment(_) => {}
            Statement::Assign { value, .. } => see(value),
            Statement::If {
                test,
                then,
                otherwise,
            } => {
                see(test);
                expressions(then, see);
                expressions(otherwise, see);
            }
            Statement::Case {
                test,
                arms,
                default,
            } => {
                see(test);
                arms.iter().for_each(|(_, block)| expressions(block, see));
                expressions(default, see);
            }
        }
    }
}

/// Whether something holds for every statement, those within others too.
pub fn all_of(statements: &[Statement], holds: &dyn Fn(&Statement) -> bool) -> bool {
    let within = |statement: &Statement| match statement {
        Statement::Comment(_) | Statement::Assign { .. } => true,
        Statement::If {
            then, otherwise, ..
        } => all_of(then, holds) && all_of(otherwise, holds),
        Statement::Case { arms, default, .. } => {
            arms.iter().all(|(_, block)| all_of(block, holds)) && all_of(default, holds)
        }
    };
    statements.iter().all(|s| holds(s) && within(s))
}

/// Every signal that some statement reads.
pub fn reads(statements: &[Statement]) -> BTreeSet<SignalId> {
    let mut out = BTreeSet::new();
    expressions(statements, &mut |e| e.reads(&mut out));
    out
}

/// Which bits of `target` are assigned on every path.
pub fn definite(statements: &[Statement], target: SignalId, width: usize) -> Vec<bool> {
    let mut bits = vec![false; width];
    let mut add = |more: Vec<bool>| {
        bits.iter_mut()
            .zip(more)
            .for_each(|(bit, more)| *bit |= more)
    };
    let both = |a: Vec<bool>, b: Vec<bool>| {
        a.into_iter()
            .zip(b)
            .map(|(a, b)| a && b)
            .collect::<Vec<_>>()
    };
    for statement in statements {
        match statement {
            Statement::Comment(_) => {}
            Statement::Assign {
                target: t,
                low,
                width: w,
                ..
            } => {
                let assigned = |bit| *t == target && (*low..low + w).contains(&bit);
                add((0..width).map(assigned).collect());
            }
            Statement::If {
                then, otherwise, ..
            } => {
                add(both(
                    definite(then, target, width),
                    definite(otherwise, target, width),
                ));
            }
            Statement::Case { arms, default, .. } => {
                let default = definite(default, target, width);
                add(arms.iter().fold(default, |all, (_, block)| {
                    both(all, definite(block, target, width))
                }));
            }
        }
    }
    bits
}
