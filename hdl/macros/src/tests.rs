//! The message for each mistake.

use proc_macro2::TokenStream;
use quote::quote;

/// The message for a struct and the arguments of its attribute.
fn message(expansion: crate::Expansion, header: TokenStream, item: TokenStream) -> String {
    let mut item = syn::parse2(item).expect("the test's struct is one");
    crate::field::spell_out(&mut item);
    match expansion(header, item) {
        Ok(_) => panic!("this was accepted"),
        Err(error) => error.to_string(),
    }
}

/// The message for a circuit with this field.
fn of_field(field: TokenStream) -> String {
    message(
        crate::circuit::expand,
        quote! {},
        quote! { /** A circuit. */ struct X { #field } },
    )
}

#[test]
fn clock_and_reset_are_not_declared() {
    assert_eq!(
        of_field(quote! { /** C. */ pub clk: Signal<In, Clock> }),
        "`clk` is added by the attribute: leave it out"
    );
}

#[test]
fn ports_and_circuits_are_documented() {
    assert_eq!(
        of_field(quote! { pub a: Signal<In, Bit> }),
        "port `a` needs a doc comment: it is the port's comment in the Verilog"
    );
    assert_eq!(
        message(crate::circuit::expand, quote! {}, quote! { struct X {} }),
        "the circuit needs a doc comment: it is the module's comment in the Verilog"
    );
    assert_eq!(
        message(
            crate::memory::expand,
            quote! { depth = 4, same_edge = SameEdge::Any },
            quote! { struct X { a: Bit } }
        ),
        "field `a` needs a doc comment: it is its ports' comment in the Verilog"
    );
}

#[test]
fn each_attribute_has_its_fields() {
    assert_eq!(
        of_field(quote! { #[reset(true)] a: Signal<Local, Bit> }),
        "`#[reset]` does not go with a wire (`a`)"
    );
    assert_eq!(
        of_field(quote! { #[number(1)] a: Register<Bit> }),
        "`#[number]` does not go with a register (`a`)"
    );
    assert_eq!(
        of_field(quote! { a: Constant<Bit> }),
        "a constant needs `#[number(...)]` (`a`)"
    );
    assert_eq!(
        of_field(quote! { _a: usize }),
        "a value needs `#[value(...)]` (`_a`)"
    );
    assert_eq!(
        of_field(quote! { #[bits] a: Register<Bit> }),
        "write `#[bits(...)]`"
    );
}

#[test]
fn vectors_say_how_many() {
    assert_eq!(
        of_field(quote! { a: Vec<Register<Bit>> }),
        "vector `a` needs `#[each(i in n)]`"
    );
    assert_eq!(
        of_field(quote! { #[each(i in 2)] a: Register<Bit> }),
        "`#[each(...)]` makes a vector: declare `a: Vec<...>`"
    );
    assert_eq!(
        of_field(quote! { #[each(2)] a: Vec<Register<Bit>> }),
        "write `#[each(i in n)]`"
    );
}

#[test]
fn arguments_are_known_ones() {
    assert_eq!(
        message(
            crate::circuit::expand,
            quote! { clockless },
            quote! { /** A circuit. */ struct X {} }
        ),
        "`clockless` is not known here: write `name: Type` for an argument of the constructor, `let name = value` for a shared value, `combinational`, `resetless`"
    );
    assert_eq!(
        message(
            crate::memory::expand,
            quote! { same_edge = SameEdge::Any },
            quote! { /** A memory. */ struct X {} }
        ),
        "`depth = ...` is missing"
    );
}

#[test]
fn bundles_hold_ports_alone() {
    assert_eq!(
        message(
            crate::bundle::expand,
            quote! {},
            quote! { struct X { a: Register<Bit> } }
        ),
        "a bundle holds ports alone (`a`)"
    );
}

#[test]
fn fields_have_names() {
    assert_eq!(
        message(
            crate::circuit::expand,
            quote! {},
            quote! { /** A circuit. */ struct X(Register<Bit>); }
        ),
        "a struct with named fields is wanted"
    );
}

#[test]
fn connections_name_ports_and_signals() {
    assert_eq!(
        of_field(quote! { #[connect(b)] a: Signal<Local, Bit> }),
        "`#[connect]` does not go with a wire (`a`)"
    );
    assert_eq!(
        of_field(quote! { #[new()] #[connect(b = c.{d})] a: Adder }),
        "a group stands alone: write `source.{a, b}`"
    );
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
    let refused = [
        (
            quote! { let x; },
            "a local value needs one: write `let name = value;`",
        ),
        (quote! { let [a, b] = self.c; }, "write `let name = value;`"),
        (quote! { let (a, b) = self.c; }, "write `let name = value;`"),
        (
            quote! { let mut x = self.a; },
            "what changes has a type: write `let mut name: Type = value;`",
        ),
        (
            quote! { let x = if self.a { 1 }; },
            "a chosen value needs `else`",
        ),
        (
            quote! { let x = if self.a { 1 } else { self.b.next = 1; }; },
            "the last expression of this block is to be its value",
        ),
        (
            quote! { let x = self.f(); },
            "this is no function of the kernel that returns a value",
        ),
        (
            quote! { self.y.next = !self.f(); },
            "this method has no hardware: bind the value of a function with `let`",
        ),
        (quote! { self.y = 1; }, "write `self.signal.next = value`"),
        (
            quote! { self.y.next = self.a / 2; },
            "this operator has no hardware",
        ),
        (
            quote! { self.y.next = -self.a as u32; },
            "this expression has no hardware",
        ),
        (
            quote! { self.y.next = max(self.a); },
            "a kernel calls `bit_cast::<TO, FROM>` and `bits::<N>` alone",
        ),
        (
            quote! { if let Some(x) = self.x { } },
            "write `if let Some(part) = &mut self.part`",
        ),
        (
            quote! { match self.a { 0..3 => {} _ => {} } },
            "a pattern is a variant, a constant, a number or `_`",
        ),
        (
            quote! { for row in self.rows { } },
            "write `for i in from..to`",
        ),
        (quote! { for i in 0.. { } }, "write `for i in from..to`"),
        (
            quote! { while self.a { } },
            "this is no statement of a kernel",
        ),
        (
            quote! { const A: u32 = 1; },
            "a kernel has no items and no macros",
        ),
    ];
    for (statement, wanted) in refused {
        let kernel = quote! { impl X { /** Sums. */ fn sum(&mut self) { #statement } } };
        assert_eq!(of_kernel(kernel), wanted, "{statement}");
    }
}

#[test]
fn what_may_be_absent_is_an_option() {
    assert_eq!(
        of_field(quote! { #[new()] a: Option<Adder> }),
        "what may be absent is an `Option` with `#[present(...)]` (`a`)"
    );
    assert_eq!(
        of_field(quote! { #[new()] #[present(true)] a: Adder }),
        "what may be absent is an `Option` with `#[present(...)]` (`a`)"
    );
    assert_eq!(
        of_field(quote! { /** A port. */ pub a: Option<Signal<In, Bit>> }),
        "a port is no `Option` (`a`)"
    );
}
