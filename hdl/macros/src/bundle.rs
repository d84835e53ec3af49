//! The expansion of `bundle`: the bundle, its mirror and its wires, each with constructor, `Block`, access by name and
//! connections.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{
    Attribute, Error, GenericArgument, Ident, ItemStruct, PathArguments, Result, Type, Visibility,
    parse_quote,
};

use crate::field::{Declaration, Kind, declarations};
use crate::header::Header;

pub fn expand(tokens: TokenStream, item: ItemStruct) -> Result<TokenStream> {
    let header = Header::parse(tokens, &[], &["mirror", "wires", "present"])?;
    let mut fields = declarations(&item)?;
    for Declaration {
        name,
        kind,
        instance,
        ..
    } in &mut fields
    {
        if ![Kind::Port, Kind::Bundle].contains(kind) {
            let text = format!("a bundle holds ports alone (`{name}`)");
            return Err(Error::new(name.span(), text));
        }
        if let Ok(there) = header.setting("present") {
            let own = instance.there.take().map(|own| quote! { && (#own) });
            instance.there = Some(quote! { (#there) #own });
        }
    }
    let other = |setting| match header.setting(setting) {
        Ok(name) => syn::parse2(quote! { #name }).map(Some),
        Err(_) => Ok(None),
    };
    let (mirror, wires): (Option<Ident>, Option<Ident>) = (other("mirror")?, other("wires")?);
    let ident = &item.ident;
    let ends: Vec<&Ident> = std::iter::once(ident).chain(&mirror).collect();
    let names: Vec<_> = fields.iter().map(|field| &field.name).collect();
    let texts: Vec<_> = names.iter().map(ToString::to_string).collect();
    let interface: Attribute = parse_quote! { #[derive(::rust_hdl::prelude::LogicInterface)] };
    let attrs: Vec<_> = item.attrs.iter().chain([&interface]).cloned().collect();
    let mut out = one(&header, &attrs, &item.vis, ident, &fields);
    if let Some(mirror) = &mirror {
        let doc = format!("The other end of [`{ident}`].");
        let attrs = [parse_quote! { #[doc = #doc] }, interface];
        out.extend(one(
            &header,
            &attrs,
            &item.vis,
            mirror,
            &changed(&fields, turn),
        ));
        out.extend(quote! {
            impl ::hpp_hdl::circuit::Mirrored for #ident { type Mirror = #mirror; }
            impl ::hpp_hdl::circuit::Mirrored for #mirror { type Mirror = #ident; }
        });
    }
    if let Some(wires) = &wires {
        let doc = format!("Wires inside a circuit that connect a [`{ident}`].");
        let attrs = [parse_quote! { #[doc = #doc] }];
        out.extend(one(
            &header,
            &attrs,
            &item.vis,
            wires,
            &changed(&fields, inside),
        ));
        out.extend(block(wires, &names, &texts));
        out.extend(
            quote! { #(impl ::hpp_hdl::circuit::Wired for #ends { type Wires = #wires; })* },
        );
    }
    for end in &ends {
        for to in ends.iter().copied().chain(&wires) {
            out.extend(connection(end, to, &names, &texts));
        }
    }
    Ok(out)
}

/// The fields with other types.
fn changed(fields: &[Declaration], change: fn(&mut Type)) -> Vec<Declaration> {
    let mut fields = fields.to_vec();
    fields.iter_mut().for_each(|field| change(&mut field.ty));
    fields
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

/// Reverses the direction of a signal.
fn turn(ty: &mut Type) {
    match direction(ty) {
        Some(direction) if quote! { #direction }.to_string() == "In" => {
            *direction = parse_quote! { Out };
        }
        Some(direction) => *direction = parse_quote! { In },
        None => *ty = parse_quote! { <#ty as ::hpp_hdl::circuit::Mirrored>::Mirror },
    }
}

/// Turns a signal into a wire.
fn inside(ty: &mut Type) {
    match direction(ty) {
        Some(direction) => *direction = parse_quote! { Local },
        None => *ty = parse_quote! { <#ty as ::hpp_hdl::circuit::Wired>::Wires },
    }
}

/// The bundle, its mirror or its wires.
fn one(
    header: &Header,
    attrs: &[Attribute],
    vis: &Visibility,
    ident: &Ident,
    fields: &[Declaration],
) -> TokenStream {
    let (parameters, types): (Vec<_>, Vec<_>) = header.parameters.iter().cloned().unzip();
    let (shared, shares): (Vec<_>, Vec<_>) = header.shared.iter().cloned().unzip();
    let names: Vec<_> = fields.iter().map(|field| &field.name).collect();
    let (declarations, values) = (
        fields.iter().map(Declaration::field),
        fields.iter().map(Declaration::value),
    );
    quote! {
        #(#attrs)*
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
    }
}

/// `Block` for wires, which `LogicInterface` does not derive.
fn block(ident: &Ident, names: &[&Ident], texts: &[String]) -> TokenStream {
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
fn connection(end: &Ident, to: &Ident, names: &[&Ident], texts: &[String]) -> TokenStream {
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
