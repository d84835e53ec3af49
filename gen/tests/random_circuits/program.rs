//! The programs of random circuits: what they are made of, their syntax trees, and how they are made.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rust_hdl::prelude::ast::{
    VerilogBlockOrConditional, VerilogConditional, VerilogExpression, VerilogOp, VerilogOpUnary,
    VerilogStatement,
};

pub const INPUTS: usize = 3;
pub const LOCALS: usize = 4;
pub const OUTPUTS: usize = 4;
pub const REGISTERS: usize = 3;
pub const DELAYS: usize = 2;
pub const LANES: usize = 4;

/// What a value is made of.
#[derive(Clone, Copy)]
pub enum Source {
    Input(usize),
    Local(usize),
    Register(usize),
    Delay(usize),
    Lane(usize),
    Memory,
    Number(u64),
}

pub enum Value {
    Of(Source),
    Two(Box<Value>, VerilogOp, Box<Value>),
}

pub enum Test {
    Any(Value),
    Equal(Value, Value),
    Less(Value, Value),
}

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
    Assign(Target, Value),
    If(Test, Vec<Step>, Vec<Step>),
}

pub fn signal(name: String) -> VerilogExpression {
    VerilogExpression::Signal(name)
}

pub fn statements(steps: &[Step]) -> Vec<VerilogStatement> {
    let statement = |step: &Step| match step {
        Step::Assign(target, value) => {
            let name = match target {
                Target::Local(n) => format!("locals[{n}]"),
                Target::Output(n) => format!("outputs[{n}]"),
                Target::Register(n) => format!("registers[{n}]$d"),
                Target::Delay(n) => format!("delays[{n}]$d"),
                Target::Lane(n) => format!("lanes[{n}]$a"),
                Target::Memory => "memory$write_data".to_string(),
            };
            VerilogStatement::Assignment(signal(name + "$next"), expression(value))
        }
        Step::If(test, then, otherwise) => VerilogStatement::If(VerilogConditional {
            test: match test {
                Test::Any(a) => {
                    VerilogExpression::Unary(VerilogOpUnary::Any, Box::new(expression(a)))
                }
                Test::Equal(a, b) => binary(a, VerilogOp::Eq, b),
                Test::Less(a, b) => binary(a, VerilogOp::Lt, b),
            },
            then: statements(then),
            otherwise: match otherwise.as_slice() {
                [] => VerilogBlockOrConditional::None,
                _ => VerilogBlockOrConditional::Block(statements(otherwise)),
            },
        }),
    };
    steps.iter().map(statement).collect()
}

pub fn binary(a: &Value, op: VerilogOp, b: &Value) -> VerilogExpression {
    VerilogExpression::Binary(Box::new(expression(a)), op, Box::new(expression(b)))
}

pub fn expression(value: &Value) -> VerilogExpression {
    match value {
        Value::Of(source) => match source {
            Source::Input(n) => signal(format!("inputs[{n}]")),
            Source::Local(n) => signal(format!("locals[{n}]")),
            Source::Register(n) => signal(format!("registers[{n}]$q")),
            Source::Delay(n) => signal(format!("delays[{n}]$q")),
            Source::Lane(n) => signal(format!("lanes[{n}]$y")),
            Source::Memory => signal("memory$read_data".to_string()),
            Source::Number(number) => {
                let literal = VerilogExpression::Literal((*number).into());
                VerilogExpression::Cast(Box::new(literal), 16)
            }
        },
        Value::Two(a, op, b) => binary(a, op.clone(), b),
    }
}

/// Programs: everything that must be driven is, before it is read.
pub struct Generator {
    random: ChaCha8Rng,
    /// Locals that can be read.
    locals: usize,
}

impl Generator {
    pub fn new(random: ChaCha8Rng) -> Self {
        Self { random, locals: 0 }
    }

    pub fn pick(&mut self, count: usize) -> usize {
        self.random.random_range(0..count)
    }

    pub fn number(&mut self) -> u64 {
        let number = self.random.random_range(0..1u64 << 16);
        [0, 1, 1 << (number % 16), 0xffff, number][self.pick(5)]
    }

    fn value(&mut self, depth: usize) -> Value {
        if depth == 0 || self.pick(4) == 0 {
            return Value::Of(match self.pick(7) {
                0 => Source::Input(self.pick(INPUTS)),
                1 | 2 if self.locals > 0 => Source::Local(self.pick(self.locals)),
                3 => Source::Register(self.pick(REGISTERS)),
                4 => Source::Delay(self.pick(DELAYS)),
                5 => Source::Lane(self.pick(LANES)),
                6 => Source::Memory,
                _ => Source::Number(self.number()),
            });
        }
        let op = match self.pick(5) {
            0 => VerilogOp::BitAnd,
            1 => VerilogOp::BitOr,
            2 => VerilogOp::BitXor,
            3 => VerilogOp::Add,
            _ => VerilogOp::Sub,
        };
        Value::Two(
            Box::new(self.value(depth - 1)),
            op,
            Box::new(self.value(depth - 1)),
        )
    }

    fn test(&mut self) -> Test {
        match self.pick(3) {
            0 => Test::Any(self.value(1)),
            1 => Test::Equal(self.value(1), self.value(1)),
            _ => Test::Less(self.value(1), self.value(1)),
        }
    }

    fn steps(&mut self, count: usize, depth: usize) -> Vec<Step> {
        (0..count).map(|_| self.step(depth)).collect()
    }

    fn step(&mut self, depth: usize) -> Step {
        if depth > 0 && self.pick(3) == 0 {
            let (then, otherwise) = (1 + self.pick(3), self.pick(3));
            return Step::If(
                self.test(),
                self.steps(then, depth - 1),
                self.steps(otherwise, depth - 1),
            );
        }
        let target = match self.pick(8) {
            0..=2 => Target::Local(self.pick(LOCALS)),
            3 => Target::Output(self.pick(OUTPUTS)),
            4 | 5 => Target::Register(self.pick(REGISTERS)),
            6 => Target::Delay(self.pick(DELAYS)),
            _ => Target::Lane(self.pick(LANES)),
        };
        Step::Assign(target, self.value(2))
    }

    pub fn program(&mut self) -> Vec<Step> {
        let mut steps = Vec::new();
        for n in 0..LOCALS {
            steps.push(Step::Assign(Target::Local(n), self.value(2)));
            self.locals = n + 1;
        }
        let registers = (0..REGISTERS).map(Target::Register);
        let registers = registers.chain((0..DELAYS).map(Target::Delay));
        for target in registers {
            let step = Step::Assign(target, self.value(2));
            steps.push(Step::If(self.test(), vec![step], Vec::new()));
        }
        let driven = (0..OUTPUTS).map(Target::Output);
        let driven = driven.chain((0..LANES).map(Target::Lane));
        for target in driven.chain([Target::Memory]) {
            steps.push(Step::Assign(target, self.value(3)));
        }
        let more = self.pick(24);
        steps.extend(self.steps(more, 2));
        steps
    }
}
