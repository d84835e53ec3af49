//! The local values of a kernel: wires as wide as what they are.
//!
//! A value under a condition moves in front of the outermost condition, unless it reads what is assigned within it.

use rust_hdl::prelude::ast::{VerilogExpression, VerilogStatement};
use std::collections::BTreeSet;

use super::expr::{Expr, Kind, SignalId};
use super::lower::{Lowering, Out};
use super::statement::{Statement, reads};
use crate::names::plain;
use crate::verilog::WriteError;

impl Lowering<'_> {
    /// Declares the local value `name`.
    pub(super) fn declare(
        &mut self,
        (name, width, value): (&str, Option<usize>, &VerilogStatement),
        out: Out,
    ) -> Result<(), WriteError> {
        if let Some(width) = width {
            let target = self.add_local(name, width);
            self.assigned.insert(target);
            if self.depth > 0 {
                self.before
                    .push(Statement::Assign(target, Expr::number(0u32)));
            }
            return self.statement(value, out);
        }
        match value {
            VerilogStatement::Assignment(_, value) => {
                let value = self.expression(value)?;
                self.define(name, value, out);
                Ok(())
            }
            VerilogStatement::Macro(block) => {
                let (last, before) = block.split_last().expect("a block that is a value has one");
                self.block(before, out)?;
                self.declare((name, None, last), out)
            }
            choice => self.choose(name, choice, out),
        }
    }

    /// A local value that is one expression.
    fn define(&mut self, name: &str, value: Expr, out: Out) {
        let repeats = match &value.kind {
            Kind::Constant(..) => true,
            Kind::Signal(id) => !self.scope.signals[*id].class.reads_latest(),
            _ => false,
        };
        if repeats {
            self.locals.insert(name.to_string(), value);
            return;
        }
        let (width, ty) = (value.width, value.ty.unwrap_or(value.width));
        let target = self.add_local(name, width);
        self.locals
            .insert(name.to_string(), Expr::signal(target, width, ty));
        let known = self.assigned.clone();
        self.settle(target, vec![Statement::Assign(target, value)], known, out);
    }

    /// A local value that statements choose. It is as wide as the widest of what they assign.
    fn choose(
        &mut self,
        name: &str,
        choice: &VerilogStatement,
        out: Out,
    ) -> Result<(), WriteError> {
        let known = self.assigned.clone();
        let target = self.add_local(name, 1);
        self.open.insert(target, 0);
        let mut own = Vec::new();
        self.statement(choice, &mut own)?;
        let (width, ty) = (
            self.scope.signals[target].width,
            self.open.remove(&target).unwrap_or_default(),
        );
        self.locals
            .insert(name.to_string(), Expr::signal(target, width, ty.max(width)));
        self.settle(target, own, known, out);
        Ok(())
    }

    /// Assigns a local value that several statements assign.
    pub(super) fn assign_local(
        &mut self,
        name: &str,
        value: &VerilogExpression,
        out: Out,
    ) -> Result<(), WriteError> {
        let value = self.expression(value)?;
        let Kind::Signal(target) = self.resolve(name)?.kind else {
            return self.refuse(format!("`{name}` cannot be assigned here"));
        };
        let width = &mut self.scope.signals[target].width;
        if let Some(ty) = self.open.get_mut(&target) {
            *width = value.width.max(*width);
            *ty = value.ty.unwrap_or_default().max(*ty);
        }
        let width = *width;
        self.assign((target, width), value, out)
    }

    /// Puts what assigns a local value in front of the conditions, if it does not depend on what is `known` to be assigned there.
    fn settle(
        &mut self,
        target: SignalId,
        own: Vec<Statement>,
        known: BTreeSet<SignalId>,
        out: Out,
    ) {
        if self.depth > 0 && reads(&own).is_disjoint(&known) {
            self.before.extend(own);
            self.assigned = known;
            return;
        }
        if self.depth > 0 {
            self.before
                .push(Statement::Assign(target, Expr::number(0u32)));
        }
        self.assigned.insert(target);
        out.extend(own);
    }

    /// A wire called as local value `let x 3` is, or nearly.
    fn add_local(&mut self, name: &str, width: usize) -> SignalId {
        let base = plain(name.split(' ').nth(1).unwrap_or(name));
        let target = self.scope.add_named(&base, width);
        let alike = self
            .wires
            .entry(name.to_string())
            .or_insert((base, Vec::new()));
        alike.1.push(target);
        self.locals
            .insert(name.to_string(), Expr::signal(target, width, width));
        target
    }
}
