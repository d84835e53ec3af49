//! Common subexpressions: an expression used in several places is written once.
//!
//! If a signal has the expression as its value, other places read that signal. An expression that no signal has, and
//! that is long or frequent, gets a wire of its own. Texts stay short, and a simulator without such a pass computes
//! each expression once.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::Body;
use super::cone::Cone;
use super::registers::Clocked;
use crate::verilog::tree::expr::{Expr, SignalId};
use crate::verilog::tree::rewrite::rewritten;
use crate::verilog::tree::scope::{Class, Scope};
use crate::verilog::tree::statement::expressions;

/// Wires that one module may get.
const MOST_WIRES: usize = 500;

/// Writes what is computed in several places once. Each new wire takes a pass over the module.
pub fn share(body: &mut Body, clocked: &mut [Clocked], scope: &mut Scope) {
    let named = names(&body.cones, scope);
    replace(body, clocked, &named);
    for _ in 0..MOST_WIRES {
        let Some(found) = repeated(&body.cones, clocked) else {
            break;
        };
        let id = scope.add_wire("common", found.width);
        let named = HashMap::from([(found.clone(), id)]);
        replace(body, clocked, &named);
        body.cones.push(Cone::wire(id, found));
    }
}

/// Expressions that a signal has for its value.
fn names(cones: &[Cone], scope: &Scope) -> HashMap<Expr, SignalId> {
    let mut out = HashMap::new();
    for (target, value) in cones.iter().filter_map(Cone::assignment) {
        let class = scope.signals[target].class;
        if matches!(class, Class::Local | Class::Output | Class::ChildInput)
            && value.operators() > 0
            && value.width == scope.signals[target].width
        {
            out.entry(value.clone()).or_insert(target);
        }
    }
    out
}

/// Reads expressions from the signals that have them for their value.
fn replace(body: &mut Body, clocked: &mut [Clocked], named: &HashMap<Expr, SignalId>) {
    let signal = |e: &Expr, targets: &BTreeSet<SignalId>| {
        let id = *named.get(e)?;
        let here = |id: SignalId| targets.contains(&id);
        (!here(id) && !e.reads_any(&here)).then(|| Expr::signal(id, e.width, e.width))
    };
    for cone in &mut body.cones {
        let targets = cone.targets.clone();
        cone.rewrite(&|e| e.replaced(&|e| signal(e, &targets)));
    }
    let none = BTreeSet::new();
    for block in clocked {
        let with = |e: &Expr| e.replaced(&|e| signal(e, &none));
        block.statements = rewritten(&block.statements, &with);
        for reset in &mut block.resets {
            reset.test = with(&reset.test);
        }
    }
}

/// The longest expression that is worth a wire.
fn repeated(cones: &[Cone], clocked: &[Clocked]) -> Option<Expr> {
    let mut counts: HashMap<&Expr, usize> = HashMap::new();
    let none = BTreeSet::new();
    for cone in cones {
        expressions(&cone.statements, &mut |e| {
            count(e, &cone.targets, &mut counts)
        });
    }
    for block in clocked {
        expressions(&block.statements, &mut |e| count(e, &none, &mut counts));
    }
    let mut worth: BTreeMap<(usize, String), &Expr> = BTreeMap::new();
    for (e, times) in counts {
        let operators = e.operators();
        if times > 1 && operators * times >= 6 {
            worth.insert((operators, format!("{e:?}")), e);
        }
    }
    worth.pop_last().map(|(_, e)| e.clone())
}

fn count<'a>(e: &'a Expr, targets: &BTreeSet<SignalId>, counts: &mut HashMap<&'a Expr, usize>) {
    if e.operators() > 1 && !e.reads_any(&|id| targets.contains(&id)) {
        *counts.entry(e).or_default() += 1;
    }
    e.operands()
        .into_iter()
        .for_each(|a| count(a, targets, counts));
}
