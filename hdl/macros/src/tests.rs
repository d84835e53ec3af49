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
    let memory = quote! { depth = 4, same_edge = SameEdge::Any };
    let of_circuit: crate::Expansion = crate::circuit::expand;
    for (expansion, header, item, wanted) in [
        (
            of_circuit,
            quote! {},
            quote! { struct X {} },
            "the circuit needs a doc comment: it is the module's comment in the Verilog",
        ),
        (
            of_circuit,
            quote! {},
            quote! { /** A circuit. */ struct X(Register<Bit>); },
            "a struct with named fields is wanted",
        ),
        (
            of_circuit,
            quote! { clockless },
            quote! { /** A circuit. */ struct X {} },
            "`clockless` is not known here: write `name: Type` for an argument of the constructor, `let name = value` for a shared value, `combinational`, `resetless`",
        ),
        (
            crate::memory::expand,
            memory,
            quote! { struct X { a: Bit } },
            "field `a` needs a doc comment: it is its ports' comment in the Verilog",
        ),
        (
            crate::memory::expand,
            quote! { same_edge = SameEdge::Any },
            quote! { /** A memory. */ struct X {} },
            "`depth = ...` is missing",
        ),
        (
            crate::bundle::expand,
            quote! {},
            quote! { struct X { a: Register<Bit> } },
            "a bundle holds ports alone (`a`)",
        ),
    ] {
        assert_eq!(message(expansion, header, item), wanted);
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
    assert_eq!(
        of_kernel(quote! { impl Logic for X { /** Sums. */ fn sum(&mut self) {} } }),
        "a kernel is an `impl` of the circuit itself: leave the trait out"
    );
    assert_eq!(
        of_kernel(quote! { impl X { const A: u32 = 1; } }),
        "a kernel holds functions alone"
    );
    for part in [
        quote! { /** Sums. */ fn sum(&self) {} },
        quote! { /** Sums. */ fn sum(self) -> Bit { true } },
        quote! { /** Sums. */ fn sum(&mut self, a: u32) {} },
        quote! { /** Sums. */ fn sum(&mut self) -> u32 { 1 } },
        quote! { /** Sums. */ fn sum<T>(&mut self) {} },
    ] {
        assert_eq!(
            of_kernel(quote! { impl X { #part } }),
            "a function of a kernel is `fn name(&mut self)`, or `fn name(&self) -> Type` if it returns a value"
        );
    }
    assert_eq!(
        of_kernel(quote! { impl X { fn sum(&mut self) {} } }),
        "a function of a kernel needs a doc comment that says what it computes"
    );
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
