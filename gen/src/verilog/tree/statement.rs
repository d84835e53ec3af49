//! Statements of a module, and properties of statement lists.

use std::collections::BTreeSet;

use super::expr::{Expr, SignalId};

/// `width` bits of a signal from `low` up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    pub target: SignalId,
    pub low: usize,
    pub width: usize,
}

impl Place {
    /// Whether it is all `width` bits of `target`.
    pub fn is_whole(self, target: SignalId, width: usize) -> bool {
        (self.target, self.low, self.width) == (target, 0, width)
    }
}

/// A statement of a module.
#[derive(Clone, Debug, PartialEq)]
pub enum Statement {
    /// Lines of a comment on what follows.
    Comment(Vec<String>),
    /// A place and its value.
    Assign(Place, Expr),
    /// A test, what happens if it holds, and what otherwise.
    If(Expr, Vec<Statement>, Vec<Statement>),
    /// What is tested, what happens for each pattern, and what otherwise. No pattern is wider than what is tested.
    Case(Expr, Vec<(Expr, Vec<Statement>)>, Vec<Statement>),
}

impl Statement {
    /// All `width` bits of `target` get `value`.
    pub fn whole(target: SignalId, width: usize, value: Expr) -> Self {
        let low = 0;
        Self::Assign(Place { target, low, width }, value)
    }

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

/// Whether there are only comments.
pub fn is_empty(statements: &[Statement]) -> bool {
    statements
        .iter()
        .all(|statement| matches!(statement, Statement::Comment(_)))
}

/// Every signal that some statement assigns.
pub fn targets(statements: &[Statement], out: &mut BTreeSet<SignalId>) {
    for statement in statements {
        if let Statement::Assign(place, _) = statement {
            out.insert(place.target);
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
            Statement::Assign(_, seen) | Statement::If(seen, ..) | Statement::Case(seen, ..) => {
                see(seen)
            }
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
        Statement::Assign(place, _) => {
            let bits = place.low..place.low + place.width;
            place.target == target && bits.contains(&bit)
        }
        choice => {
            let mut blocks = choice.blocks().into_iter();
            blocks.all(|block| definite(block, target, bit))
        }
    })
}
