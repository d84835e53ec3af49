//! Statements, and what they assign to.

use super::tree::{Kind, Statement, StatementKind};
use super::words::Parser;
use anyhow::{Result, bail};

impl Parser<'_> {
    /// What is assigned to: the signal, if it is one, and whether it is all of it.
    pub(super) fn target(&mut self) -> Result<(Option<String>, bool)> {
        let expression = self.primary()?;
        // Bits of a word of a memory.
        if self.peek() == "[" {
            self.range()?;
        }
        Ok(match expression.kind {
            Kind::Name(name) => (Some(name), true),
            Kind::Index(name, _) | Kind::Slice(name, ..) => (Some(name), false),
            Kind::Concat(_) => (None, false),
            _ => bail!(
                "nothing can be assigned to `{}`",
                &self.text[expression.span]
            ),
        })
    }

    pub(super) fn statement(&mut self) -> Result<Statement> {
        let start = self.start();
        let kind = if self.accept("begin") {
            let mut statements = Vec::new();
            while !self.accept("end") {
                statements.push(self.statement()?);
            }
            StatementKind::Block(statements)
        } else if self.accept("if") {
            self.expect("(")?;
            let condition = self.expression()?;
            self.expect(")")?;
            let then = Box::new(self.statement()?);
            let otherwise = match self.accept("else") {
                true => Some(Box::new(self.statement()?)),
                false => None,
            };
            StatementKind::If(condition, then, otherwise)
        } else {
            let (target, whole) = self.target()?;
            if !self.accept("<=") {
                self.expect("=")?;
            }
            let value = self.expression()?;
            self.expect(";")?;
            StatementKind::Assign {
                target,
                whole,
                value,
            }
        };
        Ok(Statement {
            span: start..self.end(),
            kind,
        })
    }
}
