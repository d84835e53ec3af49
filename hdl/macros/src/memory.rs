//! The expansion of `memory`: a memory whose cells have named fields.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{Error, Ident, ItemStruct, Result, Type};

use crate::circuit::comment;
use crate::field::{Instance, element, fields, first_line};
use crate::header::Header;

struct CellField {
    name: Ident,
    ty: Type,
    bits: TokenStream,
    doc: String,
}

pub fn expand(tokens: TokenStream, item: ItemStruct) -> Result<TokenStream> {
    let header = Header::parse(tokens, &["read_enable"], &["depth", "same_edge"])?;
    let (depth, same_edge) = (header.setting("depth")?, header.setting("same_edge")?);
    let cell = fields(&item)?
        .into_iter()
        .map(cell_field)
        .collect::<Result<Vec<_>>>()?;
    let (attrs, vis, ident, lines) = (&item.attrs, &item.vis, &item.ident, comment(&item));
    let (parameters, types): (Vec<_>, Vec<_>) = header.parameters.iter().cloned().unzip();
    let (shared, shares): (Vec<_>, Vec<_>) = header.shared.iter().cloned().unzip();
    let names: Vec<_> = cell.iter().map(|field| &field.name).collect();
    let writes: Vec<_> = names
        .iter()
        .map(|name| format_ident!("write_{name}"))
        .collect();
    let tys: Vec<_> = cell.iter().map(|field| &field.ty).collect();
    let bits = cell.iter().map(|field| &field.bits);
    let docs: Vec<_> = cell.iter().map(|field| &field.doc).collect();
    let write_docs = docs
        .iter()
        .map(|doc| format!("Write data: {}{}", doc[..1].to_lowercase(), &doc[1..]));
    let write_docs: Vec<_> = write_docs.collect();
    let places: Vec<_> = (0..cell.len()).map(syn::Index::from).collect();
    let has_enable = header.has("read_enable");
    let enable = has_enable.then(|| quote! {
        /// Read enable; the outputs hold their values while it is 0.
        pub read_enable: ::rust_hdl::prelude::Signal<::rust_hdl::prelude::In, ::rust_hdl::prelude::Bit>,
    });
    let new_enable = has_enable.then(|| quote! {
        read_enable: ::hpp_hdl::annotate::documented(Default::default(), "Read enable; the outputs hold their values while it is 0."),
    });
    let reads = match has_enable {
        true => quote! { self.read_enable.val() },
        false => quote! { true },
    };
    Ok(quote! {
        #(#attrs)*
        #[derive(::rust_hdl::prelude::LogicBlock)]
        #vis struct #ident {
            /// Clock of both ports.
            pub clk: ::rust_hdl::prelude::Signal<::rust_hdl::prelude::In, ::rust_hdl::prelude::Clock>,
            #enable
            /// Read address; data follows one cycle later.
            pub read_address: ::rust_hdl::prelude::Signal<::rust_hdl::prelude::In, ::rust_hdl::prelude::Bits<16>>,
            #(#[doc = #docs] pub #names: ::rust_hdl::prelude::Signal<::rust_hdl::prelude::Out, #tys>,)*
            /// Write enable.
            pub write_enable: ::rust_hdl::prelude::Signal<::rust_hdl::prelude::In, ::rust_hdl::prelude::Bit>,
            /// Write address.
            pub write_address: ::rust_hdl::prelude::Signal<::rust_hdl::prelude::In, ::rust_hdl::prelude::Bits<16>>,
            #(#[doc = #write_docs] pub #writes: ::rust_hdl::prelude::Signal<::rust_hdl::prelude::In, #tys>,)*
            _same_edge: ::hpp_hdl::ram::SameEdge,
            _widths: Vec<u32>,
            _cells: Vec<(#(#tys,)*)>,
            _read: usize,
        }

        impl #ident {
            /// Makes the memory.
            #[must_use]
            pub fn new(#(#parameters: #types),*) -> Self {
                #(let #shared = #shares;)*
                let depth: u32 = #depth;
                let widths: Vec<u32> = vec![#(#bits),*];
                let address_bits = depth.trailing_zeros();
                Self {
                    clk: ::hpp_hdl::annotate::documented(Default::default(), "Clock, rising edge."),
                    #new_enable
                    read_address: ::hpp_hdl::annotate::documented(::hpp_hdl::annotate::sized(address_bits), "Read address; data follows one cycle later."),
                    #(#names: ::hpp_hdl::annotate::present(::hpp_hdl::annotate::documented(::hpp_hdl::annotate::sized(widths[#places]), #docs), widths[#places] > 0),)*
                    write_enable: ::hpp_hdl::annotate::documented(Default::default(), "Write enable."),
                    write_address: ::hpp_hdl::annotate::documented(::hpp_hdl::annotate::sized(address_bits), "Write address."),
                    #(#writes: ::hpp_hdl::annotate::present(::hpp_hdl::annotate::documented(::hpp_hdl::annotate::sized(widths[#places]), #write_docs), widths[#places] > 0),)*
                    _same_edge: #same_edge,
                    _widths: widths,
                    _cells: vec![Default::default(); depth as usize],
                    _read: 0,
                }
            }
        }

        impl ::rust_hdl::prelude::Logic for #ident {
            fn update(&mut self) {
                if !self.clk.pos_edge() {
                    return;
                }
                let reads = #reads;
                if reads {
                    self._read = self.read_address.val().index() % self._cells.len();
                }
                let (read, is_new) = (self._read, self._same_edge == ::hpp_hdl::ram::SameEdge::New);
                let mut collides = false;
                if self.write_enable.val() {
                    let written = self.write_address.val().index() % self._cells.len();
                    #(self._cells[written].#places = ::hpp_hdl::value::Value::low(self.#writes.val(), self._widths[#places]);)*
                    collides = written == read && !is_new;
                }
                if reads && collides {
                    #(self.#names.next = ::hpp_hdl::value::Value::inverted(self._cells[read].#places, self._widths[#places]);)*
                } else if reads || is_new {
                    #(self.#names.next = self._cells[read].#places;)*
                }
            }

            fn connect(&mut self) {
                #(self.#names.connect();)*
            }

            fn hdl(&self) -> ::rust_hdl::prelude::Verilog {
                let fields = [#((stringify!(#names), stringify!(#writes), self._widths[#places])),*];
                ::hpp_hdl::ram::verilog(&[#(#lines),*], self._cells.len() as u32, &fields, self._same_edge, #has_enable)
            }
        }

        impl ::hpp_hdl::circuit::Part for #ident {
            fn drive(&mut self, clk: ::rust_hdl::prelude::Clock, _rst: ::rust_hdl::prelude::Bit) {
                self.clk.next = clk;
            }

            fn wiring(&self, name: &str, out: &mut Vec<::rust_hdl::prelude::ast::VerilogStatement>) {
                out.push(::hpp_hdl::circuit::wire(name, "clk", "clk"));
            }
        }
    })
}

fn cell_field(field: &syn::Field) -> Result<CellField> {
    let name = field
        .ident
        .clone()
        .expect("checked: every field has a name");
    let doc = first_line(&field.attrs).ok_or_else(|| {
        let what = "needs a doc comment: it is its ports' comment in the Verilog";
        Error::new(name.span(), format!("field `{name}` {what}"))
    })?;
    let (mut ty, mut instance) = (field.ty.clone(), Instance::default());
    instance.take(&mut ty);
    let ty = element(&ty).clone();
    let bits = match instance.bits {
        Some(bits) => quote! { u32::max(1, #bits) },
        None => quote! { <#ty as ::rust_hdl::prelude::Synth>::BITS as u32 },
    };
    let bits = match instance.there {
        Some(there) => quote! { if #there { #bits } else { 0 } },
        None => bits,
    };
    Ok(CellField {
        name,
        ty,
        bits,
        doc,
    })
}
