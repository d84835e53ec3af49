//! A circuit that only connects others is written in the circuit around it.

use crate::icarus::Vectors;
use crate::tools::lint;
use hpp_gen::verilog::emit;
use hpp_hdl::circuit::{circuit, kernel};
use hpp_hdl::register::Register;
use hpp_hdl::sim::Simulator;
use num_bigint::BigUint;
use rust_hdl::prelude::*;

/// A sum, three cycles later: more than is written in place.
#[circuit()]
struct Adder {
    /// A number.
    pub a: Signal<In, Bits<8>>,
    /// Another.
    pub next: Signal<In, Bits<8>>,
    /// Their sum.
    pub sum: Signal<Out, Bits<8>>,

    one: Register<Bits<8>>,
    two: Register<Bits<8>>,
    #[connect(q = sum)]
    three: Register<Bits<8>>,
}

#[kernel]
impl Adder {
    /// The sum.
    fn sum(&mut self) {
        self.one.d.next = self.a + self.r#next;
        self.two.d.next = self.one;
        self.three.d.next = self.two;
    }
}

/// Two sums, and something small that is computed for the second.
#[circuit()]
struct Pair {
    /// A number.
    pub x: Signal<In, Bits<8>>,
    /// Another.
    pub y: Signal<In, Bits<8>>,
    /// The second sum.
    pub total: Signal<Out, Bits<8>>,

    #[connect(a = x, next = y)]
    first: Adder,
    #[connect(a = first.sum, sum = total)]
    second: Adder,
}

#[kernel]
impl Pair {
    /// What the second adds.
    fn second(&mut self) {
        self.second.r#next.next = self.x ^ (self.y << 1);
    }
}

/// Pairs in a pair, beside an adder that is called as one in them.
#[circuit()]
struct Around {
    /// A number.
    pub x: Signal<In, Bits<8>>,
    /// Another.
    pub y: Signal<In, Bits<8>>,
    /// The sum of all.
    pub total: Signal<Out, Bits<8>>,

    #[connect(x, y)]
    pair: Pair,
    #[connect(x = pair.total, y = x)]
    other: Pair,
    #[connect(a = pair.total, next = other.total, sum = total)]
    first: Adder,
}

#[kernel]
impl Around {}

#[test]
fn wiring_is_no_module_and_means_what_it_did() {
    let written = emit(&Around::new(), "top").expect("can be written");
    assert_eq!(written.modules, ["top", "top_adder"]);
    let names = ["first", "second", "first_of_pair", "first_of_other"];
    for name in names {
        let instance = format!(" top_adder {name} (");
        assert!(written.text.contains(&instance), "{}", written.text);
    }
    lint(&written.text, "top");

    let mut model = Simulator::new(Around::new());
    model.reset();
    let mut values = Vec::new();
    let mut row = |inputs: [u64; 4], total: u64| {
        values.push((inputs.map(BigUint::from).to_vec(), vec![total.into()]));
    };
    row([1, 1, 0, 0], 0);
    for step in 0..200_u64 {
        let (x, y) = (step * 37 % 256, step * 91 / 4 % 256);
        model.set("x", x);
        model.set("y", y);
        model.settle();
        row([0, 0, x, y], model.get("total"));
        model.tick();
        row([1, 0, x, y], model.get("total"));
    }
    let port = |(name, width): &(&str, usize)| (name.to_string(), *width);
    let inputs = [("clk", 1), ("rst", 1), ("x", 8), ("y", 8)];
    let vectors = Vectors {
        inputs: inputs.iter().map(port).collect(),
        outputs: vec![port(&("total", 8))],
        values,
    };
    assert_eq!(
        vectors.differences(&written.text, "top"),
        "",
        "{}",
        written.text
    );
}
