//! From rust-hdl's syntax tree to statements: names resolved, constants folded, every expression with its exact width.

use num_bigint::BigUint;
use rust_hdl::prelude::ast::{
    VerilogBlock, VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogMatch,
    VerilogOp, VerilogOpUnary, VerilogStatement,
};
use std::collections::{BTreeMap, BTreeSet};

use super::comments::{declaration, leading_comments, quoted};
use super::expr::{Expr, Kind, SignalId};
use super::number::{integer, literal_value};
use super::operator::{Binary, Compare, Reduce};
use super::rewrite;
use super::scope::Scope;
use super::statement::Statement;
use crate::names::canonical;
use crate::verilog::WriteError;

/// Translates a kernel's syntax tree. `place` names the circuit in messages.
pub fn lower(
    block: &VerilogBlock,
    scope: &mut Scope,
    place: &str,
) -> Result<Vec<Statement>, WriteError> {
    let mut lowering = Lowering {
        scope,
        place,
        locals: BTreeMap::new(),
        wires: BTreeMap::new(),
        open: BTreeMap::new(),
        depth: 0,
        before: Vec::new(),
        assigned: BTreeSet::new(),
    };
    let mut out = Vec::new();
    lowering.block(&block[leading_comments(block).len()..], &mut out)?;
    for (base, alike) in lowering.wires.into_values() {
        if alike.len() > 1 {
            lowering.scope.number(&base, &alike);
        }
    }
    Ok(out)
}

pub(super) struct Lowering<'a> {
    pub(super) scope: &'a mut Scope,
    place: &'a str,
    /// What each local value is.
    pub(super) locals: BTreeMap<String, Expr>,
    /// The name of each local value, and its wires: several if it is one of a loop.
    pub(super) wires: BTreeMap<String, (String, Vec<SignalId>)>,
    /// The local values that are being chosen, with their widths in rust-hdl.
    pub(super) open: BTreeMap<SignalId, usize>,
    pub(super) depth: usize,
    /// What belongs in front of the outermost condition.
    pub(super) before: Vec<Statement>,
    /// What is assigned within the outermost condition so far.
    pub(super) assigned: BTreeSet<SignalId>,
}

pub(super) type Out<'a> = &'a mut Vec<Statement>;

impl Lowering<'_> {
    pub(super) fn refuse<T>(&self, what: String) -> Result<T, WriteError> {
        Err(WriteError::Kernel {
            place: self.place.to_string(),
            what,
        })
    }

    pub(super) fn block(&mut self, block: &[VerilogStatement], out: Out) -> Result<(), WriteError> {
        for statement in block {
            let start = out.len();
            if self.depth == 0 {
                self.assigned.clear();
            }
            self.statement(statement, out)?;
            if self.depth == 0 {
                out.splice(start..start, self.before.drain(..));
            }
        }
        Ok(())
    }

    /// A block under a condition.
    fn lowered(&mut self, block: &VerilogBlock) -> Result<Vec<Statement>, WriteError> {
        let mut out = Vec::new();
        self.depth += 1;
        self.block(block, &mut out)?;
        self.depth -= 1;
        Ok(out)
    }

    pub(super) fn statement(
        &mut self,
        statement: &VerilogStatement,
        out: Out,
    ) -> Result<(), WriteError> {
        if let Some(local) = declaration(statement) {
            return self.declare(local, out);
        }
        match statement {
            VerilogStatement::Assignment(VerilogExpression::Signal(name), value)
                if name.starts_with("let ") =>
            {
                self.assign_local(name, value, out)
            }
            VerilogStatement::Assignment(target, value) => {
                let name = self.target_name(target)?;
                if self.scope.is_absent(&canonical(name)) {
                    return Ok(());
                }
                let target = self.target(name)?;
                let value = self.expression(value)?;
                self.assign(target, value, out)
            }
            VerilogStatement::If(conditional) => self.conditional(conditional, out),
            VerilogStatement::Match(choice) => self.choice(choice, out),
            VerilogStatement::Comment(text) => {
                let line = quoted(text).trim().to_string();
                match out.last_mut() {
                    Some(Statement::Comment(lines)) => lines.push(line),
                    _ => out.push(Statement::Comment(vec![line])),
                }
                Ok(())
            }
            VerilogStatement::Loop(_)
            | VerilogStatement::Link(_)
            | VerilogStatement::SliceAssignment { .. } => {
                self.refuse("loops, links and assignments of some bits are not supported".into())
            }
            VerilogStatement::Macro(block) => self.block(block, out),
        }
    }

    pub(super) fn assign(
        &mut self,
        (target, width): (SignalId, usize),
        value: Expr,
        out: Out,
    ) -> Result<(), WriteError> {
        let value = value.slice(0, width);
        self.assigned.insert(target);
        out.push(Statement::Assign(target, value));
        Ok(())
    }

    fn target_name<'e>(&self, target: &'e VerilogExpression) -> Result<&'e str, WriteError> {
        match target {
            VerilogExpression::Signal(name) => Ok(name),
            VerilogExpression::Paren(inner) => self.target_name(inner),
            _ => self.refuse("only signals can be assigned".into()),
        }
    }

    /// The signal an assignment drives, and its width.
    fn target(&self, name: &str) -> Result<(SignalId, usize), WriteError> {
        match self.resolve(name)?.kind {
            Kind::Signal(id) if self.scope.signals[id].class.is_driven_here() => {
                Ok((id, self.scope.signals[id].width))
            }
            _ => self.refuse(format!("`{name}` cannot be assigned here")),
        }
    }

    pub(super) fn resolve(&self, name: &str) -> Result<Expr, WriteError> {
        if let Some(value) = self.locals.get(name) {
            return Ok(value.clone());
        }
        if let Some(number) = named(name) {
            return Ok(number);
        }
        match self.scope.resolve(&canonical(name)) {
            Some(found) => Ok(found),
            None => self.refuse(format!("`{name}` is neither a signal nor a constant")),
        }
    }

    fn conditional(
        &mut self,
        conditional: &VerilogConditional,
        out: Out,
    ) -> Result<(), WriteError> {
        let test = self.expression(&conditional.test)?;
        if let Some(value) = test.small() {
            return match (value, &conditional.otherwise) {
                (0, VerilogBlockOrConditional::Block(block)) => self.block(block, out),
                (0, VerilogBlockOrConditional::Conditional(next)) => self.statement(next, out),
                (0, VerilogBlockOrConditional::None) => Ok(()),
                _ => self.block(&conditional.then, out),
            };
        }
        let then = self.lowered(&conditional.then)?;
        let otherwise = match &conditional.otherwise {
            VerilogBlockOrConditional::Block(block) => self.lowered(block)?,
            VerilogBlockOrConditional::Conditional(next) => {
                self.lowered(&vec![(**next).clone()])?
            }
            VerilogBlockOrConditional::None => Vec::new(),
        };
        rewrite::conditional(test, then, otherwise, out);
        Ok(())
    }

    fn choice(&mut self, choice: &VerilogMatch, out: Out) -> Result<(), WriteError> {
        let test = self.expression(&choice.test)?;
        let mut arms = Vec::new();
        let mut default = None;
        for case in &choice.cases {
            let block = self.lowered(&case.block)?;
            if case.condition == "default" {
                default = Some(block);
                break;
            }
            arms.push((self.pattern(&case.condition)?, block));
        }
        if let Some(value) = test.value() {
            let hit = arms
                .into_iter()
                .find(|(pattern, _)| pattern.value() == Some(value));
            out.extend(hit.map(|(_, block)| block).or(default).unwrap_or_default());
            return Ok(());
        }
        arms.retain(|(pattern, _)| pattern.width <= test.width);
        // Rust has checked that the arms are exhaustive, so the last one may stand for whatever is left.
        let default = default
            .or_else(|| arms.pop().map(|(_, block)| block))
            .unwrap_or_default();
        rewrite::case(test, arms, default, out);
        Ok(())
    }

    fn pattern(&self, text: &str) -> Result<Expr, WriteError> {
        let number = || Some(Expr::number(integer(text)?));
        match named(text).or_else(number) {
            Some(number) => Ok(number),
            None => self.refuse(format!(
                "`{text}` is not a pattern the writer knows: use constants, integers or `_`"
            )),
        }
    }

    pub(super) fn expression(&self, expression: &VerilogExpression) -> Result<Expr, WriteError> {
        match expression {
            VerilogExpression::Signal(name) => self.resolve(name),
            VerilogExpression::Literal(literal) => match literal_value(literal) {
                // Only truth values are one bit wide; integers take the width of what they meet.
                Some(value) if format!("{literal:x}").starts_with("1'") => {
                    Ok(Expr::constant(value, Some(1)))
                }
                Some(value) => Ok(Expr::number(value)),
                None => self.refuse("literals below zero are not supported".into()),
            },
            VerilogExpression::Cast(inner, bits) => Ok(self.expression(inner)?.cast(*bits)),
            VerilogExpression::Paren(inner) => self.expression(inner),
            VerilogExpression::Binary(left, op, right) => {
                let (left, right) = (self.expression(left)?, self.expression(right)?);
                Ok(binary(left, op, right))
            }
            VerilogExpression::Unary(op, inner) => {
                let inner = self.expression(inner)?;
                Ok(match op {
                    VerilogOpUnary::Not => inner.not(),
                    VerilogOpUnary::Neg => {
                        Expr::constant(BigUint::ZERO, inner.ty).arithmetic(Binary::Sub, inner)
                    }
                    VerilogOpUnary::All => inner.reduce(Reduce::And),
                    VerilogOpUnary::Any => inner.reduce(Reduce::Or),
                    VerilogOpUnary::Xor => inner.reduce(Reduce::Xor),
                })
            }
            VerilogExpression::Index(inner, index) => {
                let index = self.expression(index)?;
                Ok(self.expression(inner)?.get_bit(index.clone()).from(&index))
            }
            VerilogExpression::Slice(inner, width, offset) => {
                let (inner, low) = (self.expression(inner)?, self.expression(offset)?);
                Ok(inner.shift_right(low.clone()).cast(*width).from(&low))
            }
            VerilogExpression::IndexReplace(inner, index, bit) => {
                let (inner, index) = (self.expression(inner)?, self.expression(index)?);
                Ok(inner.replace_bit(index, self.expression(bit)?))
            }
            VerilogExpression::Signed(_) | VerilogExpression::Unsigned(_) => {
                self.refuse("signed expressions are not supported".into())
            }
        }
    }
}

/// The number that `const NAME 5` is.
fn named(text: &str) -> Option<Expr> {
    let (name, value) = text.strip_prefix("const ")?.split_once(' ')?;
    let mut out = Expr::number(value.parse::<u64>().ok()?);
    if let Kind::Constant(_, known) = &mut out.kind {
        *known = Some(name.to_string());
    }
    Some(out)
}

fn binary(left: Expr, op: &VerilogOp, right: Expr) -> Expr {
    match op {
        VerilogOp::Add => left.arithmetic(Binary::Add, right),
        VerilogOp::Sub => left.arithmetic(Binary::Sub, right),
        VerilogOp::Mul => left.arithmetic(Binary::Mul, right),
        VerilogOp::LogicalAnd | VerilogOp::BitAnd => left.bitwise(Binary::And, right),
        VerilogOp::LogicalOr | VerilogOp::BitOr => left.bitwise(Binary::Or, right),
        VerilogOp::BitXor => left.bitwise(Binary::Xor, right),
        VerilogOp::Shl => left.shift_left(right),
        VerilogOp::Shr => left.shift_right(right),
        VerilogOp::Eq => left.compare(Compare::Equal, right),
        VerilogOp::Ne => left.compare(Compare::NotEqual, right),
        VerilogOp::Lt => left.compare(Compare::Less, right),
        VerilogOp::Le => left.compare(Compare::LessEqual, right),
        VerilogOp::Gt => left.compare(Compare::Greater, right),
        VerilogOp::Ge => left.compare(Compare::GreaterEqual, right),
    }
}
