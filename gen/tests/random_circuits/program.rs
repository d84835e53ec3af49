//! The programs of random circuits: what they are made of, their syntax trees, and how they are made.

use num_bigint::BigUint;
use rust_hdl::prelude::ast::{
    VerilogBlockOrConditional, VerilogCase, VerilogConditional, VerilogExpression, VerilogMatch,
    VerilogStatement,
};

use crate::generator::{Generator, Random, ones};

pub const INPUTS: usize = 3;
pub const LOCALS: usize = 4;
pub const OUTPUTS: usize = 4;
pub const REGISTERS: usize = 3;
pub const DELAYS: usize = 2;

/// Bits of a word.
const WORD: usize = 16;

#[derive(Clone, Copy)]
pub enum Target {
    Local(usize),
    Output(usize),
    Register(usize),
    Delay(usize),
    Lane(usize),
    Memory,
}

pub enum Step {
    Assign(Target, Random),
    If(Random, Vec<Step>, Vec<Step>),
    /// What is done if the value is 0, if it is 1, and so on; and otherwise.
    Match(Random, Vec<Vec<Step>>, Vec<Step>),
}

/// A signal that is assigned.
fn next(target: &Target) -> VerilogExpression {
    VerilogExpression::Signal(match target {
        Target::Local(n) => format!("locals${n}$next"),
        Target::Output(n) => format!("outputs${n}$next"),
        Target::Register(n) => format!("registers${n}$d$next"),
        Target::Delay(n) => format!("delays${n}$d$next"),
        Target::Lane(n) => format!("lanes${n}$a$next"),
        Target::Memory => "memory$write_data$next".to_string(),
    })
}

fn cases(arms: &[Vec<Step>], default: &[Step]) -> Vec<VerilogCase> {
    let case = |(condition, block)| VerilogCase {
        condition,
        block: statements(block),
    };
    let arms = arms.iter().enumerate();
    let arms = arms.map(|(number, block)| (number.to_string(), block.as_slice()));
    arms.chain([("default".to_string(), default)])
        .map(case)
        .collect()
}

pub fn statements(steps: &[Step]) -> Vec<VerilogStatement> {
    let statement = |step: &Step| match step {
        Step::Assign(target, value) => {
            VerilogStatement::Assignment(next(target), value.tree.clone())
        }
        Step::Match(value, arms, default) => VerilogStatement::Match(VerilogMatch {
            test: value.tree.clone(),
            cases: cases(arms, default),
        }),
        Step::If(test, then, otherwise) => VerilogStatement::If(VerilogConditional {
            test: test.tree.clone(),
            then: statements(then),
            otherwise: match otherwise.as_slice() {
                [] => VerilogBlockOrConditional::None,
                _ => VerilogBlockOrConditional::Block(statements(otherwise)),
            },
        }),
    };
    steps.iter().map(statement).collect()
}

/// The names of what can be read before a local is assigned; `Circuit::values` has the order.
pub fn signals(lanes: usize) -> Vec<String> {
    let of = |name: &str, count: usize, rest: &str| -> Vec<String> {
        (0..count).map(|n| format!("{name}${n}{rest}")).collect()
    };
    [
        of("inputs", INPUTS, ""),
        of("registers", REGISTERS, "$q"),
        of("delays", DELAYS, "$q"),
        of("lanes", lanes, "$y"),
        vec!["memory$read_data".to_string()],
    ]
    .concat()
}

/// Programs: everything that must be driven is, before it is read.
impl Generator {
    /// A word, often one at an edge.
    pub fn edge(&mut self) -> u64 {
        let word = self.word() & ones(WORD);
        let number = u64::try_from(word).expect("a word is small");
        [0, 1, 1 << (number % 16), 0xffff, number][self.pick(5)]
    }

    fn steps(&mut self, count: usize, depth: usize, lanes: usize) -> Vec<Step> {
        (0..count).map(|_| self.step(depth, lanes)).collect()
    }

    fn step(&mut self, depth: usize, lanes: usize) -> Step {
        if depth > 0 && self.pick(3) == 0 {
            let (then, otherwise) = (self.pick(4), self.pick(3));
            return Step::If(
                self.expression(1, 2),
                self.steps(then, depth - 1, lanes),
                self.steps(otherwise, depth - 1, lanes),
            );
        }
        if depth > 0 && self.pick(4) == 0 {
            let test = self.expression(2, 2);
            let (arms, default) = (1 + self.pick(3), self.pick(3));
            let arms = (0..arms).map(|_| self.steps(1, depth - 1, lanes)).collect();
            return Step::Match(test, arms, self.steps(default, depth - 1, lanes));
        }
        let target = match self.pick(8) {
            0..=2 => Target::Local(self.pick(LOCALS)),
            3 => Target::Output(self.pick(OUTPUTS)),
            4 | 5 => Target::Register(self.pick(REGISTERS)),
            6 => Target::Delay(self.pick(DELAYS)),
            _ => Target::Lane(self.pick(lanes)),
        };
        Step::Assign(target, self.expression(WORD, 2))
    }

    pub fn program(&mut self, lanes: usize) -> Vec<Step> {
        let mut steps = Vec::new();
        for n in 0..LOCALS {
            steps.push(Step::Assign(Target::Local(n), self.expression(WORD, 2)));
            self.signals.push(format!("locals${n}"));
        }
        let registers = (0..REGISTERS).map(Target::Register);
        let registers = registers.chain((0..DELAYS).map(Target::Delay));
        for target in registers {
            // Of an input: what is never assigned, because its test is never met, is an error.
            let input = self.pick(INPUTS);
            let test = self.signal(input, 1);
            let step = Step::Assign(target, self.expression(WORD, 2));
            steps.push(Step::If(test, vec![step], Vec::new()));
        }
        let driven = (0..OUTPUTS).map(Target::Output);
        let driven = driven.chain((0..lanes).map(Target::Lane));
        for target in driven.chain([Target::Memory]) {
            steps.push(Step::Assign(target, self.expression(WORD, 3)));
        }
        // Registers that are assigned once are chosen in a line.
        let more = [0, self.pick(24)][self.pick(2)];
        steps.extend(self.steps(more, 2, lanes));
        steps
    }
}

/// The value of an expression, as a number.
pub fn number(random: &Random, values: &[BigUint], bits: usize) -> u64 {
    let value = (random.value)(values) & ones(bits);
    u64::try_from(value).expect("a word is small")
}
