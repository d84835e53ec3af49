//! The arguments of `connect`: `enable, record = queue.record, registers.{lossy, purge}`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::token::{Brace, Bracket};
use syn::{Expr, Ident, Result, Token, braced, bracketed};

use crate::syntax::Name;

/// The index of an element in what is said of a vector.
pub fn index() -> Ident {
    Ident::new("i", proc_macro2::Span::call_site())
}

/// A step of a reference.
#[derive(Clone)]
enum Step {
    Name(Ident),
    Index(Expr),
}

/// A reference to a signal or bundle of a circuit: `ways[i].count`.
#[derive(Clone)]
struct Reference(Vec<Step>);

impl Reference {
    /// Parses steps up to the end of the reference. A final `.{` is consumed and reported.
    fn parse(input: ParseStream) -> Result<(Self, bool)> {
        let mut steps = vec![Step::Name(input.parse()?)];
        loop {
            if input.peek(Token![.]) {
                input.parse::<Token![.]>()?;
                if input.peek(Brace) {
                    return Ok((Self(steps), true));
                }
                steps.push(Step::Name(input.parse()?));
            } else if input.peek(Bracket) {
                let index;
                bracketed!(index in input);
                steps.push(Step::Index(index.parse()?));
            } else {
                return Ok((Self(steps), false));
            }
        }
    }

    /// The reference with one more step.
    fn then(&self, name: &Ident) -> Self {
        let last = std::iter::once(Step::Name(name.clone()));
        Self(self.0.iter().cloned().chain(last).collect())
    }

    /// The signal as a Rust place expression.
    fn place(&self) -> TokenStream {
        self.within(&quote! { self })
    }

    /// The signal as a place within another.
    fn within(&self, place: &TokenStream) -> TokenStream {
        let steps = self.0.iter().map(|step| match step {
            Step::Name(name) => quote! { .#name },
            Step::Index(index) => quote! { [#index] },
        });
        quote! { #place #(#steps)* }
    }

    /// The signal's name in a syntax tree.
    fn name(&self) -> Name {
        let mut steps = self.0.iter();
        let first = match steps.next() {
            Some(Step::Name(name)) => Name::of(name),
            _ => unreachable!("a reference begins with a name"),
        };
        steps.fold(first, |name, step| match step {
            Step::Name(member) => name.member(member),
            Step::Index(index) => name.element(index),
        })
    }
}

/// Pairs of a port of the part and the signal that it is connected to.
struct Connections(Vec<(Reference, Reference)>);

impl Parse for Connections {
    fn parse(input: ParseStream) -> Result<Self> {
        let (port, is_group) = Reference::parse(input)?;
        if is_group {
            let names;
            braced!(names in input);
            let names = Punctuated::<Ident, Token![,]>::parse_terminated(&names)?;
            let own = |name: &Ident| (Reference(vec![Step::Name(name.clone())]), port.then(name));
            return Ok(Self(names.iter().map(own).collect()));
        }
        if !input.peek(Token![=]) {
            return Ok(Self(vec![(port.clone(), port)]));
        }
        input.parse::<Token![=]>()?;
        match Reference::parse(input)? {
            (signal, false) => Ok(Self(vec![(port, signal)])),
            (_, true) => Err(input.error("a group stands alone: write `source.{a, b}`")),
        }
    }
}

/// The statements that connect the ports of `part`, for the simulation and for `wiring`, the kernel's syntax tree.
pub fn statements(
    part: &Ident,
    is_vector: bool,
    optional: bool,
    arguments: &TokenStream,
) -> Result<(TokenStream, TokenStream)> {
    let connections = Punctuated::<Connections, Token![,]>::parse_terminated;
    let connections = connections.parse2(arguments.clone())?;
    let mut prefix = vec![Step::Name(part.clone())];
    let index = index();
    if is_vector {
        prefix.push(Step::Index(syn::parse_quote! { #index }));
    }
    let (mut simulated, mut written) = (Vec::new(), Vec::new());
    for (port, signal) in connections.into_iter().flat_map(|group| group.0) {
        let inside = Reference(port.0.clone());
        let port = Reference(prefix.iter().cloned().chain(port.0).collect());
        let (from, to) = match optional {
            // `if let Some(part)` has bound the part, so a place inside it begins with `part`, not with `self`.
            true => (inside.within(&quote! { part }), signal.place()),
            false => (port.place(), signal.place()),
        };
        let (from_name, to_name) = (port.name(), signal.name());
        let there = |reference: TokenStream, statement: TokenStream| match optional {
            true => quote! { if let Some(part) = #reference self.#part { #statement } },
            false => statement,
        };
        simulated.push(there(
            quote! { &mut },
            quote! { ::hpp_hdl::circuit::Connect::connect(&mut #from, &mut #to); },
        ));
        written.push(there(quote! { & }, quote! {
            ::hpp_hdl::circuit::Connect::written(&#from, &#to, &#from_name, &#to_name, &mut wiring);
        }));
    }
    let each = |statements: Vec<TokenStream>| match is_vector {
        false => quote! { #(#statements)* },
        true => quote! { for #index in 0..self.#part.len() { #(#statements)* } },
    };
    Ok((each(simulated), each(written)))
}
