//! Random expressions and statements over a few signals.

// The generator of the circuits that are simulated.
#[path = "../../../tests/random_expressions/generator.rs"]
mod generator;

use generator::{Generator, INPUTS, TYPES, ones};
use num_bigint::BigUint;
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use rust_hdl::prelude::ast::{VerilogExpression, VerilogStatement};

use super::Values;
use crate::verilog::expr::{Expr, SignalId};
use crate::verilog::lower::lower;
use crate::verilog::scope::Scope;
use crate::verilog::statement::Statement;
use crate::verilog::tree::{AtomInfo, Circuit, Role};

/// Bits of the type of inputs, at least as many as they have.
const DECLARED: usize = 100;

/// Signals that statements assign, behind the inputs, with their bits.
pub const TARGETS: [(SignalId, usize); 3] = [(INPUTS, 1), (INPUTS + 1, 4), (INPUTS + 2, 13)];

/// An expression as the writer has it, and how to compute what the kernel says.
pub struct Lowered {
    /// As the writer has it.
    pub expr: Expr,
    /// Bits of its type.
    pub ty: usize,
    value: generator::Value,
}

impl Lowered {
    /// What the kernel says.
    pub fn expected(&self, values: &[BigUint]) -> BigUint {
        (self.value)(&values[..INPUTS])
    }
}

/// Makes them, from a seed.
pub struct Random {
    generator: Generator,
    /// Bits of the inputs.
    pub inputs: Vec<usize>,
    scope: Scope,
}

fn atom(name: String, role: Role, width: usize) -> AtomInfo {
    AtomInfo {
        path: name.clone(),
        name,
        role,
        declared: DECLARED,
        width,
        doc: String::new(),
        absent: false,
        value: None,
        register: None,
    }
}

impl Random {
    /// Of expressions' leaves so many in five are numbers.
    pub fn new(seed: u64, numbers: usize) -> Self {
        let mut generator = Generator::new(ChaCha8Rng::seed_from_u64(seed), numbers);
        let inputs: Vec<usize> = (0..INPUTS).map(|_| 1 + generator.pick(DECLARED)).collect();
        let mut circuit = Circuit::default();
        let input =
            |(index, &width): (usize, &usize)| atom(format!("inputs${index}"), Role::Input, width);
        circuit.atoms = inputs.iter().enumerate().map(input).collect();
        circuit
            .atoms
            .push(atom("output".into(), Role::Output, DECLARED));
        let scope = Scope::of(&circuit).expect("the names differ");
        Self {
            generator,
            inputs,
            scope,
        }
    }

    /// A number below `count`.
    pub fn pick(&mut self, count: usize) -> usize {
        self.generator.pick(count)
    }

    /// Values of the inputs and of the signals that statements assign.
    pub fn values(&mut self) -> Values {
        let targets = TARGETS.iter().map(|(_, width)| *width);
        let widths: Vec<usize> = self.inputs.iter().copied().chain(targets).collect();
        let word = |width| self.generator.word() & ones(width);
        widths.into_iter().map(word).collect()
    }

    /// An expression of some type, at most so many operators deep.
    pub fn expression(&mut self, depth: usize) -> Lowered {
        let ty = TYPES[self.pick(TYPES.len())];
        let random = self.generator.expression(ty, depth);
        let target = VerilogExpression::Signal("output$next".into());
        let code = vec![VerilogStatement::Assignment(target, random.tree)];
        let statements = lower(&code, &self.scope, "top").expect("all of it is supported");
        match statements.as_slice() {
            [Statement::Assign { value, .. }] => Lowered {
                expr: value.clone(),
                ty,
                value: random.value,
            },
            other => panic!("no assignment: {other:?}"),
        }
    }

    /// What may be assigned to `width` bits of a signal: an expression of inputs, a number, or what one of `own` has.
    fn source(&mut self, width: usize, own: &[(SignalId, usize)]) -> Expr {
        let source = match self.pick(6) {
            0 | 1 if !own.is_empty() => {
                let (id, width) = own[self.pick(own.len())];
                Expr::signal(id, width, width)
            }
            2 => Expr::number(self.pick(1 << width)),
            _ => self.expression(1).expr,
        };
        source.slice(0, width)
    }

    /// Statements that assign signals of `own`, and read no other signals than these and inputs.
    pub fn block(&mut self, depth: usize, own: &[(SignalId, usize)]) -> Vec<Statement> {
        let count = self.pick(4);
        (0..count).map(|_| self.statement(depth, own)).collect()
    }

    fn statement(&mut self, depth: usize, own: &[(SignalId, usize)]) -> Statement {
        match self.pick(7) {
            0 if depth > 0 => Statement::If {
                test: self.source(1, own).cast(1),
                then: self.block(depth - 1, own),
                otherwise: self.block(depth - 1, own),
            },
            1 if depth > 0 => {
                let arms = self.pick(4);
                let arm = |number| (Expr::number(number), self.block(depth - 1, own));
                let arms = (0..arms).map(arm).collect();
                Statement::Case {
                    test: self.source(2, own).cast(2),
                    arms,
                    default: self.block(depth - 1, own),
                }
            }
            2 => Statement::Comment(vec!["Says something.".into()]),
            _ => self.assignment(own),
        }
    }

    /// An assignment of a whole signal or of some of its bits.
    fn assignment(&mut self, own: &[(SignalId, usize)]) -> Statement {
        let (target, all) = own[self.pick(own.len())];
        let whole = self.pick(2) == 0;
        let low = if whole { 0 } else { self.pick(all) };
        let width = if whole { all } else { 1 + self.pick(all - low) };
        Statement::Assign {
            target,
            low,
            width,
            value: self.source(width, own),
        }
    }
}
