//! Random expressions: what the writer writes, simulated by Icarus Verilog, against an evaluation of rust-hdl's meaning.
//!
//! A circuit here has no kernel but a syntax tree made at run time: sixty outputs, each a random expression over inputs of random
//! exact widths. `HPP_SEED` runs another circuit.

mod generator;
mod icarus;
#[path = "../writer/tools.rs"]
mod tools;

use generator::{Generator, Random, TYPES, ones};
use hpp_gen::verilog::emit;
use num_bigint::BigUint;
use rust_hdl::prelude::ast::{VerilogExpression, VerilogStatement};
use rust_hdl::prelude::*;
use tools::lint;

/// Random code may have `a < b - b`, which is a comparison with 0.
const WAIVED: &str = "// verilator lint_off UNSIGNED\n// verilator lint_off CMPCONST\n";

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

fn annotated<D: Direction>(widths: &[usize]) -> Vec<Signal<D, Bits<100>>> {
    let signal = |width: &usize| {
        let mut signal = Signal::default();
        let constraint = Constraint::Custom(format!("width={width}"));
        signal.add_constraint(PinConstraint {
            index: 0,
            constraint,
        });
        signal
    };
    widths.iter().map(signal).collect()
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
        let signals = (0..INPUTS).map(|n| format!("inputs${n}"));
        let (seed, mut generator) = Generator::new(seed, numbers, signals.collect());
        let inputs: Vec<usize> = (0..INPUTS).map(|_| 1 + generator.pick(100)).collect();
        let outputs: Vec<usize> = (0..OUTPUTS).map(|_| 1 + generator.pick(100)).collect();
        let expressions: Vec<Random> = (0..OUTPUTS)
            .map(|n| {
                let ty = TYPES[n % TYPES.len()];
                generator.expression(ty, 1 + n / 12)
            })
            .collect();
        let assign = |(index, random): (usize, &Random)| {
            let target = VerilogExpression::Signal(format!("outputs${index}$next"));
            VerilogStatement::Assignment(target, random.tree.clone())
        };
        let circuit = Circuit {
            inputs: annotated(&inputs),
            outputs: annotated(&outputs),
            _code: expressions.iter().enumerate().map(assign).collect(),
        };
        let written = emit(&circuit, "random").expect("can be written");
        let text = [WAIVED, &written.text].concat();
        Self {
            seed,
            generator,
            inputs,
            outputs,
            expressions,
            text,
        }
    }

    fn values(&mut self) -> Vec<BigUint> {
        let generator = &mut self.generator;
        let value = |&bits: &usize| generator.word() & ones(bits);
        self.inputs.iter().map(value).collect()
    }

    /// What the outputs are then.
    fn expected(&self, values: &[BigUint]) -> Vec<BigUint> {
        let all = self.expressions.iter().zip(&self.outputs);
        all.map(|(random, &bits)| (random.value)(values) & ones(bits))
            .collect()
    }
}

fn agree(seeds: std::ops::Range<u64>, numbers: usize) {
    for seed in seeds {
        let mut random = Expressions::new(seed, numbers);
        lint(&random.text, "random");
        let named = |what: &str, widths: &[usize]| {
            let widths = widths.iter().enumerate();
            widths
                .map(|(index, &width)| (format!("{what}_{index}"), width))
                .collect()
        };
        let values = (0..40).map(|_| {
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

/// Most of which can be computed when they are written.
#[test]
fn expressions_of_numbers_have_their_values() {
    agree(20..24, 4);
}

#[test]
fn expressions_of_seeds_10_to_12_mean_what_rust_hdl_means() {
    agree(10..13, 1);
}

#[test]
fn expressions_of_seeds_13_to_15_mean_what_rust_hdl_means() {
    agree(13..16, 1);
}
