//! The traits behind [`macro@circuit`]: parts with automatic wiring, signals with a run-time width, and constants.
//! CONTRIBUTING has an example.

use rust_hdl::prelude::ast::{VerilogExpression, VerilogStatement};
use rust_hdl::prelude::*;

pub use hpp_hdl_macros::{bundle, circuit, kernel, memory};

use crate::register::{Delay, Register};
use crate::value::Value;

/// A part of a circuit. The circuit drives its clock and reset.
pub trait Part: Block {
    /// Drives clock, reset and default values, before the kernel runs.
    fn drive(&mut self, clk: Clock, rst: Bit);

    /// The same as statements of the kernel's syntax tree, where the part is called `name`.
    fn wiring(&self, name: &str, out: &mut Vec<VerilogStatement>);

    /// Asserts the widths of a part without a clock.
    fn check(&self) {}
}

impl<P: Part> Part for Vec<P> {
    fn drive(&mut self, clk: Clock, rst: Bit) {
        self.iter_mut().for_each(|part| part.drive(clk, rst));
    }

    fn wiring(&self, name: &str, out: &mut Vec<VerilogStatement>) {
        for (index, part) in self.iter().enumerate() {
            part.wiring(&format!("{name}${index}"), out);
        }
    }

    fn check(&self) {
        self.iter().for_each(Part::check);
    }
}

/// Makes a memory a part: its only input that the circuit drives is the clock.
macro_rules! memory_part {
    ($memory:ty $(where $($generic:tt)+)?) => {
        impl $(<$($generic)+>)? $crate::circuit::Part for $memory {
            fn drive(&mut self, clk: Clock, _rst: Bit) {
                self.clk.next = clk;
            }

            fn wiring(&self, name: &str, out: &mut Vec<ast::VerilogStatement>) {
                out.push($crate::circuit::wire(name, "clk", "clk"));
            }
        }
    };
}
pub(crate) use memory_part;

/// `part.port = signal`
#[must_use]
pub fn wire(part: &str, port: &str, signal: &str) -> VerilogStatement {
    assignment(&format!("{part}${port}"), signal)
}

/// Connects a port or a bundle of a part to a signal of the circuit around it.
pub trait Connect<To> {
    /// Drives an input of the part, or is driven by an output.
    fn connect(&mut self, to: &mut To);

    /// The same as statements of the kernel's syntax tree, with the names of both.
    fn written(&self, to: &To, port: &str, signal: &str, out: &mut Vec<VerilogStatement>);
}

/// An assignment as a kernel writes it, also for a port that is called `next`.
fn assignment(to: &str, from: &str) -> VerilogStatement {
    VerilogStatement::Assignment(
        VerilogExpression::Signal(format!("{to}$next")),
        VerilogExpression::Signal(from.replace("$next", "$r#next")),
    )
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

impl<To, P: Connect<To>> Connect<Vec<To>> for Vec<P> {
    fn connect(&mut self, to: &mut Vec<To>) {
        for (port, to) in self.iter_mut().zip(to) {
            port.connect(to);
        }
    }

    fn written(&self, to: &Vec<To>, port: &str, signal: &str, out: &mut Vec<VerilogStatement>) {
        for (index, (own, to)) in self.iter().zip(to).enumerate() {
            let [port, signal] = [port, signal].map(|name| format!("{name}${index}"));
            own.written(to, &port, &signal, out);
        }
    }
}

/// A bundle whose other end has its own type.
pub trait Mirrored {
    /// The same ports with the opposite directions.
    type Mirror;
}

/// A bundle that can be connected by wires inside a circuit.
pub trait Wired {
    /// The wires.
    type Wires;
}

/// Signals of a circuit: a single one, a vector or a bundle.
pub trait Wires {
    /// Appends the widths.
    fn widths(&self, out: &mut Vec<u32>);

    /// Removes the widths from the iterator and asserts that the values fit. `place` names the signal in the message.
    fn check(&self, place: &str, widths: &mut std::slice::Iter<u32>);

    /// Drives an input with the low bits of `value`. `rest` is the part of the name that is not matched yet. Returns
    /// `false` if there is no such input; elements of a vector have no names.
    fn drive(&mut self, _rest: &str, _value: u64) -> bool {
        false
    }

    /// The value of a signal; `None` if there is no such signal.
    fn sample(&self, _rest: &str) -> Option<u64> {
        None
    }
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
        // After the circuit has settled, the driven value is the value read.
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
}

/// A number that converts to a constant of type `T`.
pub trait Number<T> {
    /// The constant.
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

/// A Rust constant that a kernel names: a number, the word address of a register, or the lowest bit of a field.
pub trait Named: Copy {
    /// The type of its value in the simulation.
    type Literal;

    /// Its value in the simulation.
    fn literal(self) -> Self::Literal;

    /// Its expression in a syntax tree, under `name`.
    fn tree(self, name: &str) -> VerilogExpression;
}

/// A signal called `const NAME 5`, which the Verilog writer declares as a `localparam`; without a name a number.
fn numbered(name: &str, value: u64) -> VerilogExpression {
    match name {
        "" => VerilogExpression::Literal(value.into()),
        name => VerilogExpression::Signal(format!("const {name} {value}")),
    }
}

macro_rules! named {
    ($($ty:ty: $value:expr),*) => {
        $(impl Named for $ty {
            type Literal = u64;

            fn literal(self) -> u64 {
                u64::try_from($value(self)).expect("a constant is not negative")
            }

            fn tree(self, name: &str) -> VerilogExpression {
                numbered(name, self.literal())
            }
        })*
    };
}

named!(
    i32: |it| it, u8: |it| it, u32: |it| it, u64: |it| it, usize: |it| it,
    hpp_golden::registers::Register: |it: Self| it.word(), hpp_golden::registers::Field: |it: Self| it.lsb
);

impl Named for bool {
    type Literal = Self;

    fn literal(self) -> Self {
        self
    }

    fn tree(self, _: &str) -> VerilogExpression {
        VerilogExpression::Literal(self.into())
    }
}

/// A constant in the simulation of a kernel.
pub fn named<N: Named>(number: N) -> N::Literal {
    number.literal()
}

/// A constant in the syntax tree of a kernel.
pub fn constant<N: Named>(name: &str, number: N) -> VerilogExpression {
    number.tree(name)
}

/// A constant as a pattern in the syntax tree of a kernel.
pub fn pattern<N: Named<Literal = u64>>(name: &str, number: N) -> String {
    format!("const {name} {}", number.literal())
}

/// What a kernel reads: a signal, a constant, or a register, which is its output.
pub trait Read {
    /// Its value.
    type Value: Synth;

    /// Reads it.
    fn read(&self) -> Self::Value;
}

macro_rules! read {
    ($($signal:ident $(<$direction:ident>)? $bound:ident $($output:ident)?),*) => {
        $(impl<T: $bound> Read for $signal<$($direction,)? T> {
            type Value = T;

            fn read(&self) -> T {
                self$(.$output)?.val()
            }
        })*
    };
}

read!(
    Signal<In> Synth,
    Signal<Out> Synth,
    Signal<Local> Synth,
    Constant Synth,
    Register Value q,
    Delay Value q
);

/// Reads a signal.
pub fn read<R: Read>(signal: &R) -> R::Value {
    signal.read()
}

/// Reads a port of a part that may be absent: then it is 0.
pub fn read_optional<P, R: Read>(part: &Option<P>, port: impl Fn(&P) -> &R) -> R::Value {
    part.as_ref()
        .map_or_else(R::Value::default, |part| port(part).read())
}

/// A port of an absent part in the syntax tree of a kernel.
pub fn zero<P, R: Read>(_: &Option<P>, _: impl Fn(&P) -> &R) -> VerilogExpression {
    VerilogExpression::Cast(
        Box::new(VerilogExpression::Literal(0_u64.into())),
        R::Value::BITS,
    )
}

/// A circuit as a probe visits it: its kernel, after its wiring.
pub struct Node {
    code: Verilog,
}

impl Node {
    /// Puts the comment and the wiring in front of a kernel.
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
