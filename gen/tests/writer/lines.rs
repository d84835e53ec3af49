//! What fits on a line: statements with their `if`, choices, connections of ports.

use crate::circuits;
use crate::spelling::{binary, gives, number, signal, text, when};
use hpp_gen::verilog::emit;
use rust_hdl::prelude::ast::{
    VerilogBlockOrConditional, VerilogExpression, VerilogOp, VerilogStatement,
};
use rust_hdl::prelude::*;
use std::collections::BTreeSet;

/// A circuit around a syntax tree, with names of several lengths: `a`, `inputs_0` and `inputs_10`.
#[derive(LogicBlock)]
struct Named {
    inputs: Vec<Signal<In, Bits<8>>>,
    pub a: Signal<In, Bits<8>>,
    pub flag: Signal<In, Bit>,
    pub x: Signal<Out, Bits<8>>,
    _code: Vec<VerilogStatement>,
}

impl Logic for Named {
    fn update(&mut self) {}
    fn hdl(&self) -> Verilog {
        Verilog::Combinatorial(self._code.clone())
    }
}

/// `x[3:0] = inputs[0] ^ ...`: of so many terms some have a longer name; after them come short ones.
fn sum(terms: usize, longer: usize, short: usize) -> VerilogStatement {
    let term = |n: usize| match n {
        _ if n < longer => signal(&format!("inputs[{}]", 10 + n)),
        _ if n < terms => signal(&format!("inputs[{n}]")),
        _ => signal("a"),
    };
    let others = 1..terms + short;
    let sum = others.fold(term(0), |sum, n| binary(sum, VerilogOp::BitXor, term(n)));
    VerilogStatement::SliceAssignment {
        base: signal("x$next"),
        width: 4,
        offset: number(0),
        replacement: sum,
    }
}

/// A line has at most 96 characters.
#[test]
fn a_statement_is_on_the_line_of_its_if_where_it_fits() {
    let (mut lines, mut blocks) = (BTreeSet::new(), BTreeSet::new());
    let sums = (2..6).flat_map(|terms| (0..=terms).map(move |longer| (terms, longer)));
    for ((terms, longer), short) in sums.flat_map(|sum| (0..6).map(move |short| (sum, short))) {
        let then = sum(terms, longer, short);
        let code = vec![
            gives("inputs[0]"),
            when(signal("flag"), then, VerilogBlockOrConditional::None),
        ];
        let circuit = made!(Named {
            a, flag, x;
            inputs: (0..20).map(|_| Signal::default()).collect(),
            _code: code,
        });
        let text = emit(&circuit, "top").expect("can be written").text;
        let mut all = text.lines().map(str::trim);
        let head = all.find(|line| line.starts_with("if (flag)"));
        let head = head.unwrap_or_else(|| panic!("no condition:\n{text}"));
        match head.strip_suffix(" begin") {
            None => lines.insert(head.len()),
            Some(head) => {
                let statement = all.next().expect("a statement");
                blocks.insert(head.len() + 1 + statement.len())
            }
        };
    }
    assert_eq!(lines.last(), Some(&96));
    assert_eq!(blocks.first(), Some(&97));
}

/// `first + a + a + ...`.
fn sums(first: &str, operators: usize) -> VerilogExpression {
    (0..operators).fold(signal(first), |sum, _| {
        binary(sum, VerilogOp::Add, signal("a"))
    })
}

/// One that takes more than six operators is written as an `if`.
#[test]
fn a_choice_is_on_a_line_if_it_is_short() {
    let becomes = |value| VerilogStatement::Assignment(signal("x$next"), value);
    for (then, otherwise) in [(0, 0), (2, 2), (4, 1), (3, 2), (3, 3), (5, 1), (6, 0)] {
        let test = binary(signal("a"), VerilogOp::Lt, signal("b"));
        let otherwise_block = VerilogBlockOrConditional::Block(vec![becomes(sums("b", otherwise))]);
        let text = text(vec![when(test, becomes(sums("a", then)), otherwise_block)]);
        let is_short = 1 + then + otherwise <= 6;
        assert_eq!(text.contains("assign x = (a < b) ? "), is_short, "{text}");
        assert_eq!(text.contains("always @*"), !is_short, "{text}");
    }
}

/// Sub-circuits of which each is connected to another expression.
#[derive(LogicBlock)]
struct Connected {
    pub clk: Signal<In, Clock>,
    pub a: Signal<In, Bit>,
    pub b: Signal<In, Bit>,
    pub word: Signal<In, Bits<64>>,
    pub x: Signal<Out, Bits<64>>,
    plain: circuits::Register,
    inverted: circuits::Register,
    computed: circuits::Register,
}

impl Logic for Connected {
    #[hdl_gen]
    fn update(&mut self) {
        self.plain.rst.next = self.a.val();
        self.plain.d.next = self.word.val();
        self.inverted.rst.next = !self.a.val();
        self.inverted.d.next = !self.word.val();
        self.computed.rst.next = !(self.a.val() & self.b.val());
        self.computed.d.next = bit_cast::<64, 8>(self.word.val().get_bits::<8>(3));
        self.x.next = self.plain.q.val() ^ self.inverted.q.val() ^ self.computed.q.val();
    }
}

#[test]
fn a_port_is_connected_to_what_reads_well_and_else_to_a_wire() {
    let circuit = made!(Connected {
        clk, a, b, word, x;
        plain: circuits::Register::new(64),
        inverted: circuits::Register::new(64),
        computed: circuits::Register::new(64),
    });
    let text = emit(&circuit, "top").expect("can be written").text;
    crate::tools::lint(&text, "top");
    for line in [
        ".rst(a),",
        ".d(word),",
        ".rst(!a),",
        ".d(inverted_d),",
        ".rst(computed_rst),",
        ".d({56'd0, word[10:3]}),",
        "wire [63:0] inverted_d = ~word;",
        "wire computed_rst = !(a & b);",
    ] {
        let found = text.lines().filter(|found| found.trim() == line);
        assert_eq!(found.count(), 1, "{line}\n{text}");
    }
}
