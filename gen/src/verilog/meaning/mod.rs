//! The meaning of expressions and statements, computed from values of the signals. No pass of the writer may change it.

mod expressions;
mod random;
mod statements;

use num_bigint::BigUint;

use super::expr::{Expr, Kind};
use super::number::{index_bits, ones};
use super::operator::{Binary, Reduce};
use super::statement::Statement;

/// A value for each signal.
type Values = Vec<BigUint>;

/// What an expression is, as Verilog computes what is printed of it.
fn value(e: &Expr, signals: &[BigUint]) -> BigUint {
    let of = |e: &Expr| value(e, signals);
    let cut = |e: &Expr| of(e) & ones(e.width);
    let here = |e: &Expr, width: usize| of(e) & ones(width);
    let bit = |holds: bool| BigUint::from(u8::from(holds));
    match &e.kind {
        Kind::Constant(value, _) => value.clone(),
        Kind::Signal(id) => signals[*id].clone(),
        Kind::Slice(a, low) => (of(a) >> low) & ones(e.width),
        Kind::Not(a) => here(a, e.width) ^ ones(e.width),
        Kind::Binary(op, a, b) => {
            let amount = matches!(op, Binary::ShiftLeft | Binary::ShiftRight);
            let b = if amount { of(b) } else { here(b, e.width) };
            binary(*op, here(a, e.width), b, e.width)
        }
        Kind::Compare(op, a, b) => bit(op.holds(&of(a), &of(b))),
        Kind::Reduce(op, a) => bit(match op {
            Reduce::Or => cut(a).bits() > 0,
            Reduce::And => cut(a) == ones(a.width),
            Reduce::Xor => cut(a).count_ones() % 2 == 1,
        }),
        Kind::Concat(pieces) => pieces
            .iter()
            .rev()
            .fold(BigUint::ZERO, |all, (piece, bits)| {
                (all << bits) | here(piece, *bits)
            }),
        Kind::Index(a, index) => {
            let index = u64::try_from(here(index, index_bits(a.width)));
            bit(of(a).bit(index.expect("an index is small")))
        }
    }
}

fn binary(op: Binary, a: BigUint, b: BigUint, width: usize) -> BigUint {
    let amount = || usize::try_from(&b).unwrap_or(width).min(width);
    let value = match op {
        Binary::Add => a + b,
        Binary::Sub => a + ones(width) + 1u32 - b,
        Binary::Mul => a * b,
        Binary::And => a & b,
        Binary::Or => a | b,
        Binary::Xor => a ^ b,
        Binary::ShiftLeft => a << amount(),
        Binary::ShiftRight => a >> amount(),
    };
    value & ones(width)
}

/// Runs statements, each of which sees what those before it assigned.
fn run(statements: &[Statement], signals: &mut Values) {
    for statement in statements {
        match statement {
            Statement::Comment(_) => {}
            Statement::Assign {
                target,
                low,
                width,
                value: assigned,
            } => {
                let assigned = value(assigned, signals) & ones(*width);
                let old = &signals[*target];
                let kept = old - (old & (ones(*width) << low));
                signals[*target] = kept | (assigned << low);
            }
            Statement::If {
                test,
                then,
                otherwise,
            } => match value(test, signals).bits() > 0 {
                true => run(then, signals),
                false => run(otherwise, signals),
            },
            Statement::Case {
                test,
                arms,
                default,
            } => {
                let test = value(test, signals);
                let arm = arms
                    .iter()
                    .find(|(pattern, _)| value(pattern, signals) == test);
                run(arm.map_or(default, |(_, block)| block), signals);
            }
        }
    }
}
