//! Narrowing: a wire loses the high bits that nothing reads.

use std::collections::BTreeMap;

use super::Body;
use crate::verilog::tree::expr::{Expr, Kind, SignalId};
use crate::verilog::tree::rewrite::rewritten;
use crate::verilog::tree::scope::{Class, Scope};
use crate::verilog::tree::statement::{Statement, expressions};

impl Body {
    /// Narrows the wires until nothing is left to narrow: what one is made of may then be narrower, too.
    pub fn narrow(&mut self, scope: &mut Scope) {
        loop {
            let mut needed = BTreeMap::new();
            for cone in &self.cones {
                expressions(&cone.statements, &mut |e| need(e, &mut needed));
            }
            needed.retain(|id, bits| {
                let signal = &scope.signals[*id];
                signal.class == Class::Local && *bits < signal.width
            });
            if needed.is_empty() {
                return;
            }
            for (id, bits) in &needed {
                scope.signals[*id].width = *bits;
            }
            let read = |e: &Expr| {
                e.substituted(&|id| needed.get(&id).map(|bits| Expr::signal(id, *bits, *bits)))
            };
            for cone in &mut self.cones {
                cut(&mut cone.statements, &needed);
                cone.narrow(&needed);
                cone.rewrite(&read);
            }
            cut(&mut self.statements, &needed);
            self.statements = rewritten(&self.statements, &read);
        }
    }
}

/// How many bits of each signal an expression reads, from the lowest on.
fn need(e: &Expr, needed: &mut BTreeMap<SignalId, usize>) {
    let mut read = |id: SignalId, bits: usize| {
        let known = needed.entry(id).or_default();
        *known = bits.max(*known);
    };
    match &e.kind {
        Kind::Signal(id) => return read(*id, e.width),
        Kind::Slice(inner, low, _) => {
            if let Kind::Signal(id) = inner.kind {
                return read(id, low + e.width);
            }
        }
        _ => {}
    }
    e.operands().into_iter().for_each(|a| need(a, needed));
}

/// Assigns no more bits than are needed.
fn cut(statements: &mut [Statement], needed: &BTreeMap<SignalId, usize>) {
    for statement in statements {
        if let Statement::Assign(target, value) = statement
            && let Some(bits) = needed.get(target)
        {
            *value = value.clone().slice(0, *bits);
        }
        for block in statement.blocks_mut() {
            cut(block, needed);
        }
    }
}
