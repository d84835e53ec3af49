//! Cones: the statements that matter to one signal.
//!
//! A rust-hdl kernel is one procedure that drives everything. As one `always @*` block it would make every signal
//! depend on every other. A signal that goes through a sub-circuit and comes back would look like a combinational loop.
//! Each signal therefore gets an `assign` or a block of its own, with only the statements that assign it.
//!
//! A kernel may read a signal *between* two of its assignments, such as the `found` of a priority search. Such a signal
//! shares a block with the signals computed from it, because they need its intermediate value and not the final one.

use std::collections::{BTreeMap, BTreeSet};

use super::effect::{choice, decided, effective};
use super::flow::groups;
use crate::verilog::WriteError;
use crate::verilog::tree::expr::{Expr, SignalId};
use crate::verilog::tree::rewrite::{filter, retarget, rewritten};
use crate::verilog::tree::scope::{Class, Scope, refuse};
use crate::verilog::tree::statement::{Statement, definite, reads};

/// Signals that are assigned together, with their statements.
#[derive(Debug)]
pub struct Cone {
    pub targets: BTreeSet<SignalId>,
    pub statements: Vec<Statement>,
    /// Bits of the only signal.
    width: usize,
}

impl Cone {
    /// What drives a wire of the writer's own.
    pub fn wire(target: SignalId, value: Expr) -> Cone {
        Cone {
            targets: BTreeSet::from([target]),
            width: value.width,
            statements: vec![Statement::Assign(target, value)],
        }
    }

    /// The value of the cone's only signal, if one unconditional assignment decides all of it.
    pub fn expression(&self) -> Option<&Expr> {
        match self.statements.as_slice() {
            [Statement::Assign(_, value)]
            | [Statement::Comment(_), Statement::Assign(_, value)] => Some(value),
            _ => None,
        }
    }

    /// The cone's only signal with its [value](Self::expression).
    pub fn assignment(&self) -> Option<(SignalId, &Expr)> {
        Some((*self.targets.first()?, self.expression()?))
    }

    /// The cone in a module that numbers the signals otherwise: `moved` is the number there, `read` an expression with the numbers there.
    pub fn moved(
        self,
        moved: &dyn Fn(&SignalId) -> SignalId,
        read: &dyn Fn(&Expr) -> Expr,
    ) -> Cone {
        let mut statements = rewritten(&self.statements, read);
        retarget(&mut statements, moved);
        Cone {
            targets: self.targets.iter().map(moved).collect(),
            statements,
            width: self.width,
        }
    }

    /// Every signal that the cone's statements read.
    pub fn reads(&self) -> BTreeSet<SignalId> {
        reads(&self.statements)
    }

    /// Takes the widths of signals that are narrower now.
    pub fn narrow(&mut self, widths: &BTreeMap<SignalId, usize>) {
        if let (1, Some(target)) = (self.targets.len(), self.targets.first()) {
            self.width = widths.get(target).copied().unwrap_or(self.width);
        }
    }

    /// Replaces every expression, and drops what that leaves without effect.
    pub fn rewrite(&mut self, with: &dyn Fn(&Expr) -> Expr) {
        self.statements = rewritten(&self.statements, with);
        if let (1, Some(&target)) = (self.targets.len(), self.targets.first()) {
            self.statements = simplify(&self.statements, target, self.width);
        }
    }
}

/// Cuts a module's statements into cones and drops those that drive nothing.
///
/// # Errors
/// A signal that depends on itself, that keeps its value on some path, or that nothing drives.
pub fn cones(
    statements: &[Statement],
    scope: &Scope,
    place: &str,
) -> Result<Vec<Cone>, WriteError> {
    let groups = groups(statements, scope, place)?;
    let mut cones = Vec::new();
    for targets in groups {
        let mut statements = filter(statements, &targets);
        for &target in &targets {
            if !definite(&statements, target) {
                return Err(refuse(
                    scope,
                    place,
                    target,
                    "keeps its value on some path (a latch): assign a default first",
                ));
            }
        }
        let first = *targets.first().expect("a group has a signal");
        let width = scope.signals[first].width;
        if targets.len() == 1 {
            statements = simplify(&statements, first, width);
        }
        cones.push(Cone {
            targets,
            statements,
            width,
        });
    }
    check_driven(&cones, scope, place)?;
    Ok(cones)
}

/// Leaves out what has no effect, and writes a choice as one expression where that is short.
fn simplify(statements: &[Statement], target: SignalId, width: usize) -> Vec<Statement> {
    let statements = effective(statements, target);
    let own = |id: SignalId| id == target;
    let value = choice(&statements)
        .filter(|(test, then, otherwise)| {
            ![test, then, otherwise].iter().any(|e| e.reads_any(&own))
        })
        .and_then(|(test, then, otherwise)| decided(test, then, otherwise, width));
    if let Some(value) = value {
        let comment = statements
            .into_iter()
            .take(1)
            .filter(|statement| matches!(statement, Statement::Comment(_)));
        let assign = Statement::Assign(target, value);
        return comment.chain([assign]).collect();
    }
    statements
}

/// Every signal that cones drive.
pub fn driven(cones: &[Cone]) -> BTreeSet<SignalId> {
    let targets = cones.iter().flat_map(|cone| &cone.targets);
    targets.copied().collect()
}

fn check_driven(cones: &[Cone], scope: &Scope, place: &str) -> Result<(), WriteError> {
    let driven = driven(cones);
    let needed = cones.iter().flat_map(Cone::reads).collect::<BTreeSet<_>>();
    for (id, signal) in scope.signals.iter().enumerate() {
        let unread_local = signal.class == Class::Local && !needed.contains(&id);
        if signal.class.is_driven_here() && !driven.contains(&id) && !unread_local {
            return Err(refuse(scope, place, id, "is not driven by the kernel"));
        }
    }
    Ok(())
}

/// The cones an output or a sub-circuit depends on.
pub fn live(cones: Vec<Cone>, scope: &Scope) -> Vec<Cone> {
    let mut wanted: BTreeSet<SignalId> = (0..scope.signals.len())
        .filter(|&id| matches!(scope.signals[id].class, Class::Output | Class::ChildInput))
        .collect();
    loop {
        let before = wanted.len();
        for cone in &cones {
            if !cone.targets.is_disjoint(&wanted) {
                wanted.extend(cone.reads());
            }
        }
        for register in &scope.registers {
            if wanted.contains(&register.q) {
                wanted.extend([register.d, register.clk]);
                wanted.extend(register.reset.as_ref().map(|(rst, _)| *rst));
            }
        }
        if wanted.len() == before {
            break;
        }
    }
    cones
        .into_iter()
        .filter(|cone| !cone.targets.is_disjoint(&wanted))
        .collect()
}
