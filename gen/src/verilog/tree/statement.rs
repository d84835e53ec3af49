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

impl Statement {
    /// All `width` bits of `target` get `value`.
    pub fn whole(target: SignalId, width: usize, value: Expr) -> Self {
        Self::Assign {
            target,
            low: 0,
            width,
            value,
        }
    }

    /// The lists within it, in the order in which they are written.
    pub fn blocks(&self) -> Vec<&Vec<Statement>> {
        match self {
            Self::Comment(_) | Self::Assign { .. } => Vec::new(),
            Self::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            Self::Case { arms, default, .. } => {
                let arms = arms.iter().map(|(_, block)| block);
                arms.chain([default]).collect()
            }
        }
    }

    /// The same, to be changed.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Self::Comment(_) | Self::Assign { .. } => Vec::new(),
            Self::If {
                then, otherwise, ..
            } => vec![then, otherwise],
            Self::Case { arms, default, .. } => {
                let arms = arms.iter_mut().map(|(_, block)| block);
                arms.chain([default]).collect()
            }
        }
    }
}

/// Whether there are only comments.
pub fn is_empty(statements: &[Statement]) -> bool {
    statements
        .iter()
        .all(|statement| matches!(statement, Statement::Comment(_)))
}

/// Every signal that some statement assigns.
pub fn targets(statements: &[Statement], out: &mut BTreeSet<SignalId>) {
    for statement in statements {
        if let Statement::Assign { target, .. } = statement {
            out.insert(*target);
        }
        let blocks = statement.blocks();
        blocks.into_iter().for_each(|block| targets(block, out));
    }
}

/// Calls `see` on every expression that is assigned or tested.
pub fn expressions<'a>(statements: &'a [Statement], see: &mut dyn FnMut(&'a Expr)) {
    for statement in statements {
        match statement {
            Statement::Comment(_) => {}
            Statement::Assign { value: seen, .. }
            | Statement::If { test: seen, .. }
            | Statement::Case { test: seen, .. } => see(seen),
        }
        let blocks = statement.blocks();
        blocks.into_iter().for_each(|block| expressions(block, see));
    }
}

/// Whether something holds for every statement, those within others too.
pub fn all_of(statements: &[Statement], holds: &dyn Fn(&Statement) -> bool) -> bool {
    let within = |s: &Statement| s.blocks().into_iter().all(|block| all_of(block, holds));
    statements.iter().all(|s| holds(s) && within(s))
}

/// Every signal that some statement reads.
pub fn reads(statements: &[Statement]) -> BTreeSet<SignalId> {
    let mut out = BTreeSet::new();
    expressions(statements, &mut |e| e.reads(&mut out));
    out
}

/// Whether a bit of `target` is assigned on every path.
pub fn definite(statements: &[Statement], target: SignalId, bit: usize) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Comment(_) => false,
        Statement::Assign {
            target: assigned,
            low,
            width,
            ..
        } => *assigned == target && (*low..low + width).contains(&bit),
        choice => {
            let mut blocks = choice.blocks().into_iter();
            blocks.all(|block| definite(block, target, bit))
        }
    })
}
