//! Expressions.

use super::tree::{Expr, Kind, Span};
use super::words::Parser;
use anyhow::{Context, Result, bail};

/// Operators between operands, the loosest first.
const LEVELS: [&[&str]; 9] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
];

impl Parser<'_> {
    pub(super) fn expression(&mut self) -> Result<Expr> {
        let start = self.start();
        let condition = self.binary(0)?;
        if !self.accept("?") {
            return Ok(condition);
        }
        let then = Box::new(self.expression()?);
        self.expect(":")?;
        let otherwise = Box::new(self.expression()?);
        Ok(self.made(start, Kind::Choice(Box::new(condition), then, otherwise)))
    }

    fn binary(&mut self, level: usize) -> Result<Expr> {
        let Some(operators) = LEVELS.get(level) else {
            return self.unary();
        };
        let start = self.start();
        let mut left = self.binary(level + 1)?;
        while operators.contains(&self.peek()) {
            let operator = self.next().to_owned();
            let right = self.binary(level + 1)?;
            left = self.made(
                start,
                Kind::Binary(operator, Box::new(left), Box::new(right)),
            );
        }
        Ok(left)
    }

    fn unary(&mut self) -> Result<Expr> {
        let start = self.start();
        if ["!", "~", "|", "&", "^", "-"].contains(&self.peek()) {
            let operator = self.next().to_owned();
            let operand = Box::new(self.unary()?);
            return Ok(self.made(start, Kind::Unary(operator, operand)));
        }
        self.primary()
    }

    pub(super) fn primary(&mut self) -> Result<Expr> {
        let start = self.start();
        let kind = if self.accept("(") {
            let inner = self.expression()?;
            self.expect(")")?;
            Kind::Parenthesis(Box::new(inner))
        } else if self.accept("{") {
            self.concat()?
        } else if self.peek().starts_with(|c: char| c.is_ascii_digit()) {
            number(self.next())?
        } else {
            let name = self.name()?;
            self.selection(name)?
        };
        Ok(self.made(start, kind))
    }

    fn concat(&mut self) -> Result<Kind> {
        let mut parts = vec![self.expression()?];
        if self.accept("{") {
            let repeated = self.expression()?;
            self.expect("}")?;
            self.expect("}")?;
            return match parts.remove(0).kind {
                Kind::Number(_, count) => Ok(Kind::Repeat(count as u32, Box::new(repeated))),
                _ => bail!("a repetition that is no number"),
            };
        }
        while self.accept(",") {
            parts.push(self.expression()?);
        }
        self.expect("}")?;
        Ok(Kind::Concat(parts))
    }

    /// What stands after a name.
    fn selection(&mut self, name: String) -> Result<Kind> {
        if !self.accept("[") {
            return Ok(Kind::Name(name));
        }
        let first = self.expression()?;
        if self.accept("]") {
            return Ok(Kind::Index(name, Box::new(first)));
        }
        self.expect(":")?;
        let last = self.expression()?;
        self.expect("]")?;
        match (first.kind, last.kind) {
            (Kind::Number(_, high), Kind::Number(_, low)) => {
                Ok(Kind::Slice(name, high as u32, low as u32))
            }
            _ => bail!("bits of `{name}` that are no numbers"),
        }
    }

    fn made(&self, start: usize, kind: Kind) -> Expr {
        let span: Span = start..self.end();
        Expr { span, kind }
    }
}

/// `12` or `4'd12`.
fn number(word: &str) -> Result<Kind> {
    let unlike = || format!("`{word}` is no number");
    let Some((width, rest)) = word.split_once('\'') else {
        return Ok(Kind::Number(None, word.parse().with_context(unlike)?));
    };
    let (base, digits) = rest.split_at(1.min(rest.len()));
    let radix = match base {
        "d" => 10,
        "h" => 16,
        "b" => 2,
        _ => bail!(unlike()),
    };
    let width = width.parse().with_context(unlike)?;
    let digits = digits.replace('_', "");
    if width > u128::BITS && digits.chars().all(|digit| digit.is_digit(radix)) {
        return Ok(Kind::Wide);
    }
    let value = u128::from_str_radix(&digits, radix).with_context(unlike)?;
    Ok(Kind::Number(Some(width), value))
}
