//! Mistakes in expressions, one at a time.

use crate::verilog::tree::{Expr, Kind, Module};
use std::fmt;

/// Kinds of mistakes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// Another operator between the same bits, or none in front of them.
    Logic,
    /// One of two operands is forgotten.
    Operand,
    /// Another comparison.
    Comparison,
    /// Sum for difference, and the other way round.
    Arithmetic,
    /// A constant one more or less, or the other bit.
    Constant,
    /// The same of a value after reset.
    Reset,
    /// The wrong branch of a choice.
    Choice,
    /// A condition that is always or never met, or met when it should not be.
    Condition,
    /// An element or bits next to the right ones.
    Place,
    /// An assignment that is not made.
    Assignment,
    /// A bit that is always 0 or always 1.
    Stuck,
}

impl Operator {
    /// Every kind.
    pub const ALL: [Self; 11] = [
        Self::Logic,
        Self::Operand,
        Self::Comparison,
        Self::Arithmetic,
        Self::Constant,
        Self::Reset,
        Self::Choice,
        Self::Condition,
        Self::Place,
        Self::Assignment,
        Self::Stuck,
    ];
}

impl fmt::Display for Operator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = match self {
            Self::Logic => "logic",
            Self::Operand => "operand",
            Self::Comparison => "comparison",
            Self::Arithmetic => "arithmetic",
            Self::Constant => "constant",
            Self::Reset => "reset",
            Self::Choice => "choice",
            Self::Condition => "condition",
            Self::Place => "place",
            Self::Assignment => "assignment",
            Self::Stuck => "stuck",
        };
        f.pad(name)
    }
}

/// What else could stand in the place of an expression, its operands unchanged.
pub fn instead(text: &str, module: &Module, expression: &Expr) -> Vec<(Operator, String)> {
    let of = |expression: &Expr| text[expression.span.clone()].to_owned();
    match &expression.kind {
        Kind::Binary(operator, left, right) => {
            let whole = |operand: &Expr| match operand.kind {
                Kind::Binary(..) => format!("({})", of(operand)),
                _ => of(operand),
            };
            between(operator, &whole(left), &whole(right))
        }
        Kind::Unary(operator, operand) => in_front(operator, &of(operand)),
        Kind::Choice(_, then, otherwise) => vec![
            (Operator::Choice, of(then)),
            (Operator::Choice, of(otherwise)),
            (Operator::Choice, swapped(text, expression)),
        ],
        Kind::Number(Some(width), value) => constants(*width, *value)
            .into_iter()
            .map(|constant| (Operator::Constant, constant))
            .collect(),
        Kind::Index(name, index) => beside(module, name, index),
        Kind::Slice(name, high, low) => bits_beside(module, name, *high, *low),
        _ => Vec::new(),
    }
}

fn between(operator: &str, left: &str, right: &str) -> Vec<(Operator, String)> {
    let with = |other: &str| format!("{left} {other} {right}");
    let others: (Operator, &[&str]) = match operator {
        "&" => (Operator::Logic, &["|"]),
        "|" => (Operator::Logic, &["&", "^"]),
        "^" => (Operator::Logic, &["|"]),
        "&&" => (Operator::Logic, &["||"]),
        "||" => (Operator::Logic, &["&&"]),
        "+" => (Operator::Arithmetic, &["-"]),
        "-" => (Operator::Arithmetic, &["+"]),
        "==" => (Operator::Comparison, &["!="]),
        "!=" => (Operator::Comparison, &["=="]),
        "<" => (Operator::Comparison, &["<=", ">="]),
        "<=" => (Operator::Comparison, &["<", ">"]),
        ">" => (Operator::Comparison, &[">=", "<="]),
        ">=" => (Operator::Comparison, &[">", "<"]),
        "<<" => (Operator::Arithmetic, &[">>"]),
        ">>" => (Operator::Arithmetic, &["<<"]),
        _ => (Operator::Logic, &[]),
    };
    let mut found: Vec<_> = others
        .1
        .iter()
        .map(|other| (others.0, with(other)))
        .collect();
    if ["&", "|", "^", "&&", "||", "+", "-"].contains(&operator) {
        found.extend([left, right].map(|kept| (Operator::Operand, kept.to_owned())));
    }
    found
}

fn in_front(operator: &str, operand: &str) -> Vec<(Operator, String)> {
    let other = match operator {
        "!" | "~" => operand.to_owned(),
        "|" => format!("&{operand}"),
        "&" => format!("|{operand}"),
        _ => return Vec::new(),
    };
    vec![(Operator::Logic, other)]
}

/// `c ? b : a` of `c ? a : b`.
fn swapped(text: &str, expression: &Expr) -> String {
    let Kind::Choice(condition, then, otherwise) = &expression.kind else {
        unreachable!("asked of choices alone");
    };
    let of = |expression: &Expr| &text[expression.span.clone()];
    format!("{} ? {} : {}", of(condition), of(otherwise), of(then))
}

/// A constant one more and one less, within its width.
pub(super) fn constants(width: u32, value: u128) -> Vec<String> {
    let last = u128::MAX >> (128 - width.clamp(1, 128));
    let more = if value == last { 0 } else { value + 1 };
    let less = if value == 0 { last } else { value - 1 };
    let mut constants = vec![format!("{width}'h{more:x}")];
    if less != more {
        constants.push(format!("{width}'h{less:x}"));
    }
    constants
}

/// The element or bit above, or else that below.
fn beside(module: &Module, name: &str, index: &Expr) -> Vec<(Operator, String)> {
    let signal = module.signal(name).filter(|signal| !signal.array);
    let (Some(width), Kind::Number(_, index)) = (signal.and_then(|s| s.width), &index.kind) else {
        return Vec::new();
    };
    let index = *index as u32;
    let other = match index {
        _ if index + 1 < width => index + 1,
        0 => return Vec::new(),
        _ => index - 1,
    };
    vec![(Operator::Place, format!("{name}[{other}]"))]
}

/// The bits one place higher, or else lower.
fn bits_beside(module: &Module, name: &str, high: u32, low: u32) -> Vec<(Operator, String)> {
    let Some(width) = module.signal(name).and_then(|signal| signal.width) else {
        return Vec::new();
    };
    let other = match low {
        _ if high + 1 < width => format!("{name}[{}:{}]", high + 1, low + 1),
        0 => return Vec::new(),
        _ => format!("{name}[{}:{}]", high - 1, low - 1),
    };
    vec![(Operator::Place, other)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_keeps_its_width() {
        assert_eq!(constants(1, 0), ["1'h1"]);
        assert_eq!(constants(3, 7), ["3'h0", "3'h6"]);
        assert_eq!(constants(32, 0), ["32'h1", "32'hffffffff"]);
    }

    #[test]
    fn an_operator_becomes_others_and_loses_an_operand() {
        let others: Vec<_> = between("&", "a", "b")
            .into_iter()
            .map(|(_, text)| text)
            .collect();
        assert_eq!(others, ["a | b", "a", "b"]);
    }
}
