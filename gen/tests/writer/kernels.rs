//! What a kernel may say: local values, constants by name, and functions. Each means in the Verilog what it means in Rust.

use crate::icarus::Vectors;
use crate::tools::lint;
use hpp_gen::verilog::emit;
use hpp_hdl::circuit::{circuit, kernel};
use hpp_hdl::sim::Simulator;
use num_bigint::BigUint;
use rust_hdl::prelude::*;

/// What is added.
const STEP: u64 = 3;

/// A position.
const TOP: u32 = 3;

/// Addresses.
mod at {
    pub const LOW: u32 = 1;
    pub const HIGH: u32 = 9;
}

/// Two numbers and a condition, and what is made of them.
#[circuit(resetless)]
struct Language {
    /// A number.
    pub a: Signal<In, Bits<8, 4>>,
    /// Another.
    pub b: Signal<In, Bits<8, 4>>,
    /// A condition.
    pub c: Signal<In, Bit>,
    /// Local values in each place.
    pub places: Signal<Out, Bits<8>>,
    /// A chosen value.
    pub chosen: Signal<Out, Bits<8, 5>>,
    /// Values that are exchanged.
    pub exchanged: Signal<Out, Bits<8, 4>>,
    /// What changes.
    pub changed: Signal<Out, Bits<8>>,
    /// A decoded word.
    pub decoded: Signal<Out, Bits<8>>,
    /// A bit with a name.
    pub highest: Signal<Out, Bit>,
    /// Bits from one with a name.
    pub upper: Signal<Out, Bits<2>>,

    total: Signal<Local, Bits<8>>,
}

#[kernel]
impl Language {
    /// Local values under conditions, in loops and hidden by others.
    fn places(&mut self) {
        let (a, b) = (self.a, self.b);
        let sum = a + b;
        self.total.next = sum;
        if self.c {
            let more = sum + STEP;
            self.total.next = more;
            let seen = self.total ^ 1;
            self.total.next = seen;
            let sum = seen + sum;
            self.total.next = sum;
        }
        let wide: Bits<8> = !sum;
        for i in 0..2_usize {
            let bit = a.get_bit(i) ^ b.get_bit(i);
            if bit {
                let twice = self.total + wide;
                self.total.next = twice;
            }
        }
        self.places.next = self.total + sum;
    }

    /// The larger number, or their sum.
    fn larger(&self) -> Bits<8> {
        let sum = self.a + self.b;
        if self.a > self.b {
            self.a.val()
        } else if self.a == self.b {
            sum
        } else {
            self.b.val()
        }
    }

    /// Values of functions, and choices under conditions.
    fn chosen(&mut self) {
        let larger = self.larger();
        self.chosen.next = larger;
        if self.c {
            let other = if larger == STEP {
                0.into()
            } else {
                let less = larger - 1;
                less & 15
            };
            self.chosen.next = other;
        }
    }

    /// Both values are those before the statement.
    fn exchanged(&mut self) {
        let (x, y) = (self.a & 12, self.b ^ 5);
        let (x, y) = (y, x);
        self.exchanged.next = if self.c { x } else { y };
    }

    /// What changes, in loops and under conditions.
    fn changed(&mut self) {
        let mut sum: Bits<8> = 0.into();
        for i in 0..4_usize {
            if self.a.get_bit(i) {
                sum = sum + self.b;
            }
        }
        if self.c {
            let mut odd: Bits<8> = sum & 1;
            odd = odd + sum;
            sum = odd;
        }
        self.changed.next = sum;
    }

    /// Constants by name.
    fn decoded(&mut self) {
        self.decoded.next = match self.a {
            at::LOW => self.b.val(),
            at::HIGH | 10 => STEP.into(),
            _ => 200.into(),
        };
        self.highest.next = self.a.get_bit(TOP);
        self.upper.next = (self.a >> 0).get_bits::<2>(at::LOW);
    }
}

/// The same in Rust.
fn expected(a: u64, b: u64, c: bool) -> [u64; 7] {
    let sum = a + b;
    let mut total = sum;
    if c {
        total = ((sum + STEP) ^ 1) + sum;
    }
    for i in 0..2 {
        if (a >> i ^ b >> i) & 1 == 1 {
            total += !sum & 0xff;
        }
    }
    let larger = if a == b { a + b } else { a.max(b) };
    let chosen = match (c, larger) {
        (false, larger) => larger,
        (true, STEP) => 0,
        (true, larger) => larger.wrapping_sub(1) & 15,
    };
    let exchanged = if c { b ^ 5 } else { a & 12 };
    let product = u64::from(a.count_ones()) * b;
    let changed = if c { product + (product & 1) } else { product };
    let decoded = match a {
        1 => b,
        9 | 10 => STEP,
        _ => 200,
    };
    [
        (total + sum) & 0xff,
        chosen,
        exchanged,
        changed,
        decoded,
        a >> 3,
        a >> 1 & 3,
    ]
}

const INPUTS: [(&str, usize); 3] = [("a", 4), ("b", 4), ("c", 1)];
const OUTPUTS: [(&str, usize); 7] = [
    ("places", 8),
    ("chosen", 5),
    ("exchanged", 4),
    ("changed", 8),
    ("decoded", 8),
    ("highest", 1),
    ("upper", 2),
];

/// Every input, and what belongs to it.
fn all() -> impl Iterator<Item = ([u64; 3], [u64; 7])> {
    (0..512_u64).map(|input| {
        let (a, b, c) = (input & 15, input >> 4 & 15, input >> 8);
        ([a, b, c], expected(a, b, c == 1))
    })
}

#[test]
fn a_kernel_simulates_as_rust() {
    let mut circuit = Simulator::new(Language::new());
    for (inputs, outputs) in all() {
        for ((name, _), value) in INPUTS.iter().zip(inputs) {
            circuit.set(name, value);
        }
        circuit.settle();
        assert_eq!(
            OUTPUTS.map(|(name, _)| circuit.get(name)),
            outputs,
            "{inputs:?}"
        );
    }
}

#[test]
fn a_kernel_is_written_as_verilog_that_does_the_same() {
    let text = emit(&Language::new(), "top").expect("can be written").text;
    let ports = |ports: &[(&str, usize)]| {
        let named = ports.iter().map(|(name, width)| (name.to_string(), *width));
        [("clk".to_string(), 1)]
            .into_iter()
            .filter(|_| ports.len() == 3)
            .chain(named)
            .collect()
    };
    let numbers = |values: &[u64]| values.iter().map(|value| BigUint::from(*value)).collect();
    let vectors = Vectors {
        inputs: ports(&INPUTS),
        outputs: ports(&OUTPUTS),
        values: all()
            .map(|([a, b, c], outputs)| (numbers(&[0, a, b, c]), numbers(&outputs)))
            .collect(),
    };
    assert_eq!(vectors.differences(&text, "top"), "", "{text}");
    lint(&text, "top");
}
