//! What a circuit declared with [`macro@circuit`] stands on: parts that are wired by themselves, signals of known width, numbers.
//!
//! ```
//! use hpp_hdl::circuit::{circuit, memory};
//! use hpp_hdl::ram::SameEdge;
//! use hpp_hdl::register::Register;
//! use hpp_hdl::sim::Simulator;
//! use rust_hdl::prelude::*;
//!
//! /// The last samples.
//! #[memory(address_bits: u32, bits: u32, depth = 1 << address_bits, same_edge = SameEdge::New)]
//! pub struct Samples {
//!     /// A sample.
//!     #[bits(bits)]
//!     sample: Bits<16>,
//!     /// It was marked.
//!     mark: Bit,
//! }
//!
//! /// Delays a stream by as many samples as the memory has cells.
//! #[circuit(address_bits: u32, bits: u32)]
//! pub struct DelayLine {
//!     /// A sample comes in, and the oldest leaves.
//!     pub take: Signal<In, Bit>,
//!     /// The sample.
//!     #[bits(bits)]
//!     pub fresh: Signal<In, Bits<16>>,
//!     /// The oldest sample, if it was marked; else 0.
//!     #[bits(bits)]
//!     pub oldest: Signal<Out, Bits<16>>,
//!
//!     #[new(address_bits, bits)]
//!     samples: Samples,
//!     #[bits(address_bits)]
//!     place: Register<Bits<8>>,
//!     #[reset(true)]
//!     odd: Register<Bit>,
//! }
//!
//! impl Logic for DelayLine {
//!     #[hdl_gen]
//!     fn update(&mut self) {
//!         if self.take.val() {
//!             self.place.d.next = self.place.q.val() + 1;
//!             self.odd.d.next = !self.odd.q.val();
//!         }
//!         self.samples.read_address.next = bit_cast::<16, 8>(self.place.d.val());
//!         self.samples.write_address.next = bit_cast::<16, 8>(self.place.q.val());
//!         self.samples.write_enable.next = self.take.val();
//!         self.samples.write_sample.next = self.fresh.val();
//!         self.samples.write_mark.next = self.odd.q.val();
//!         self.oldest.next = 0.into();
//!         if self.samples.mark.val() {
//!             self.oldest.next = self.samples.sample.val();
//!         }
//!     }
//! }
//!
//! let mut line = Simulator::new(DelayLine::new(2, 12));
//! line.reset();
//! line.set("take", 1);
//! let mut seen = Vec::new();
//! for sample in 1..9 {
//!     line.set("fresh", sample);
//!     line.settle();
//!     seen.push(line.get("oldest"));
//!     line.tick();
//! }
//! assert_eq!(seen, [0, 0, 0, 0, 1, 0, 3, 0]);
//! ```

use rust_hdl::prelude::ast::{VerilogExpression, VerilogStatement};
use rust_hdl::prelude::*;

pub use hpp_hdl_macros::{bundle, circuit, memory};

use crate::value::Value;

/// A circuit inside another, which gets its clock and reset without a word in the kernel.
pub trait Part: Block {
    /// Drives clock, reset and whatever has a value by default, before the kernel runs.
    fn drive(&mut self, clk: Clock, rst: Bit);

    /// The same in a kernel's syntax tree; `name` is that of the part.
    fn wiring(&self, name: &str, out: &mut Vec<VerilogStatement>);

    /// Asserts the widths of a part that has no clock to do so at.
    fn check(&self) {}
}

impl<P: Part> Part for Vec<P> {
    fn drive(&mut self, clk: Clock, rst: Bit) {
        self.iter_mut().for_each(|part| part.drive(clk, rst));
    }

    fn wiring(&self, name: &str, out: &mut Vec<VerilogStatement>) {
        for (index, part) in self.iter().enumerate() {
            part.wiring(&format!("{name}[{index}]"), out);
        }
    }

    fn check(&self) {
        self.iter().for_each(Part::check);
    }
}

/// `part.port = signal`
#[must_use]
pub fn wire(part: &str, port: &str, signal: &str) -> VerilogStatement {
    assignment(&format!("{part}${port}"), signal)
}

/// A port of a part, or a bundle of ports, and what it is connected to in the circuit around the part.
pub trait Connect<To> {
    /// An input takes what it is connected to, an output drives it.
    fn connect(&mut self, to: &mut To);

    /// The same in a kernel's syntax tree; `port` and `signal` are the names of the two.
    fn written(&self, to: &To, port: &str, signal: &str, out: &mut Vec<VerilogStatement>);
}

fn assignment(to: &str, from: &str) -> VerilogStatement {
    let signal = |name: &str| VerilogExpression::Signal(name.to_string());
    VerilogStatement::Assignment(signal(to), signal(from))
}

macro_rules! connect_to {
    ($($to:ident),*) => {
        $(
            impl<T: Synth> Connect<Signal<$to, T>> for Signal<In, T> {
                fn connect(&mut self, to: &mut Signal<$to, T>) {
                    self.next = to.val();
                }

                fn written(&self, _: &Signal<$to, T>, port: &str, signal: &str, out: &mut Vec<VerilogStatement>) {
                    out.push(assignment(port, signal));
                }
            }

            impl<T: Synth> Connect<Signal<$to, T>> for Signal<Out, T> {
                fn connect(&mut self, to: &mut Signal<$to, T>) {
                    to.next = self.val();
                }

                fn written(&self, _: &Signal<$to, T>, port: &str, signal: &str, out: &mut Vec<VerilogStatement>) {
                    out.push(assignment(signal, port));
                }
            }
        )*
    };
}

connect_to!(In, Out, Local);

/// A bundle with another end.
pub trait Mirrored {
    /// The same ports with every direction turned round.
    type Mirror;
}

/// A bundle that wires inside a circuit may connect.
pub trait Wired {
    /// The wires.
    type Wires;
}

/// Signals of a circuit: one, a vector or a bundle.
pub trait Wires {
    /// Appends the widths.
    fn widths(&self, out: &mut Vec<u32>);

    /// Takes the widths off and asserts that the values fit. `place` names the signal.
    fn check(&self, place: &str, widths: &mut std::slice::Iter<u32>);

    /// Drives an input with the low bits of a value; `rest` is what the name has after that of the signals. `false` if there is none.
    fn drive(&mut self, rest: &str, value: u64) -> bool;

    /// Reads a signal.
    fn sample(&self, rest: &str) -> Option<u64>;
}

impl<D: Direction, T: Value> Wires for Signal<D, T> {
    fn widths(&self, out: &mut Vec<u32>) {
        out.push(crate::annotate::width(self));
    }

    fn check(&self, place: &str, widths: &mut std::slice::Iter<u32>) {
        let width = *widths.next().expect("as many widths as signals");
        let value = self.next;
        assert!(
            width == 0 || value.low(width) == value,
            "{place} is {:#x}, which {width} bits do not hold",
            value.word()
        );
    }

    fn drive(&mut self, rest: &str, value: u64) -> bool {
        let is_named = rest.is_empty() && D::KIND == AtomKind::InputParameter;
        if is_named {
            self.next = T::from_word(value).low(crate::annotate::width(self));
        }
        is_named
    }

    fn sample(&self, rest: &str) -> Option<u64> {
        // What is driven is what is read, once the circuit has settled.
        rest.is_empty().then(|| self.next.word())
    }
}

impl<W: Wires> Wires for Vec<W> {
    fn widths(&self, out: &mut Vec<u32>) {
        self.iter().for_each(|wires| wires.widths(out));
    }

    fn check(&self, place: &str, widths: &mut std::slice::Iter<u32>) {
        self.iter().for_each(|wires| wires.check(place, widths));
    }

    fn drive(&mut self, rest: &str, value: u64) -> bool {
        element(rest).and_then(|(index, rest)| Some(self.get_mut(index)?.drive(rest, value)))
            == Some(true)
    }

    fn sample(&self, rest: &str) -> Option<u64> {
        let (index, rest) = element(rest)?;
        self.get(index)?.sample(rest)
    }
}

/// `_3_rest` as 3 and `_rest`.
fn element(rest: &str) -> Option<(usize, &str)> {
    let rest = rest.strip_prefix('_')?;
    let (index, rest) = rest.split_at(rest.find('_').unwrap_or(rest.len()));
    Some((index.parse().ok()?, rest))
}

/// A number that makes a constant of type `T`.
pub trait Number<T> {
    /// The constant's value.
    fn constant(self) -> T;
}

macro_rules! number {
    ($($ty:ty),*) => {
        $(impl<T: Value> Number<T> for $ty {
            fn constant(self) -> T {
                let word = u64::try_from(self).expect("a constant is not negative");
                let value = T::from_word(word);
                assert!(value.word() == word, "{word:#x} does not fit {} bits", T::BITS);
                value
            }
        })*
    };
}

number!(bool, i32, u8, u32, u64, usize);

impl<const N: usize> Number<Self> for Bits<N> {
    fn constant(self) -> Self {
        self
    }
}

/// A circuit as a probe sees it: its kernel with the wiring in front.
pub struct Node {
    code: Verilog,
}

impl Node {
    /// Puts comment and wiring before a kernel.
    #[must_use]
    pub fn new(comment: &[&str], wiring: Vec<VerilogStatement>, kernel: Verilog) -> Self {
        let code = match kernel {
            Verilog::Combinatorial(kernel) => {
                let comment = comment
                    .iter()
                    .map(|line| VerilogStatement::Comment((*line).to_string()));
                Verilog::Combinatorial(comment.chain(wiring).chain(kernel).collect())
            }
            other => other,
        };
        Self { code }
    }
}

impl Logic for Node {
    fn update(&mut self) {}

    fn hdl(&self) -> Verilog {
        self.code.clone()
    }
}

impl Block for Node {
    fn connect_all(&mut self) {}

    fn update_all(&mut self) {}

    fn has_changed(&self) -> bool {
        false
    }

    fn accept(&self, _name: &str, _probe: &mut dyn Probe) {}
}
