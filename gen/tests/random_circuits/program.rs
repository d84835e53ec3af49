//! The programs of random circuits: what they are made of, their syntax trees, and how they are made.

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rust_hdl::prelude::ast::{
    VerilogBlockOrConditional, VerilogCase, VerilogConditional, VerilogExpression, VerilogMatch,
    VerilogOp, VerilogOpUnary, VerilogStatement,
};

pub const INPUTS: usize = 3;
pub const LOCALS: usize = 4;
pub const OUTPUTS: usize = 4;
pub const REGISTERS: usize = 3;
pub const DELAYS: usize = 2;

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
    /// So many bits from the lowest on.
    Part(Box<Value>, Field),
}

/// Bits of a word.
#[derive(Clone, Copy)]
pub struct Field {
    pub low: usize,
    pub width: usize,
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
    /// Some bits of a signal.
    Put(Target, Field, Value),
    If(Test, Vec<Step>, Vec<Step>),
    /// What is done if the value is 0, if it is 1, and so on; and otherwise.
    Match(Value, Vec<Vec<Step>>, Vec<Step>),
}

pub fn signal(name: String) -> VerilogExpression {
    VerilogExpression::Signal(name)
}

/// A signal that is assigned.
fn next(target: &Target) -> VerilogExpression {
    signal(match target {
        Target::Local(n) => format!("locals[{n}]$next"),
        Target::Output(n) => format!("outputs[{n}]$next"),
        Target::Register(n) => format!("registers[{n}]$d$next"),
        Target::Delay(n) => format!("delays[{n}]$d$next"),
        Target::Lane(n) => format!("lanes[{n}]$a$next"),
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
            VerilogStatement::Assignment(next(target), expression(value))
        }
        Step::Put(target, field, value) => VerilogStatement::SliceAssignment {
            base: next(target),
            width: field.width,
            offset: VerilogExpression::Literal(field.low.into()),
            replacement: expression(value),
        },
        Step::Match(value, arms, default) => VerilogStatement::Match(VerilogMatch {
            test: expression(value),
            cases: cases(arms, default),
        }),
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
        Value::Part(a, Field { low, width }) => {
            let low = VerilogExpression::Literal((*low).into());
            let slice = VerilogExpression::Slice(Box::new(expression(a)), *width, Box::new(low));
            VerilogExpression::Cast(Box::new(slice), 16)
        }
    }
}

/// Programs: everything that must be driven is, before it is read.
pub struct Generator {
    random: ChaCha8Rng,
    /// Locals that can be read.
    locals: usize,
    /// Several, which have a module; or one, which is written where it stands.
    pub lanes: usize,
}

impl Generator {
    pub fn new(mut random: ChaCha8Rng) -> Self {
        let lanes = [1, 4][random.random_range(0..2)];
        Self {
            random,
            locals: 0,
            lanes,
        }
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
                5 => Source::Lane(self.pick(self.lanes)),
                6 => Source::Memory,
                _ => Source::Number(self.number()),
            });
        }
        let op = match self.pick(6) {
            0 => VerilogOp::BitAnd,
            1 => VerilogOp::BitOr,
            2 => VerilogOp::BitXor,
            3 => VerilogOp::Add,
            4 => VerilogOp::Sub,
            _ => return Value::Part(Box::new(self.value(depth - 1)), self.field()),
        };
        Value::Two(
            Box::new(self.value(depth - 1)),
            op,
            Box::new(self.value(depth - 1)),
        )
    }

    fn field(&mut self) -> Field {
        let low = self.pick(16);
        let width = 1 + self.pick(16 - low);
        Field { low, width }
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
            let (then, otherwise) = (self.pick(4), self.pick(3));
            return Step::If(
                self.test(),
                self.steps(then, depth - 1),
                self.steps(otherwise, depth - 1),
            );
        }
        if depth > 0 && self.pick(4) == 0 {
            let low = self.pick(15);
            let test = Value::Part(Box::new(self.value(1)), Field { low, width: 2 });
            let (arms, default) = (1 + self.pick(3), self.pick(3));
            let arms = (0..arms).map(|_| self.steps(1, depth - 1)).collect();
            return Step::Match(test, arms, self.steps(default, depth - 1));
        }
        if self.pick(4) == 0 {
            let target = match self.pick(2) {
                0 => Target::Local(self.pick(LOCALS)),
                _ => Target::Output(self.pick(OUTPUTS)),
            };
            return Step::Put(target, self.field(), self.value(2));
        }
        let target = match self.pick(8) {
            0..=2 => Target::Local(self.pick(LOCALS)),
            3 => Target::Output(self.pick(OUTPUTS)),
            4 | 5 => Target::Register(self.pick(REGISTERS)),
            6 => Target::Delay(self.pick(DELAYS)),
            _ => Target::Lane(self.pick(self.lanes)),
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
            // Of an input: what is never assigned, because its test is never met, is an error.
            let test = Test::Any(Value::Of(Source::Input(self.pick(INPUTS))));
            let step = Step::Assign(target, self.value(2));
            steps.push(Step::If(test, vec![step], Vec::new()));
        }
        let driven = (0..OUTPUTS).map(Target::Output);
        let driven = driven.chain((0..self.lanes).map(Target::Lane));
        for target in driven.chain([Target::Memory]) {
            steps.push(Step::Assign(target, self.value(3)));
        }
        // Registers that are assigned once are chosen in a line.
        let more = [0, self.pick(24)][self.pick(2)];
        steps.extend(self.steps(more, 2));
        steps
    }
}
