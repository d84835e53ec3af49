//! The message for each mistake.

use proc_macro2::TokenStream;
use quote::quote;

/// The message for a struct and the arguments of its attribute.
fn message(expansion: crate::Expansion, header: TokenStream, item: TokenStream) -> String {
    let item = syn::parse2(item).expect("the test's struct is one");
    match expansion(header, item) {
        Ok(_) => panic!("this was accepted"),
        Err(error) => error.to_string(),
    }
}

#[test]
fn a_field_has_what_its_role_wants() {
    let refused = "\
/** C. */ pub clk: Signal<In, Clock>              => `clk` is added by the attribute: leave it out
pub a: Signal<In, Bit>                            => `a` needs a doc comment: it is the port's comment in the Verilog
a: Signal<Local, Bit<3>>                          => `a` has a value that its type does not take
a: Delay<Bit, true>                               => `a` has a value that its type does not take
a: Constant<Bit>                                  => `a` is a constant: write `const name: T = value` in the attribute
_a: usize                                         => `_a` is a constant: write `const name: T = value` in the attribute
a: Vec<Register<Bit>>                             => `a` is a vector, which needs its length: `Vec<T, n>`
#[flat] a: Adder                                  => `a` is no bundle, which can be `#[flat]`
#[connect(b)] a: Signal<Local, Bit>               => `a` is no part or register, whose ports `#[connect]` connects
#[connect(b = c.{d})] a: Adder                    => a group stands alone: write `source.{a, b}`
a: Option<Adder>                                  => `a` may be absent, which needs a condition: `Option<T, c>`
/** A port. */ pub a: Option<Signal<In, Bit>, c>  => `a` is no part or register, and so no `Option`";
    for row in refused.lines() {
        let (field, wanted) = row.rsplit_once(" => ").expect("two columns");
        let field: TokenStream = field.parse().expect("a field");
        let item = quote! { /** A circuit. */ struct X { #field } };
        let said = message(crate::circuit::expand, quote! {}, item);
        assert_eq!(said, wanted, "{row}");
    }
}

#[test]
fn structs_and_arguments_are_what_their_attribute_wants() {
    let refused = "\
circuit |           | struct X {}                                      => the circuit needs a doc comment: it is the module's comment in the Verilog
circuit |           | /** A circuit. */ struct X(Register<Bit>);       => a struct with named fields is wanted
circuit | clockless | /** A circuit. */ struct X {}                    => `clockless` is not known here: write `name: Type` for an argument of the constructor, `let name = value` for a shared value, `combinational`, `resetless`
memory  | depth = 4, same_edge = SameEdge::Any | struct X { a: Bit }   => field `a` needs a doc comment: it is its ports' comment in the Verilog
memory  | same_edge = SameEdge::Any | /** A memory. */ struct X {}     => `depth = ...` is missing
bundle  |           | struct X { a: Register<Bit> }                    => a bundle holds ports alone (`a`)";
    for row in refused.lines() {
        let (given, wanted) = row.rsplit_once(" => ").expect("two columns");
        let mut given = given.split('|').map(str::trim);
        let mut next = || given.next().expect("three parts");
        let expansion = match next() {
            "circuit" => crate::circuit::expand,
            "memory" => crate::memory::expand,
            _ => crate::bundle::expand,
        };
        let [header, item] = [next(), next()].map(|text| text.parse().expect("tokens"));
        assert_eq!(message(expansion, header, item), wanted, "{row}");
    }
}

/// The message for a kernel.
fn of_kernel(item: TokenStream) -> String {
    let item = syn::parse2(item).expect("the test's block is one");
    crate::kernel::expand(item)
        .expect_err("this was accepted")
        .to_string()
}

#[test]
fn a_kernel_holds_documented_functions_of_the_circuit() {
    let form = "a function of a kernel is `fn name(&mut self)`, or `fn name(&self) -> Type` if it returns a value";
    for (kernel, wanted) in [
        (
            "impl Logic for X { /** Sums. */ fn sum(&mut self) {} }",
            "a kernel is an `impl` of the circuit itself: leave the trait out",
        ),
        (
            "impl X { const A: u32 = 1; }",
            "a kernel holds functions alone",
        ),
        (
            "impl X { fn sum(&mut self) {} }",
            "a function of a kernel needs a doc comment that says what it computes",
        ),
        ("impl X { /** Sums. */ fn sum(&self) {} }", form),
        ("impl X { /** Sums. */ fn sum(self) -> Bit { true } }", form),
        ("impl X { /** Sums. */ fn sum(&mut self, a: u32) {} }", form),
        (
            "impl X { /** Sums. */ fn sum(&mut self) -> u32 { 1 } }",
            form,
        ),
        ("impl X { /** Sums. */ fn sum<T>(&mut self) {} }", form),
    ] {
        assert_eq!(
            of_kernel(kernel.parse().expect("tokens")),
            wanted,
            "{kernel}"
        );
    }
}

#[test]
fn a_kernel_says_what_hardware_can_do() {
    let refused = "\
let x;                                               => a local value needs one: write `let name = value;`
let [a, b] = self.c;                                 => write `let name = value;`
let (a, b) = self.c;                                 => write `let name = value;`
let mut x = self.a;                                  => what changes has a type: write `let mut name: Type = value;`
let x = if self.a { 1 };                             => a chosen value needs `else`
let x = if self.a { 1 } else { self.b.next = 1; };   => the last expression of this block is to be its value
let x = self.f();                                    => this is no function of the kernel that returns a value
self.y.next = !self.f();                             => this method has no hardware: bind the value of a function with `let`
self.y = 1;                                          => write `self.signal.next = value`
self.y.next = self.a / 2;                            => this operator has no hardware
self.y.next = -self.a as u32;                        => this expression has no hardware
self.y.next = max(self.a);                           => a kernel calls `bit_cast::<TO, FROM>` and `bits::<N>` alone
if let Some(x) = self.x { }                          => write `if let Some(part) = &mut self.part`
match self.a { 0..3 => {} _ => {} }                  => a pattern is a constant, a number or `_`
self.y.next = other;                                 => this is no signal
for row in self.rows { }                             => write `for i in from..to`
for i in 0.. { }                                     => write `for i in from..to`
while self.a { }                                     => this is no statement of a kernel
const A: u32 = 1;                                    => a kernel has no items and no macros";
    for row in refused.lines() {
        let (statement, wanted) = row.rsplit_once(" => ").expect("two columns");
        let statement: syn::Stmt = syn::parse_str(statement).expect("a statement");
        let kernel = quote! { impl X { /** Sums. */ fn sum(&mut self) { #statement } } };
        assert_eq!(of_kernel(kernel), wanted.trim(), "{row}");
    }
}
