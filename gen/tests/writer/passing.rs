//! Signals that are read in passing, while a kernel still computes them: parts of sums with them are no wires.

use crate::icarus::Vectors;
use crate::spelling::{binary, gives, number, signal, text, top_bit, when};
use num_bigint::BigUint;
use rust_hdl::prelude::ast::{
    VerilogBlockOrConditional, VerilogExpression, VerilogOp, VerilogStatement,
};

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
