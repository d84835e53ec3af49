//! A bundle of ports: struct, constructor, `LogicInterface`, access by name.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Error, GenericArgument, Ident, ItemStruct, PathArguments, Result, Type, parse_quote};

use crate::field::{Declaration, Kind, fields};
use crate::header::Header;

/// The whole expansion.
pub fn expand(tokens: TokenStream, item: ItemStruct) -> Result<TokenStream> {
    let header = Header::parse(tokens, &[], &["mirror"])?;
    let Ok(mirror) = header.setting("mirror") else {
        return one(&header, &item, None);
    };
    let mirror: Ident = syn::parse2(quote! { #mirror })?;
    let mut turned = item.clone();
    let doc = format!("The other end of [`{}`].", item.ident);
    turned.attrs = vec![parse_quote! { #[doc = #doc] }];
    turned.ident = mirror.clone();
    turned
        .fields
        .iter_mut()
        .for_each(|field| turn(&mut field.ty));
    let ends = [
        one(&header, &item, Some(&mirror))?,
        one(&header, &turned, Some(&item.ident))?,
    ];
    Ok(ends.into_iter().collect())
}

/// Turns the direction of a signal's type round.
fn turn(ty: &mut Type) {
    if let Type::Path(path) = ty
        && let Some(last) = path.path.segments.last_mut()
        && let PathArguments::AngleBracketed(arguments) = &mut last.arguments
        && let Some(GenericArgument::Type(direction)) = arguments.args.first_mut()
    {
        let is_input = quote! { #direction }.to_string() == "In";
        *direction = if is_input {
            parse_quote! { Out }
        } else {
            parse_quote! { In }
        };
    }
}

/// One end.
fn one(header: &Header, item: &ItemStruct, other: Option<&Ident>) -> Result<TokenStream> {
    let fields = fields(item)?
        .into_iter()
        .map(Declaration::parse)
        .collect::<Result<Vec<_>>>()?;
    if let Some(other) = fields.iter().find(|field| field.kind != Kind::Port) {
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
    let join = other.map(|other| {
        quote! {
            /// Connects the two ends.
            pub fn join(&mut self, other: &mut #other) {
                #(self.#names.join(&mut other.#names);)*
            }
        }
    });
    Ok(quote! {
        #(#attrs)*
        #[derive(::rust_hdl::prelude::LogicInterface)]
        #vis struct #ident { #(#declarations),* }

        impl #ident {
            /// Makes the ports.
            #[must_use]
            pub fn new(#(#parameters: #types),*) -> Self {
                #(let #shared = #shares;)*
                Self { #(#names: #values),* }
            }

            #join
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
