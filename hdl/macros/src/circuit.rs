//! The expansion of `circuit`: struct, constructor, `Block` and access by name.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, Ident, ItemStruct, Result};

use crate::field::{Declaration, Kind, declarations, documentation};
use crate::header::Header;

pub fn expand(tokens: TokenStream, item: ItemStruct) -> Result<TokenStream> {
    let header = Header::parse(tokens, &["combinational", "resetless"], &[])?;
    let mut fields = declarations(&item)?;
    fields.extend(header.constants.iter().map(Declaration::constant));
    if documentation(&item.attrs).is_empty() {
        return Err(Error::new(
            item.ident.span(),
            "the circuit needs a doc comment: it is the module's comment in the Verilog",
        ));
    }
    let circuit = Circuit {
        clocked: !header.has("combinational"),
        reset: !header.has("combinational") && !header.has("resetless"),
        header,
        item,
        fields,
    };
    let parts = [
        circuit.declaration(),
        circuit.constructor(),
        circuit.block()?,
        circuit.part(),
        circuit.ports(),
    ];
    Ok(parts.into_iter().collect())
}

struct Circuit {
    header: Header,
    item: ItemStruct,
    fields: Vec<Declaration>,
    clocked: bool,
    reset: bool,
}

impl Circuit {
    fn of(&self, kinds: &[Kind]) -> Vec<&Ident> {
        self.fields
            .iter()
            .filter(|field| kinds.contains(&field.kind))
            .map(|field| &field.name)
            .collect()
    }

    /// A statement for each of these fields, made by `act`. That of an optional part takes effect if the part is
    /// present.
    fn each(
        &self,
        names: &[TokenStream],
        reference: &TokenStream,
        act: impl Fn(&TokenStream, &TokenStream) -> TokenStream,
    ) -> Vec<TokenStream> {
        let one = |name: &TokenStream| {
            let text = name.to_string();
            let mut optional = self.fields.iter().filter(|field| field.optional);
            if optional.any(|field| field.name == text) {
                let act = act(&quote! { part }, name);
                return quote! { if let Some(part) = #reference self.#name { #act } };
            }
            act(&quote! { (#reference self.#name) }, name)
        };
        names.iter().map(one).collect()
    }

    /// Clock and reset, if the circuit has them.
    fn implicit(&self) -> Vec<TokenStream> {
        let mut names = Vec::new();
        if self.clocked {
            names.push(quote! { clk });
        }
        if self.reset {
            names.push(quote! { rst });
        }
        names
    }

    /// The fields that rust-hdl visits, in the order of the struct.
    fn seen(&self) -> Vec<TokenStream> {
        let seen = self.fields.iter().filter(|field| field.kind != Kind::Value);
        let mut names = self.implicit();
        names.extend(seen.map(|Declaration { name, .. }| quote! { #name }));
        names
    }

    fn declaration(&self) -> TokenStream {
        let ItemStruct {
            attrs,
            vis,
            ident,
            generics,
            ..
        } = &self.item;
        let clk = self.clocked.then(|| quote! { /** Clock, rising edge. */ pub clk: ::rust_hdl::prelude::Signal<::rust_hdl::prelude::In, ::rust_hdl::prelude::Clock>, });
        let rst = self.reset.then(|| quote! { /** Synchronous reset, active high. */ pub rst: ::rust_hdl::prelude::Signal<::rust_hdl::prelude::In, ::rust_hdl::prelude::Bit>, });
        let fields = self.fields.iter().map(Declaration::field);
        quote! { #(#attrs)* #vis struct #ident #generics { #clk #rst #(#fields,)* _widths: Vec<u32> } }
    }

    fn constructor(&self) -> TokenStream {
        let ident = &self.item.ident;
        let (implementation, generics, _) = self.item.generics.split_for_impl();
        let (names, types): (Vec<_>, Vec<_>) = self.header.parameters.iter().cloned().unzip();
        let (shared, values): (Vec<_>, Vec<_>) = self.header.shared.iter().cloned().unzip();
        let clk = self.clocked.then(
            || quote! { clk: ::hpp_hdl::annotate::documented(Default::default(), "Clock, rising edge."), },
        );
        let rst = self.reset.then(|| quote! { rst: ::hpp_hdl::annotate::documented(Default::default(), "Synchronous reset, active high."), });
        let fields = self.fields.iter().map(|field| {
            let (name, value) = (&field.name, field.value());
            quote! { #name: #value }
        });
        let wires = self.of(&[Kind::Port, Kind::Wire, Kind::Bundle]);
        quote! {
            impl #implementation #ident #generics {
                /// Makes the circuit.
                #[must_use]
                pub fn new(#(#names: #types),*) -> Self {
                    #(let #shared = #values;)*
                    let mut circuit = Self { #clk #rst #(#fields,)* _widths: Vec::new() };
                    let mut widths = Vec::new();
                    #(::hpp_hdl::circuit::Wires::widths(&circuit.#wires, &mut widths);)*
                    circuit._widths = widths;
                    circuit
                }

                /// Asserts that every value fits its signal; what parts without a clock hold is asserted with it.
                fn check_widths(&self) {
                    let mut widths = self._widths.iter();
                    #(::hpp_hdl::circuit::Wires::check(&self.#wires, concat!(stringify!(#ident), ".", stringify!(#wires)), &mut widths);)*
                }
            }
        }
    }

    fn block(&self) -> Result<TokenStream> {
        let connections: Vec<_> = self.fields.iter().map(Declaration::connections).collect();
        let connections = connections.into_iter().collect::<Result<Vec<_>>>()?;
        let (simulated, written): (Vec<_>, Vec<_>) = connections.into_iter().flatten().unzip();
        let ident = &self.item.ident;
        let (implementation, generics, _) = self.item.generics.split_for_impl();
        let seen = self.seen();
        let parts = self.parts(&[Kind::Part, Kind::Register, Kind::Delay]);
        let (read, write) = (quote! { & }, quote! { &mut });
        let part = quote! { ::hpp_hdl::circuit::Part };
        let node = quote! { ::rust_hdl::prelude::Block };
        let drives = self.each(
            &parts,
            &write,
            |it, _| quote! { #part::drive(#it, clk, rst); },
        );
        let wirings = self.each(&parts, &read, |it, name| {
            quote! { #part::wiring(#it, stringify!(#name), &mut wiring); }
        });
        let connects = self.each(&seen, &write, |it, _| quote! { #node::connect_all(#it); });
        let updates = self.each(&seen, &write, |it, _| quote! { #node::update_all(#it); });
        let changes = self.each(&seen, &read, |it, _| {
            quote! { if #node::has_changed(#it) { return true; } }
        });
        let accepts = self.each(&seen, &read, |it, name| {
            let name = self.known_as(&name.to_string());
            quote! { #node::accept(#it, #name, probe); }
        });
        let checks = self.checks(&parts);
        let check = self
            .clocked
            .then(|| quote! { if self.clk.pos_edge() { #checks } });
        let (clk, rst) = (
            self.level("clk", self.clocked),
            self.level("rst", self.reset),
        );
        let comment = comment(&self.item);
        Ok(quote! {
            impl #implementation ::rust_hdl::prelude::Block for #ident #generics {
                fn connect_all(&mut self) {
                    ::rust_hdl::prelude::Logic::connect(self);
                    #(#connects)*
                }

                fn update_all(&mut self) {
                    #check
                    let (clk, rst): (::rust_hdl::prelude::Clock, ::rust_hdl::prelude::Bit) = (#clk, #rst);
                    let _ = (clk, rst);
                    #(#drives)*
                    #(#simulated)*
                    ::rust_hdl::prelude::Logic::update(self);
                    #(#updates)*
                }

                fn has_changed(&self) -> bool {
                    #(#changes)*
                    false
                }

                fn accept(&self, name: &str, probe: &mut dyn ::rust_hdl::prelude::Probe) {
                    let mut wiring = Vec::new();
                    #(#wirings)*
                    #(#written)*
                    let node = ::hpp_hdl::circuit::Node::new(&[#(#comment),*], wiring, ::rust_hdl::prelude::Logic::hdl(self));
                    probe.visit_start_scope(name, &node);
                    #(#accepts)*
                    probe.visit_end_scope(name, &node);
                }
            }
        })
    }

    fn parts(&self, kinds: &[Kind]) -> Vec<TokenStream> {
        self.of(kinds).iter().map(|name| quote! { #name }).collect()
    }

    /// The statements that check the widths of this circuit and of parts.
    fn checks(&self, parts: &[TokenStream]) -> TokenStream {
        let checks = self.each(parts, &quote! { & }, |it, _| {
            quote! { ::hpp_hdl::circuit::Part::check(#it); }
        });
        quote! { self.check_widths(); #(#checks)* }
    }

    /// The name under which the Verilog writer visits a field.
    fn known_as(&self, name: &str) -> String {
        let mut flat = self.fields.iter().filter(|field| field.is_flat);
        match flat.any(|field| field.name == name) {
            true => format!("~{name}"),
            false => name.to_string(),
        }
    }

    /// The level of clock or reset, or its default if the circuit has none.
    fn level(&self, name: &str, is_there: bool) -> TokenStream {
        let name = Ident::new(name, proc_macro2::Span::call_site());
        match is_there {
            true => quote! { self.#name.val() },
            false => quote! { Default::default() },
        }
    }

    /// How the circuit around this one drives it.
    fn part(&self) -> TokenStream {
        let ident = &self.item.ident;
        let (implementation, generics, _) = self.item.generics.split_for_impl();
        let inputs = self.implicit();
        let names = inputs.iter().map(ToString::to_string);
        let checks = self.checks(&self.parts(&[Kind::Part]));
        let check = (!self.clocked).then(|| quote! { fn check(&self) { #checks } });
        quote! {
            impl #implementation ::hpp_hdl::circuit::Part for #ident #generics {
                #[allow(unused_variables)]
                fn drive(&mut self, clk: ::rust_hdl::prelude::Clock, rst: ::rust_hdl::prelude::Bit) {
                    #(self.#inputs.next = #inputs;)*
                }

                #[allow(unused_variables)]
                fn wiring(&self, name: &str, out: &mut Vec<::rust_hdl::prelude::ast::VerilogStatement>) {
                    #(out.push(::hpp_hdl::circuit::wire(name, #names, #names));)*
                }

                #check
            }
        }
    }

    /// Access by name, for test benches.
    fn ports(&self) -> TokenStream {
        if !self.clocked {
            return TokenStream::new();
        }
        let ident = &self.item.ident;
        let (implementation, generics, _) = self.item.generics.split_for_impl();
        let rst = self
            .reset
            .then(|| Ident::new("rst", proc_macro2::Span::call_site()));
        let is_port = |field: &&Declaration| {
            matches!(field.kind, Kind::Port | Kind::Bundle) && !field.is_flat
        };
        let named = self.fields.iter().filter(is_port).map(|field| &field.name);
        let ports: Vec<_> = rst.iter().chain(named).collect();
        let flat = self.fields.iter().filter(|field| field.is_flat);
        let flat: Vec<_> = flat.map(|field| &field.name).collect();
        quote! {
            impl #implementation ::hpp_hdl::sim::Ports for #ident #generics {
                fn clock(&mut self) -> &mut ::rust_hdl::prelude::Signal<::rust_hdl::prelude::In, ::rust_hdl::prelude::Clock> {
                    &mut self.clk
                }

                fn drive(&mut self, port: &str, value: u64) -> bool {
                    #(port.strip_prefix(stringify!(#ports)).is_some_and(|rest| ::hpp_hdl::circuit::Wires::drive(&mut self.#ports, rest, value)))||*
                        #(|| ::hpp_hdl::circuit::Wires::drive(&mut self.#flat, &format!("_{port}"), value))*
                }

                fn sample(&self, port: &str) -> Option<u64> {
                    None #(.or_else(|| ::hpp_hdl::circuit::Wires::sample(&self.#ports, port.strip_prefix(stringify!(#ports))?)))*
                        #(.or_else(|| ::hpp_hdl::circuit::Wires::sample(&self.#flat, &format!("_{port}"))))*
                }
            }
        }
    }
}

/// `delay_line: Delays a stream by ...`: the first paragraph of a struct's documentation, after the name of the module.
pub fn comment(item: &ItemStruct) -> Vec<String> {
    let mut lines: Vec<String> = documentation(&item.attrs)
        .into_iter()
        .take_while(|line| !line.is_empty())
        .map(|line| line.replace(['`', '[', ']'], "").replace('"', "'"))
        .collect();
    if let Some(first) = lines.first_mut() {
        *first = format!("{}: {first}", snake(&item.ident.to_string()));
    }
    lines
}

/// `DelayLine` as `delay_line`.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_ascii_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.push(letter.to_ascii_lowercase());
    }
    out
}
