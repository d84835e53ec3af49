//! Statements that choose between two values and fit on a line: `test ? a : b`.

use crate::verilog::tree::expr::Expr;
use crate::verilog::tree::operator::Binary;
use crate::verilog::tree::statement::Statement;

/// `(test, then, otherwise)` of statements that choose between two values for the whole of one signal.
pub fn choice(statements: &[Statement]) -> Option<(&Expr, &Expr, &Expr)> {
    let said = |statement: &&Statement| !matches!(statement, Statement::Comment(_));
    let said: Vec<&Statement> = statements.iter().filter(said).collect();
    let (test, then, otherwise) = match said.as_slice() {
        [default, Statement::If(test, then, otherwise)] if otherwise.is_empty() => {
            (test, then, *default)
        }
        [Statement::If(test, then, otherwise)] => match otherwise.as_slice() {
            [otherwise] => (test, then, otherwise),
            _ => return None,
        },
        _ => return None,
    };
    match (then.as_slice(), otherwise) {
        ([Statement::Assign(_, then)], Statement::Assign(_, otherwise)) => {
            Some((test, then, otherwise))
        }
        _ => None,
    }
}

/// A choice as one expression, where that is no longer than the choice.
pub fn decided(test: &Expr, then: &Expr, otherwise: &Expr, width: usize) -> Option<Expr> {
    let (test, a, b) = (
        test.clone(),
        then.clone().cast(width),
        otherwise.clone().cast(width),
    );
    if a == b {
        Some(a)
    } else if width > 1 {
        None
    } else if a.is(1) {
        Some(test.cast(1).bitwise(Binary::Or, b))
    } else if b.is(0) {
        Some(test.cast(1).bitwise(Binary::And, a))
    } else if a.is(0) {
        Some(test.cast(1).not().bitwise(Binary::And, b))
    } else if b.is(1) {
        Some(test.cast(1).not().bitwise(Binary::Or, a))
    } else {
        None
    }
}
