//! Statements of a module, and properties of statement lists.

use std::collections::BTreeSet;

use super::expr::{Expr, SignalId};

/// A statement of a module.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// Lines of a comment on what follows.
    Comment(Vec<String>),
    /// A signal and its value.
    Assign(SignalId, Expr),
    /// A test, what happens if it holds, and what otherwise.
    If(Expr, Vec<Statement>, Vec<Statement>),
    /// What is tested, what happens for each pattern, and what otherwise. No pattern is wider than what is tested.
    Case(Expr, Vec<(Expr, Vec<Statement>)>, Vec<Statement>),
}

impl Statement {
    /// The lists within it, in the order in which they are written.
    pub fn blocks(&self) -> Vec<&Vec<Statement>> {
        match self {
            Self::Comment(_) | Self::Assign(..) => Vec::new(),
            Self::If(_, then, otherwise) => vec![then, otherwise],
            Self::Case(_, arms, default) => {
                let arms = arms.iter().map(|(_, block)| block);
                arms.chain([default]).collect()
            }
        }
    }

    /// The same, to be changed.
    pub fn blocks_mut(&mut self) -> Vec<&mut Vec<Statement>> {
        match self {
            Self::Comment(_) | Self::Assign(..) => Vec::new(),
            Self::If(_, then, otherwise) => vec![then, otherwise],
            Self::Case(_, arms, default) => {
                let arms = arms.iter_mut().map(|(_, block)| block);
                arms.chain([default]).collect()
            }
        }
    }
}

/// Every signal that some statement assigns.
pub fn targets(statements: &[Statement]) -> BTreeSet<SignalId> {
    let mut out = BTreeSet::new();
    for statement in statements {
        if let Statement::Assign(target, _) = statement {
            out.insert(*target);
        }
        out.extend(
            statement
                .blocks()
                .into_iter()
                .flat_map(|block| targets(block)),
        );
    }
    out
}

/// Calls `see` on every expression that is assigned or tested.
pub fn expressions<'a>(statements: &'a [Statement], see: &mut dyn FnMut(&'a Expr)) {
    for statement in statements {
        match statement {
            Statement::Comment(_) => {}
            Statement::Assign(_, seen) | Statement::If(seen, ..) | Statement::Case(seen, ..) => {
                see(seen)
            }
        }
        let blocks = statement.blocks();
        blocks.into_iter().for_each(|block| expressions(block, see));
    }
}

/// Every signal that some statement reads.
pub fn reads(statements: &[Statement]) -> BTreeSet<SignalId> {
    let mut out = BTreeSet::new();
    expressions(statements, &mut |e| e.reads(&mut out));
    out
}

/// Whether `target` is assigned on every path.
pub fn definite(statements: &[Statement], target: SignalId) -> bool {
    statements.iter().any(|statement| match statement {
        Statement::Comment(_) => false,
        Statement::Assign(id, _) => *id == target,
        choice => choice.blocks().iter().all(|block| definite(block, target)),
    })
}
