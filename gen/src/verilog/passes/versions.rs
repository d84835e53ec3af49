//! Versions: a signal that is assigned, read and assigned again has another value at each place.
//!
//! A kernel adds up in a loop: `hits.next = hits.val() | way.hit.val()`. A read gives the last assigned value. Where
//! all assignments of a signal are unconditional, each but the last gets a signal of its own, and a read takes the one
//! of its place:
//!
//! ```text
//!   hits = 0                 hits_0 = 0
//!   hits = hits | a    ->    hits_1 = hits_0 | a
//!   hits = hits | b          hits   = hits_1 | b
//! ```
//!
//! The folding pass then turns this into `hits = a | b`. Signals assigned under conditions keep to one block.

use std::collections::{BTreeMap, BTreeSet};

use crate::verilog::tree::expr::{Expr, SignalId};
use crate::verilog::tree::rewrite::rewritten;
use crate::verilog::tree::scope::Scope;
use crate::verilog::tree::statement::{Statement, targets};

/// The statements with a version of each signal that is assigned several times; versions are added to `scope`.
pub fn versioned(statements: Vec<Statement>, scope: &mut Scope) -> Vec<Statement> {
    let mut left = straight(&statements, scope);
    let mut now: BTreeMap<SignalId, SignalId> = BTreeMap::new();
    let mut out = Vec::new();
    for statement in &statements {
        let read = |id: SignalId| {
            let version = *now.get(&id)?;
            let signal = &scope.signals[version];
            (version != id).then(|| Expr::signal(version, signal.width, signal.width))
        };
        for mut statement in rewritten(std::slice::from_ref(statement), &|e| e.substituted(&read)) {
            if let Statement::Assign(target, _) = &mut statement
                && let Some(left) = left.get_mut(target)
            {
                *left -= 1;
                let version = if *left == 0 {
                    *target
                } else {
                    scope.add_version(*target)
                };
                now.insert(*target, version);
                *target = version;
            }
            out.push(statement);
        }
    }
    out
}

/// How often each signal is assigned that is always assigned unconditionally.
fn straight(statements: &[Statement], scope: &Scope) -> BTreeMap<SignalId, usize> {
    let mut counts: BTreeMap<SignalId, usize> = BTreeMap::new();
    let mut otherwise = BTreeSet::new();
    for statement in statements {
        match statement {
            Statement::Assign(target, _) if scope.signals[*target].class.reads_latest() => {
                *counts.entry(*target).or_default() += 1;
            }
            other => otherwise.extend(targets(std::slice::from_ref(other))),
        }
    }
    counts.retain(|id, _| !otherwise.contains(id));
    counts
}
