//! Signals that are read in passing, while a kernel still computes them: parts of sums with them are no wires. And choices between two bits.

use crate::icarus::Vectors;
use crate::spelling::{binary, gives, number, signal, text, top_bit, when};
use hpp_gen::verilog::emit;
use num_bigint::BigUint;
use rust_hdl::prelude::ast::{
    VerilogBlockOrConditional, VerilogExpression, VerilogOp, VerilogStatement,
};
use rust_hdl::prelude::*;

/// `(x op b)[low +: width]`.
fn part(op: VerilogOp, low: u64, width: usize) -> VerilogExpression {
    let whole = binary(signal("x"), op, signal("b"));
    VerilogExpression::Slice(Box::new(whole), width, Box::new(number(low)))
}

fn becomes(value: VerilogExpression) -> VerilogStatement {
    VerilogStatement::Assignment(signal("x$next"), value)
}

fn kernel() -> Vec<VerilogStatement> {
    let five = binary(part(VerilogOp::Add, 2, 3), VerilogOp::Eq, number(5));
    let otherwise = when(
        five,
        becomes(part(VerilogOp::BitXor, 1, 6)),
        VerilogBlockOrConditional::Block(vec![becomes(part(VerilogOp::Add, 0, 7))]),
    );
    let low_bit = VerilogExpression::Index(Box::new(signal("x")), Box::new(number(0)));
    vec![
        gives("a"),
        when(
            top_bit("b"),
            becomes(binary(signal("x"), VerilogOp::Add, signal("b"))),
            VerilogBlockOrConditional::Conditional(Box::new(otherwise)),
        ),
        when(
            low_bit,
            becomes(part(VerilogOp::Add, 3, 4)),
            VerilogBlockOrConditional::None,
        ),
    ]
}

/// What the kernel says.
fn computed(a: u8, b: u8) -> u8 {
    let mut x = a;
    if b >> 7 == 1 {
        x = x.wrapping_add(b);
    } else if (x.wrapping_add(b) >> 2) & 7 == 5 {
        x = ((x ^ b) >> 1) & 0x3f;
    } else {
        x = x.wrapping_add(b) & 0x7f;
    }
    if x & 1 == 1 {
        x = (x.wrapping_add(b) >> 3) & 0xf;
    }
    x
}

#[test]
fn parts_of_what_is_read_in_passing_are_of_its_value_there() {
    let values = |step| (0..=255u8).step_by(step);
    let pairs = values(11).flat_map(|a| values(9).map(move |b| (a, b)));
    let port = |name: &str| (name.to_string(), 8);
    let vectors = Vectors {
        inputs: vec![port("a"), port("b")],
        outputs: vec![port("x")],
        values: pairs
            .map(|(a, b)| {
                let given = [a, b].map(BigUint::from).to_vec();
                (given, vec![BigUint::from(computed(a, b))])
            })
            .collect(),
    };
    let text = text(kernel());
    crate::tools::lint(&text, "top");
    assert_eq!(vectors.differences(&text, "top"), "", "{text}");
}

/// An output for each two of 0, 1 and two inputs, one of which a third input chooses.
#[derive(LogicBlock)]
struct Choices {
    pub a: Signal<In, Bit>,
    pub b: Signal<In, Bit>,
    pub chooses: Signal<In, Bit>,
    pub x: Vec<Signal<Out, Bit>>,
}

/// The values of one bit: what a kernel calls them, and what they are.
fn bits(a: bool, b: bool) -> [(VerilogExpression, bool); 4] {
    let number = |value: bool| (VerilogExpression::Literal(value.into()), value);
    [
        number(false),
        number(true),
        (signal("a"), a),
        (signal("b"), b),
    ]
}

impl Logic for Choices {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        let of = |n: usize| bits(false, false)[n].0.clone();
        let statements = (0..16).flat_map(|n| {
            let becomes =
                |value| VerilogStatement::Assignment(signal(&format!("x[{n}]$next")), value);
            let otherwise = VerilogBlockOrConditional::Block(vec![becomes(of(n % 4))]);
            [when(signal("chooses"), becomes(of(n / 4)), otherwise)]
        });
        Verilog::Combinatorial(statements.collect())
    }
}

#[test]
fn a_choice_between_two_bits_is_the_one_chosen() {
    let circuit = made!(Choices {
        a, b, chooses;
        x: (0..16).map(|_| Signal::default()).collect(),
    });
    let written = emit(&circuit, "top").unwrap_or_else(|error| panic!("{error}"));
    let values = (0..8u32).map(|given| {
        let [a, b, chooses] = [0, 1, 2].map(|bit| given >> bit & 1 == 1);
        let chosen = |n: usize| bits(a, b)[if chooses { n / 4 } else { n % 4 }].1;
        let of = |bit: bool| BigUint::from(u8::from(bit));
        let expected = (0..16).map(|n| of(chosen(n))).collect();
        ([a, b, chooses].map(of).to_vec(), expected)
    });
    let port = |name: String| (name, 1);
    let vectors = Vectors {
        inputs: ["a", "b", "chooses"].map(|name| port(name.into())).to_vec(),
        outputs: (0..16).map(|n| port(format!("x_{n}"))).collect(),
        values: values.collect(),
    };
    assert_eq!(vectors.differences(&written.text, "top"), "");
}
