//! Random expressions: what the writer writes, simulated by Verilator, against an evaluation of rust-hdl's meaning.
//!
//! A circuit here has no kernel but a syntax tree made at run time: sixty outputs, each a random expression over inputs of random
//! exact widths. `HPP_SEED` runs another circuit.

#[path = "writer/finder.rs"]
mod finder;
#[path = "writer/icarus.rs"]
mod icarus;
#[path = "writer/tools.rs"]
mod tools;

use hpp_gen::verilog::emit;
use num_bigint::BigUint;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rust_hdl::prelude::ast::{VerilogExpression, VerilogOp, VerilogOpUnary, VerilogStatement};
use rust_hdl::prelude::*;
use tools::lint;

/// Bits of the rust-hdl types that expressions have.
const TYPES: [usize; 7] = [1, 2, 3, 8, 33, 64, 100];
const INPUTS: usize = 8;
const OUTPUTS: usize = 60;

/// Inputs are declared 100 bits wide and annotated with less.
#[derive(LogicBlock)]
struct Circuit {
    inputs: Vec<Signal<In, Bits<100>>>,
    outputs: Vec<Signal<Out, Bits<100>>>,
    _code: Vec<VerilogStatement>,
}

impl Logic for Circuit {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        Verilog::Combinatorial(self._code.clone())
    }
}

fn signals<D: Direction>(widths: &[usize]) -> Vec<Signal<D, Bits<100>>> {
    let annotated = |width: &usize| {
        let mut signal = Signal::default();
        let constraint = Constraint::Custom(format!("width={width}"));
        signal.add_constraint(PinConstraint {
            index: 0,
            constraint,
        });
        signal
    };
    widths.iter().map(annotated).collect()
}

/// Computes an expression from the inputs.
type Value = Box<dyn Fn(&[BigUint]) -> BigUint>;

/// A random expression, and how to compute it.
struct Random {
    tree: VerilogExpression,
    value: Value,
}

fn ones(bits: usize) -> BigUint {
    (BigUint::from(1u32) << bits) - 1u32
}

/// Expressions of a given type, at most `depth` operators deep.
struct Generator {
    random: ChaCha8Rng,
    /// So many leaves in five are numbers.
    numbers: usize,
}

impl Generator {
    fn pick(&mut self, count: usize) -> usize {
        self.random.random_range(0..count)
    }

    fn expression(&mut self, ty: usize, depth: usize) -> Random {
        if depth == 0 {
            return self.leaf(ty);
        }
        match self.pick(14) {
            0..=2 => self.bitwise(ty, depth),
            3 | 4 => self.arithmetic(ty, depth),
            5 => self.not(ty, depth),
            6 | 7 => self.shift(ty, depth),
            8 | 9 => self.slice(ty, depth),
            10 => self.replace_bit(ty, depth),
            _ if ty == 1 => self.truth(depth),
            _ => self.cast(ty, depth),
        }
    }

    /// An input cut to the type, or a number of it.
    fn leaf(&mut self, ty: usize) -> Random {
        if self.pick(5) < self.numbers {
            return self.number(ty);
        }
        let index = self.pick(INPUTS);
        let signal = VerilogExpression::Signal(format!("inputs[{index}]"));
        Random {
            tree: VerilogExpression::Cast(Box::new(signal), ty),
            value: Box::new(move |inputs| &inputs[index] & ones(ty)),
        }
    }

    fn number(&mut self, ty: usize) -> Random {
        let number: u64 = self.random.random::<u64>() >> self.pick(64);
        let value = BigUint::from(number) & ones(ty);
        let literal = VerilogExpression::Literal(number.into());
        Random {
            tree: VerilogExpression::Cast(Box::new(literal), ty),
            value: Box::new(move |_| value.clone()),
        }
    }

    /// The right operand: an expression of the type or, as rust-hdl allows, a bare number.
    fn right(&mut self, ty: usize, depth: usize) -> Random {
        if ty == 1 || self.pick(4) > 0 {
            return self.expression(ty, depth);
        }
        let number = self.random.random::<u64>() >> (64 - ty.min(63)).max(1);
        let value = BigUint::from(number);
        Random {
            tree: VerilogExpression::Literal(number.into()),
            value: Box::new(move |_| value.clone()),
        }
    }

    fn bitwise(&mut self, ty: usize, depth: usize) -> Random {
        let (a, b) = (self.expression(ty, depth - 1), self.right(ty, depth - 1));
        let (x, y) = (a.value, b.value);
        let (op, value): (_, Value) = match self.pick(3) {
            0 => (VerilogOp::BitAnd, Box::new(move |i| x(i) & y(i))),
            1 => (VerilogOp::BitOr, Box::new(move |i| x(i) | y(i))),
            _ => (VerilogOp::BitXor, Box::new(move |i| x(i) ^ y(i))),
        };
        let tree = VerilogExpression::Binary(Box::new(a.tree), op, Box::new(b.tree));
        Random { tree, value }
    }

    fn arithmetic(&mut self, ty: usize, depth: usize) -> Random {
        let (a, b) = (self.expression(ty, depth - 1), self.right(ty, depth - 1));
        let (x, y) = (a.value, b.value);
        let (op, value): (_, Value) = match self.pick(3) {
            0 => (VerilogOp::Add, Box::new(move |i| (x(i) + y(i)) & ones(ty))),
            1 => (
                VerilogOp::Sub,
                Box::new(move |i| (x(i) + ones(ty) + 1u32 - y(i)) & ones(ty)),
            ),
            _ => (VerilogOp::Mul, Box::new(move |i| (x(i) * y(i)) & ones(ty))),
        };
        let tree = VerilogExpression::Binary(Box::new(a.tree), op, Box::new(b.tree));
        Random { tree, value }
    }

    fn not(&mut self, ty: usize, depth: usize) -> Random {
        let a = self.expression(ty, depth - 1);
        let x = a.value;
        Random {
            tree: VerilogExpression::Unary(VerilogOpUnary::Not, Box::new(a.tree)),
            value: Box::new(move |i| x(i) ^ ones(ty)),
        }
    }

    fn shift(&mut self, ty: usize, depth: usize) -> Random {
        let (a, left) = (self.expression(ty, depth - 1), self.pick(2) == 0);
        let amount = if self.pick(2) == 0 {
            self.expression(3, depth - 1)
        } else {
            self.number(8)
        };
        let (x, y) = (a.value, amount.value);
        let op = if left { VerilogOp::Shl } else { VerilogOp::Shr };
        let shift = move |i: &[BigUint]| {
            let amount = usize::try_from(y(i)).expect("a small amount");
            if left {
                (x(i) << amount) & ones(ty)
            } else {
                x(i) >> amount
            }
        };
        Random {
            tree: VerilogExpression::Binary(Box::new(a.tree), op, Box::new(amount.tree)),
            value: Box::new(shift),
        }
    }

    /// `get_bits` or `get_bit` of something wider, at a fixed or computed place.
    fn slice(&mut self, ty: usize, depth: usize) -> Random {
        let wide = TYPES[self.pick(TYPES.len())].max(ty);
        let a = self.expression(wide, depth - 1);
        let offset = if self.pick(2) == 0 {
            self.expression(3, depth - 1)
        } else {
            let value = self.pick(wide);
            Random {
                tree: VerilogExpression::Literal(value.into()),
                value: Box::new(move |_| BigUint::from(value)),
            }
        };
        let (x, y) = (a.value, offset.value);
        let (inner, at) = (Box::new(a.tree), Box::new(offset.tree));
        Random {
            tree: match ty {
                1 => VerilogExpression::Index(inner, at),
                _ => VerilogExpression::Slice(inner, ty, at),
            },
            value: Box::new(move |i| {
                (x(i) >> usize::try_from(y(i)).expect("a small place")) & ones(ty)
            }),
        }
    }

    fn replace_bit(&mut self, ty: usize, depth: usize) -> Random {
        if ty < 8 {
            return self.leaf(ty);
        }
        let (a, index) = (
            self.expression(ty, depth - 1),
            self.expression(3, depth - 1),
        );
        let bit = self.expression(1, depth - 1);
        let (x, y, z) = (a.value, index.value, bit.value);
        let replace = move |i: &[BigUint]| {
            let (mut word, at) = (x(i), u64::try_from(y(i)).expect("a small place"));
            word.set_bit(at, z(i).bit(0));
            word
        };
        Random {
            tree: VerilogExpression::IndexReplace(
                Box::new(a.tree),
                Box::new(index.tree),
                Box::new(bit.tree),
            ),
            value: Box::new(replace),
        }
    }

    fn cast(&mut self, ty: usize, depth: usize) -> Random {
        let from = TYPES[self.pick(TYPES.len())];
        let a = self.expression(from, depth - 1);
        let x = a.value;
        Random {
            tree: VerilogExpression::Cast(Box::new(a.tree), ty),
            value: Box::new(move |i| x(i) & ones(ty)),
        }
    }

    /// A comparison or a reduction.
    fn truth(&mut self, depth: usize) -> Random {
        let ty = TYPES[self.pick(TYPES.len())];
        let a = self.expression(ty, depth - 1);
        let x = a.value;
        if self.pick(2) == 0 {
            type Reduced = fn(&BigUint, usize) -> bool;
            let (op, reduced): (_, Reduced) = match self.pick(3) {
                0 => (VerilogOpUnary::Any, |word, _| word.bits() > 0),
                1 => (VerilogOpUnary::All, |word, ty| *word == ones(ty)),
                _ => (VerilogOpUnary::Xor, |word, _| word.count_ones() % 2 == 1),
            };
            return Random {
                tree: VerilogExpression::Unary(op, Box::new(a.tree)),
                value: Box::new(move |i| BigUint::from(u8::from(reduced(&x(i), ty)))),
            };
        }
        let b = self.right(ty, depth - 1);
        let y = b.value;
        type Holds = fn(&BigUint, &BigUint) -> bool;
        let (op, holds): (_, Holds) = match self.pick(6) {
            0 => (VerilogOp::Eq, |a, b| a == b),
            1 => (VerilogOp::Ne, |a, b| a != b),
            2 => (VerilogOp::Lt, |a, b| a < b),
            3 => (VerilogOp::Le, |a, b| a <= b),
            4 => (VerilogOp::Gt, |a, b| a > b),
            _ => (VerilogOp::Ge, |a, b| a >= b),
        };
        Random {
            tree: VerilogExpression::Binary(Box::new(a.tree), op, Box::new(b.tree)),
            value: Box::new(move |i| BigUint::from(u8::from(holds(&x(i), &y(i))))),
        }
    }
}

/// The bits of `value` as Verilator's words.
fn words(value: &BigUint, bits: usize) -> Vec<u32> {
    let mut words = value.to_u32_digits();
    words.resize(bits.div_ceil(32), 0);
    words
}

fn set(model: &mut verilated::Model, name: &str, value: &BigUint, bits: usize) {
    let port = model.input(name).expect("an input of the circuit");
    if bits <= 64 {
        model.set(port, u64::try_from(value).expect("fits its width"));
    } else {
        model.set_words(port, &words(value, bits));
    }
}

fn get(model: &verilated::Model, name: &str, bits: usize) -> BigUint {
    let port = model.output(name).expect("an output of the circuit");
    if bits <= 64 {
        BigUint::from(model.get(port))
    } else {
        BigUint::from_slice(model.words(port))
    }
}

/// A circuit of random expressions.
struct Expressions {
    seed: u64,
    generator: Generator,
    inputs: Vec<usize>,
    outputs: Vec<usize>,
    expressions: Vec<Random>,
    text: String,
}

impl Expressions {
    fn new(seed: u64, numbers: usize) -> Self {
        let seed = std::env::var("HPP_SEED")
            .ok()
            .and_then(|text| text.parse().ok())
            .unwrap_or(seed);
        eprintln!("HPP_SEED={seed}");
        let mut generator = Generator {
            random: ChaCha8Rng::seed_from_u64(seed),
            numbers,
        };
        let inputs: Vec<usize> = (0..INPUTS).map(|_| 1 + generator.pick(100)).collect();
        let outputs: Vec<usize> = (0..OUTPUTS).map(|_| 1 + generator.pick(100)).collect();
        let expressions: Vec<Random> = (0..OUTPUTS)
            .map(|n| {
                let ty = TYPES[n % TYPES.len()];
                generator.expression(ty, 1 + n / 12)
            })
            .collect();
        let assign = |(index, random): (usize, &Random)| {
            let target = VerilogExpression::Signal(format!("outputs[{index}]$next"));
            VerilogStatement::Assignment(target, random.tree.clone())
        };
        let circuit = Circuit {
            inputs: signals(&inputs),
            outputs: signals(&outputs),
            _code: expressions.iter().enumerate().map(assign).collect(),
        };
        let text = emit(&circuit, "random").expect("can be written").text;
        Self {
            seed,
            generator,
            inputs,
            outputs,
            expressions,
            text,
        }
    }

    /// Values for the inputs.
    fn values(&mut self) -> Vec<BigUint> {
        let generator = &mut self.generator;
        let value = |&bits: &usize| {
            let low: u128 = generator.random.random::<u128>() >> generator.pick(128);
            BigUint::from(low) & ones(bits)
        };
        self.inputs.iter().map(value).collect()
    }

    /// What the outputs are then.
    fn expected(&self, values: &[BigUint]) -> Vec<BigUint> {
        let all = self.expressions.iter().zip(&self.outputs);
        all.map(|(random, &bits)| (random.value)(values) & ones(bits))
            .collect()
    }
}

fn agrees(seed: u64) {
    let mut random = Expressions::new(seed, 1);
    let (seed, text) = (random.seed, random.text.clone());
    lint(&text, "random");
    let builder = verilated::Builder::new("random").source_text("random.v", text.as_str());
    let mut model = builder
        .build()
        .and_then(|design| design.model())
        .expect("Verilator builds the circuit");
    for _ in 0..200 {
        let values = random.values();
        for (index, (value, &bits)) in values.iter().zip(&random.inputs).enumerate() {
            set(&mut model, &format!("inputs_{index}"), value, bits);
        }
        model.eval().expect("nothing is asserted");
        let all = random.expected(&values).into_iter().zip(&random.outputs);
        for (index, (expected, &bits)) in all.enumerate() {
            let seen = get(&model, &format!("outputs_{index}"), bits);
            assert_eq!(
                seen, expected,
                "HPP_SEED={seed}: outputs_{index} of {values:?} in\n{text}"
            );
        }
    }
}

/// Fewer values, but of more circuits: Icarus has nothing to compile.
fn agrees_under_icarus(seeds: std::ops::Range<u64>, numbers: usize) {
    for seed in seeds {
        let mut random = Expressions::new(seed, numbers);
        let named = |what: &str, widths: &[usize]| {
            let widths = widths.iter().enumerate();
            widths
                .map(|(index, &width)| (format!("{what}_{index}"), width))
                .collect()
        };
        let values = (0..16).map(|_| {
            let values = random.values();
            let expected = random.expected(&values);
            (values, expected)
        });
        let values = values.collect();
        let vectors = icarus::Vectors {
            inputs: named("inputs", &random.inputs),
            outputs: named("outputs", &random.outputs),
            values,
        };
        let differences = vectors.differences(&random.text, "random");
        let text = &random.text;
        assert_eq!(differences, "", "HPP_SEED={}\n{text}", random.seed);
    }
}

/// What can be computed when writing is computed.
#[test]
fn expressions_of_numbers_have_their_values() {
    agrees_under_icarus(20..24, 4);
    let random = Expressions::new(30, 5);
    let outputs = random.expected(&vec![BigUint::ZERO; INPUTS]);
    for (index, (value, bits)) in outputs.iter().zip(&random.outputs).enumerate() {
        let begins = format!("  assign outputs_{index} = {bits}'");
        let mut lines = random.text.lines();
        let found = lines.find(|line| line.starts_with(&begins));
        let line = found.unwrap_or_else(|| panic!("outputs_{index}:\n{}", random.text));
        let literal = line[begins.len()..].trim_end_matches(';');
        let (radix, digits) = literal.split_at(1);
        let radix = match radix {
            "h" => 16,
            "d" => 10,
            _ => 2,
        };
        let said = BigUint::parse_bytes(digits.as_bytes(), radix);
        assert_eq!(said.as_ref(), Some(value), "{line}");
    }
}

#[test]
fn expressions_of_seeds_10_to_12_mean_what_rust_hdl_means() {
    agrees_under_icarus(10..13, 1);
}

#[test]
fn expressions_of_seeds_13_to_15_mean_what_rust_hdl_means() {
    agrees_under_icarus(13..16, 1);
}

#[test]
fn expressions_of_seed_1_mean_what_rust_hdl_means() {
    agrees(1);
}

#[test]
fn expressions_of_seed_2_mean_what_rust_hdl_means() {
    agrees(2);
}

#[test]
fn expressions_of_seed_3_mean_what_rust_hdl_means() {
    agrees(3);
}
