//! The expansion of `bundle`: the bundle, its mirror and its wires, each with constructor, `Block`, access by name and
//! connections.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Error, Field, GenericArgument, Ident, ItemStruct, PathArguments, Result, Type, parse_quote,
};

use crate::field::{Declaration, Kind, fields};
use crate::header::Header;

/// The whole expansion.
pub fn expand(tokens: TokenStream, mut item: ItemStruct) -> Result<TokenStream> {
    let header = Header::parse(tokens, &[], &["mirror", "wires", "present"])?;
    if let Ok(there) = header.setting("present") {
        let fields = item.fields.iter_mut();
        fields.for_each(|field| field.attrs.push(parse_quote! { #[present(#there)] }));
    }
    let other = |setting| match header.setting(setting) {
        Ok(name) => syn::parse2(quote! { #name }).map(Some),
        Err(_) => Ok(None),
    };
    let (mirror, wires): (Option<Ident>, Option<Ident>) = (other("mirror")?, other("wires")?);
    let ident = &item.ident;
    let ends: Vec<&Ident> = std::iter::once(ident).chain(&mirror).collect();
    let names: Vec<_> = item.fields.iter().map(|field| &field.ident).collect();
    let interface = quote! { #[derive(::rust_hdl::prelude::LogicInterface)] };
    let mut out = one(&header, &item, &interface)?;
    if let Some(mirror) = &mirror {
        let doc = format!("The other end of [`{ident}`].");
        let turned = changed(&item, mirror, &doc, turn);
        out.extend(one(&header, &turned, &interface)?);
        out.extend(quote! {
            impl ::hpp_hdl::circuit::Mirrored for #ident { type Mirror = #mirror; }
            impl ::hpp_hdl::circuit::Mirrored for #mirror { type Mirror = #ident; }
        });
    }
    if let Some(wires) = &wires {
        let doc = format!("Wires inside a circuit that connect a [`{ident}`].");
        out.extend(one(
            &header,
            &changed(&item, wires, &doc, inside),
            &TokenStream::new(),
        )?);
        out.extend(block(wires, &names));
        out.extend(
            quote! { #(impl ::hpp_hdl::circuit::Wired for #ends { type Wires = #wires; })* },
        );
    }
    for end in &ends {
        for to in ends.iter().copied().chain(&wires) {
            out.extend(connection(end, to, &names));
        }
    }
    Ok(out)
}

/// Copies a bundle under another name, with `change` applied to each field.
fn changed(item: &ItemStruct, ident: &Ident, doc: &str, change: fn(&mut Field)) -> ItemStruct {
    let mut item = item.clone();
    item.attrs = vec![parse_quote! { #[doc = #doc] }];
    item.ident = ident.clone();
    item.fields.iter_mut().for_each(change);
    item
}

/// The direction of a signal: the first argument of its type.
fn direction(ty: &mut Type) -> Option<&mut GenericArgument> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last_mut()?;
    match &mut last.arguments {
        PathArguments::AngleBracketed(arguments) => arguments.args.first_mut(),
        _ => None,
    }
}

/// Reverses the direction of a field.
fn turn(field: &mut Field) {
    match direction(&mut field.ty) {
        Some(direction) => {
            let is_input = quote! { #direction }.to_string() == "In";
            *direction = if is_input {
                parse_quote! { Out }
            } else {
                parse_quote! { In }
            };
        }
        None => {
            let ty = &field.ty;
            field.ty = parse_quote! { <#ty as ::hpp_hdl::circuit::Mirrored>::Mirror };
        }
    }
}

/// Turns a field into a wire.
fn inside(field: &mut Field) {
    match direction(&mut field.ty) {
        Some(direction) => *direction = parse_quote! { Local },
        None => {
            let ty = &field.ty;
            field.ty = parse_quote! { <#ty as ::hpp_hdl::circuit::Wired>::Wires };
        }
    }
}

/// The bundle, its mirror or its wires.
fn one(header: &Header, item: &ItemStruct, derive: &TokenStream) -> Result<TokenStream> {
    let fields = fields(item)?
        .into_iter()
        .map(Declaration::parse)
        .collect::<Result<Vec<_>>>()?;
    let allowed = [Kind::Port, Kind::Wire, Kind::Bundle];
    if let Some(other) = fields.iter().find(|field| !allowed.contains(&field.kind)) {
        return Err(Error::new(
            other.name.span(),
            format!("a bundle holds ports alone (`{}`)", other.name),
        ));
    }
    let (attrs, vis, ident) = (&item.attrs, &item.vis, &item.ident);
    let (parameters, types): (Vec<_>, Vec<_>) = header.parameters.iter().cloned().unzip();
    let (shared, shares): (Vec<_>, Vec<_>) = header.shared.iter().cloned().unzip();
    let names: Vec<_> = fields.iter().map(|field| &field.name).collect();
    let (declarations, values) = (
        fields.iter().map(Declaration::field),
        fields.iter().map(Declaration::value),
    );
    Ok(quote! {
        #(#attrs)*
        #derive
        #vis struct #ident { #(#declarations),* }

        impl #ident {
            /// Makes the ports.
            #[must_use]
            pub fn new(#(#parameters: #types),*) -> Self {
                #(let #shared = #shares;)*
                Self { #(#names: #values),* }
            }
        }

        impl ::hpp_hdl::circuit::Wires for #ident {
            fn widths(&self, out: &mut Vec<u32>) {
                #(::hpp_hdl::circuit::Wires::widths(&self.#names, out);)*
            }

            fn check(&self, place: &str, widths: &mut ::std::slice::Iter<u32>) {
                #(::hpp_hdl::circuit::Wires::check(&self.#names, place, widths);)*
            }

            fn drive(&mut self, rest: &str, value: u64) -> bool {
                let Some(rest) = rest.strip_prefix('_') else { return false };
                #(rest.strip_prefix(stringify!(#names)).is_some_and(|rest| ::hpp_hdl::circuit::Wires::drive(&mut self.#names, rest, value)))||*
            }

            fn sample(&self, rest: &str) -> Option<u64> {
                let rest = rest.strip_prefix('_')?;
                None #(.or_else(|| ::hpp_hdl::circuit::Wires::sample(&self.#names, rest.strip_prefix(stringify!(#names))?)))*
            }
        }
    })
}

/// `Block` for wires, which `LogicInterface` does not derive.
fn block(ident: &Ident, names: &[&Option<Ident>]) -> TokenStream {
    let texts = names
        .iter()
        .map(|name| name.as_ref().map(ToString::to_string));
    quote! {
        impl ::rust_hdl::prelude::Logic for #ident {
            fn update(&mut self) {}
        }

        impl ::rust_hdl::prelude::Block for #ident {
            fn connect_all(&mut self) {
                #(self.#names.connect_all();)*
            }

            fn update_all(&mut self) {
                #(self.#names.update_all();)*
            }

            fn has_changed(&self) -> bool {
                false #(|| self.#names.has_changed())*
            }

            fn accept(&self, name: &str, probe: &mut dyn ::rust_hdl::prelude::Probe) {
                probe.visit_start_namespace(name, self);
                #(self.#names.accept(#texts, probe);)*
                probe.visit_end_namespace(name, self);
            }
        }
    }
}

/// Connects the ports of a bundle to those of another bundle, or to wires.
fn connection(end: &Ident, to: &Ident, names: &[&Option<Ident>]) -> TokenStream {
    let texts = names
        .iter()
        .map(|name| name.as_ref().map(ToString::to_string));
    let texts: Vec<_> = texts.collect();
    quote! {
        impl ::hpp_hdl::circuit::Connect<#to> for #end {
            fn connect(&mut self, to: &mut #to) {
                #(::hpp_hdl::circuit::Connect::connect(&mut self.#names, &mut to.#names);)*
            }

            fn written(
                &self,
                to: &#to,
                port: &str,
                signal: &str,
                out: &mut Vec<::rust_hdl::prelude::ast::VerilogStatement>,
            ) {
                #(::hpp_hdl::circuit::Connect::written(
                    &self.#names, &to.#names, &format!("{port}${}", #texts), &format!("{signal}${}", #texts), out,
                );)*
            }
        }
    }
}
