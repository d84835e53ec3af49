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
        of_field(quote! { a: Adder }),
        "a part needs `#[new(...)]` (`a`)"
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

#[test]
fn a_kernel_holds_documented_functions_of_the_circuit() {
    let message = |item: TokenStream| {
        let item = syn::parse2(item).expect("the test's block is one");
        crate::kernel::expand(item)
            .expect_err("this was accepted")
            .to_string()
    };
    assert_eq!(
        message(quote! { impl Logic for X { /** Sums. */ fn sum(&mut self) {} } }),
        "a kernel is an `impl` of the circuit itself: leave the trait out"
    );
    assert_eq!(
        message(quote! { impl X { const A: u32 = 1; } }),
        "a kernel holds functions alone"
    );
    for part in [
        quote! { /** Sums. */ fn sum(&self) {} },
        quote! { /** Sums. */ fn sum(&mut self, a: u32) {} },
        quote! { /** Sums. */ fn sum(&mut self) -> u32 { 1 } },
        quote! { /** Sums. */ fn sum<T>(&mut self) {} },
    ] {
        assert_eq!(
            message(quote! { impl X { #part } }),
            "a part of a kernel is `fn name(&mut self)`, without a result"
        );
    }
    assert_eq!(
        message(quote! { impl X { fn sum(&mut self) {} } }),
        "a part of a kernel needs a doc comment that says what it computes"
    );
}
