//! Folding: constants and aliases replace the signals that only repeat them.
//!
//! - A signal that is a constant or another signal is replaced by it wherever it is read.
//! - A version of a signal (see [`super::versions`]), or an element of a vector, that is read once is written where it
//!   is read. So are its parts, if it is only wires side by side and read part by part.
//! - An output that repeats a signal of the module takes its place.

use std::collections::BTreeMap;

use super::Body;
use super::cone::Cone;
use crate::verilog::tree::expr::{Expr, Kind, SignalId};
use crate::verilog::tree::rewrite::{retarget, rewritten};
use crate::verilog::tree::scope::{Class, Scope};
use crate::verilog::tree::statement::{Statement, expressions};

/// Rounds after which a design that is not settled depends on itself.
const ROUNDS: usize = 1000;

impl Body {
    /// Folds until nothing is left to fold. Each round is linear in the size of the module.
    pub fn fold(&mut self, scope: &mut Scope) {
        for _ in 0..ROUNDS {
            let known = self.replacements(scope);
            if !self.replace(&known) {
                break;
            }
        }
        self.show(scope);
    }

    /// What can be written in the place of a signal.
    fn replacements(&self, scope: &Scope) -> BTreeMap<SignalId, Expr> {
        let mut counts: BTreeMap<SignalId, Reads> = BTreeMap::new();
        for cone in &self.cones {
            expressions(&cone.statements, &mut |e| count(e, &mut counts));
        }
        let mut out = BTreeMap::new();
        for (target, value) in self.cones.iter().filter_map(Cone::assignment) {
            let folds = match &value.kind {
                Kind::Constant(..) => true,
                Kind::Signal(source) => *source != target,
                _ => {
                    let reads = counts.get(&target).copied().unwrap_or_default();
                    let wires = reads.whole == 0 && value.operators() == 0;
                    scope.signals[target].passing && (reads.all == 1 || wires)
                }
            };
            if folds && !value.reads_any(&|id| id == target) {
                out.insert(target, value.clone());
            }
        }
        out
    }

    /// Writes the replacements; whether there were any to write.
    fn replace(&mut self, known: &BTreeMap<SignalId, Expr>) -> bool {
        let mut changed = false;
        for cone in &mut self.cones {
            let targets = cone.targets.clone();
            // A block that assigns a signal in passing would read another value of it.
            let with = |id: SignalId| {
                let value = known.get(&id).filter(|_| !targets.contains(&id))?;
                (!value.reads_any(&|id| targets.contains(&id))).then(|| value.clone())
            };
            if !reads_any(&cone.statements, &|id| with(id).is_some()) {
                continue;
            }
            changed = true;
            cone.rewrite(&|e| e.substituted(&with));
        }
        if changed {
            let with = |e: &Expr| e.substituted(&|id| known.get(&id).cloned());
            self.statements = rewritten(&self.statements, &with);
        }
        changed
    }

    /// Lets outputs take the place of the signals they repeat.
    fn show(&mut self, scope: &mut Scope) {
        let mut taken: BTreeMap<SignalId, SignalId> = BTreeMap::new();
        for (target, value) in self.cones.iter().filter_map(Cone::assignment) {
            let Kind::Signal(source) = value.kind else {
                continue;
            };
            let (from, to) = (&scope.signals[source], &scope.signals[target]);
            let fits = from.width == to.width && to.class == Class::Output;
            if fits && matches!(from.class, Class::Local | Class::Register) {
                taken.entry(source).or_insert(target);
            }
        }
        self.cones.retain(|cone| {
            !cone
                .targets
                .iter()
                .any(|id| taken.values().any(|to| to == id))
        });
        let with = |id: SignalId| {
            let to = *taken.get(&id)?;
            let width = scope.signals[to].width;
            Some(Expr::signal(to, width, width))
        };
        for cone in &mut self.cones {
            let moved = |id: &SignalId| *taken.get(id).unwrap_or(id);
            cone.targets = cone.targets.iter().map(moved).collect();
            cone.rewrite(&|e| e.substituted(&with));
            retarget(&mut cone.statements, &moved);
        }
        self.statements = rewritten(&self.statements, &|e| e.substituted(&with));
        for register in &mut scope.registers {
            register.q = *taken.get(&register.q).unwrap_or(&register.q);
        }
    }
}

fn reads_any(statements: &[Statement], holds: &dyn Fn(SignalId) -> bool) -> bool {
    let mut found = false;
    expressions(statements, &mut |e| found = found || e.reads_any(holds));
    found
}

/// How often a signal is read, and how often as a whole.
#[derive(Clone, Copy, Default)]
struct Reads {
    all: usize,
    whole: usize,
}

/// Adds every read of a signal to `counts`.
fn count(e: &Expr, counts: &mut BTreeMap<SignalId, Reads>) {
    let mut add = |id: SignalId, whole: usize| {
        let reads = counts.entry(id).or_default();
        reads.all += 1;
        reads.whole += whole;
    };
    match &e.kind {
        Kind::Signal(id) => return add(*id, 1),
        Kind::Slice(inner, ..) => {
            if let Kind::Signal(id) = inner.kind {
                return add(id, 0);
            }
        }
        _ => {}
    }
    e.operands().into_iter().for_each(|a| count(a, counts));
}
