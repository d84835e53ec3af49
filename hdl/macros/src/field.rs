//! A field of a circuit: its role, from its name, type and attributes.

use proc_macro2::TokenStream;
use quote::quote;
use syn::parse::Parser;
use syn::{
    Attribute, Error, Expr, ExprLit, Field, GenericArgument, Ident, ItemStruct, Lit, Meta,
    PathArguments, PathSegment, Result, Stmt, Type, TypePath, Visibility, parse_quote,
};

use crate::connect;
use crate::header::Constant;

/// The role of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `Signal<In, T>` or `Signal<Out, T>`
    Port,
    Wire,
    Register,
    Delay,
    Constant,
    /// A plain Rust value, which rust-hdl does not visit.
    Value,
    Bundle,
    /// A circuit or a memory.
    Part,
}

/// What a type says of an instance, and Rust's own types do not.
#[derive(Clone, Default)]
pub struct Instance {
    /// `w` of `Bits<16, w>`.
    pub bits: Option<TokenStream>,
    /// `v` of `Register<T, v>`.
    reset: Option<TokenStream>,
    /// `c` of `Signal<In, T, c>` and `Option<T, c>`.
    pub there: Option<TokenStream>,
    /// `n` of `Vec<T, n>`.
    count: Option<TokenStream>,
    /// The arguments of a constructor; of a constant, its value.
    arguments: Vec<TokenStream>,
}

impl Instance {
    /// Takes it out of a type.
    pub fn take(&mut self, ty: &mut Type) {
        let Type::Path(TypePath { path, .. }) = ty else {
            return;
        };
        let Some(PathSegment { ident, arguments }) = path.segments.last_mut() else {
            return;
        };
        let own = match ident.to_string().as_str() {
            "Signal" => 2,
            "Bits" | "Register" | "Delay" | "Option" | "Vec" | "Ram" | "WayRam" => 1,
            _ => 0,
        };
        let mut given: Vec<GenericArgument> = match std::mem::take(arguments) {
            PathArguments::AngleBracketed(given) => given.args.into_iter().collect(),
            _ => Vec::new(),
        };
        let values = given.split_off(own.min(given.len()));
        let mut values = values.iter().map(value);
        match ident.to_string().as_str() {
            "Bits" => self.bits = values.next(),
            "Register" => self.reset = values.next(),
            "Signal" | "Option" => self.there = values.next(),
            "Vec" => self.count = values.next(),
            _ => {}
        }
        self.arguments.extend(values);
        if let Some(GenericArgument::Type(inner)) = given.last_mut() {
            self.take(inner);
        }
        if !given.is_empty() {
            *arguments = PathArguments::AngleBracketed(parse_quote! { <#(#given),*> });
        }
    }
}

/// A value in angle brackets, without the braces of an expression.
fn value(argument: &GenericArgument) -> TokenStream {
    if let GenericArgument::Const(Expr::Block(block)) = argument
        && let [Stmt::Expr(value, None)] = block.block.stmts.as_slice()
    {
        return quote! { #value };
    }
    quote! { #argument }
}

#[derive(Clone)]
pub struct Declaration {
    /// Attributes that are kept, such as the documentation.
    kept: Vec<Attribute>,
    vis: Visibility,
    pub name: Ident,
    pub ty: Type,
    pub kind: Kind,
    /// The first line of documentation that is not empty.
    pub doc: String,
    /// Whether the field is an `Option`: if the part is present is decided at generation.
    pub optional: bool,
    pub instance: Instance,
    /// Whether it is a bundle whose ports omit its name.
    pub is_flat: bool,
    /// What is said to connect its ports.
    connected: Vec<TokenStream>,
}

impl Declaration {
    /// A field that a header declares.
    pub fn constant(Constant { name, ty, value }: &Constant) -> Self {
        let field = Field::parse_named.parse2(quote! { #name: #ty });
        let mut constant = Self::parse(&field.expect("a name and a type are a field"));
        constant.instance.arguments = vec![quote! { #value }];
        if !is_value(name) {
            constant.kind = Kind::Constant;
            constant.ty = parse_quote! { ::rust_hdl::prelude::Constant<#ty> };
        }
        constant
    }

    fn parse(field: &Field) -> Self {
        let name = field
            .ident
            .clone()
            .expect("checked: every field has a name");
        let (mut kept, mut connected, mut is_flat) = (Vec::new(), Vec::new(), false);
        for attribute in &field.attrs {
            match &attribute.meta {
                Meta::List(list) if list.path.is_ident("connect") => {
                    connected.push(list.tokens.clone());
                }
                Meta::Path(path) if path.is_ident("flat") => is_flat = true,
                _ => kept.push(attribute.clone()),
            }
        }
        let (mut ty, mut instance) = (field.ty.clone(), Instance::default());
        if !is_value(&name) {
            instance.take(&mut ty);
        }
        Self {
            kind: kind(&name, &field.vis, element(&ty)),
            kept,
            vis: field.vis.clone(),
            name,
            optional: outer(&ty).is_some_and(|name| name == "Option"),
            ty,
            doc: first_line(&field.attrs).unwrap_or_default(),
            instance,
            is_flat,
            connected,
        }
    }

    /// The field of a struct, if it is what its role wants.
    fn checked(self) -> Result<Self> {
        let can_miss = matches!(self.kind, Kind::Part | Kind::Register | Kind::Delay);
        let is_maker = matches!(self.kind, Kind::Bundle | Kind::Part);
        let is_vector = outer(&self.ty).is_some_and(|name| name == "Vec");
        let mistake = match self.kind {
            _ if self.name == "clk" || self.name == "rst" => {
                "is added by the attribute: leave it out"
            }
            Kind::Constant | Kind::Value => {
                "is a constant: write `const name: T = value` in the attribute"
            }
            _ if is_vector && self.instance.count.is_none() => {
                "is a vector, which needs its length: `Vec<T, n>`"
            }
            _ if self.optional && !can_miss => "is no part or register, and so no `Option`",
            _ if self.optional && self.instance.there.is_none() => {
                "may be absent, which needs a condition: `Option<T, c>`"
            }
            _ if !can_miss && !self.connected.is_empty() => {
                "is no part or register, whose ports `#[connect]` connects"
            }
            _ if !is_maker && !self.instance.arguments.is_empty() => {
                "has a value that its type does not take"
            }
            _ if self.is_flat && self.kind != Kind::Bundle => {
                "is no bundle, which can be `#[flat]`"
            }
            Kind::Port if self.doc.is_empty() => {
                "needs a doc comment: it is the port's comment in the Verilog"
            }
            _ => return Ok(self),
        };
        Err(Error::new(
            self.name.span(),
            format!("`{}` {mistake}", self.name),
        ))
    }

    /// The statements that connect its ports, for the simulation and for the kernel's syntax tree.
    pub fn connections(&self) -> Result<Vec<(TokenStream, TokenStream)>> {
        let is_vector = self.instance.count.is_some();
        let said = self.connected.iter();
        said.map(|said| connect::statements(&self.name, is_vector, self.optional, said))
            .collect()
    }

    /// The field in the struct.
    pub fn field(&self) -> TokenStream {
        let (kept, vis, name, ty) = (&self.kept, &self.vis, &self.name, &self.ty);
        quote! { #(#kept)* #vis #name: #ty }
    }

    /// The field's value in the constructor.
    pub fn value(&self) -> TokenStream {
        let (element, doc) = (element(&self.ty), &self.doc);
        let Instance {
            bits,
            reset,
            there,
            count,
            arguments,
        } = &self.instance;
        let made = match self.kind {
            Kind::Port | Kind::Wire => {
                let mut signal = match bits {
                    Some(bits) => quote! { ::hpp_hdl::annotate::sized(#bits) },
                    None => quote! { ::rust_hdl::prelude::Signal::default() },
                };
                if !doc.is_empty() {
                    signal = quote! { ::hpp_hdl::annotate::documented(#signal, #doc) };
                }
                match there {
                    None => signal,
                    Some(there) => quote! { ::hpp_hdl::annotate::present(#signal, #there) },
                }
            }
            Kind::Register | Kind::Delay => {
                let inner = generic(element, 0);
                let bits = match bits {
                    Some(bits) => bits.clone(),
                    None => quote! { <#inner as ::rust_hdl::prelude::Synth>::BITS as u32 },
                };
                let reset = match (self.kind, reset) {
                    (Kind::Delay, _) => quote! {},
                    (_, Some(value)) => {
                        quote! { , ::hpp_hdl::circuit::Number::<#inner>::constant(#value) }
                    }
                    (_, None) => quote! { , Default::default() },
                };
                quote! { {
                    let mut register = <#element>::new(#bits #reset);
                    register.q = ::hpp_hdl::annotate::documented(register.q, #doc);
                    register
                } }
            }
            Kind::Constant => {
                let inner = generic(element, 0);
                quote! { ::rust_hdl::prelude::Constant::new(::hpp_hdl::circuit::Number::<#inner>::constant(#(#arguments)*)) }
            }
            Kind::Value => quote! { #(#arguments)* },
            Kind::Bundle | Kind::Part => quote! { <#element>::new(#(#arguments),*) },
        };
        match (count, there) {
            (Some(count), _) => {
                let i = connect::index();
                quote! { (0..#count).map(|#i| { let _ = #i; #made }).collect() }
            }
            (None, Some(there)) if self.optional => quote! { (#there).then(|| #made) },
            _ => made,
        }
    }
}

/// The fields of a struct with named fields.
pub fn fields(item: &ItemStruct) -> Result<Vec<&Field>> {
    match item.fields.iter().all(|field| field.ident.is_some()) {
        true => Ok(item.fields.iter().collect()),
        false => Err(Error::new(
            item.ident.span(),
            "a struct with named fields is wanted",
        )),
    }
}

/// The same, parsed.
pub fn declarations(item: &ItemStruct) -> Result<Vec<Declaration>> {
    let fields = fields(item)?.into_iter();
    fields
        .map(|field| Declaration::parse(field).checked())
        .collect()
}

/// The lines of a documentation.
pub fn documentation(attributes: &[Attribute]) -> Vec<String> {
    let line = |attribute: &Attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") => match &pair.value {
            Expr::Lit(ExprLit {
                lit: Lit::Str(text),
                ..
            }) => Some(text.value().trim().to_string()),
            _ => None,
        },
        _ => None,
    };
    attributes.iter().filter_map(line).collect()
}

/// The first line of a documentation that is not empty.
pub fn first_line(attributes: &[Attribute]) -> Option<String> {
    documentation(attributes)
        .into_iter()
        .find(|line| !line.is_empty())
}

/// Whether a field is a Rust value.
fn is_value(name: &Ident) -> bool {
    name.to_string().starts_with('_')
}

/// The role of a field.
fn kind(name: &Ident, vis: &Visibility, element: &Type) -> Kind {
    let ty = outer(element).unwrap_or_default();
    match ty.as_str() {
        _ if is_value(name) => Kind::Value,
        "Signal" => match outer(generic(element, 0)).as_deref() {
            Some("Local") => Kind::Wire,
            _ => Kind::Port,
        },
        "Register" => Kind::Register,
        "Delay" => Kind::Delay,
        "Constant" => Kind::Constant,
        name if matches!(vis, Visibility::Public(_)) || name.ends_with("Wires") => Kind::Bundle,
        _ => Kind::Part,
    }
}

/// The type of the elements of a vector, or of what may be absent; else the type itself.
pub fn element(ty: &Type) -> &Type {
    match outer(ty).as_deref() {
        Some("Vec" | "Option") => generic(ty, 0),
        _ => ty,
    }
}

/// The last segment of a type's path.
fn outer(ty: &Type) -> Option<String> {
    let Type::Path(path) = ty else { return None };
    path.path
        .segments
        .last()
        .map(|segment| segment.ident.to_string())
}

/// The generic argument of a type at an index; the type itself if there is none.
fn generic(ty: &Type, index: usize) -> &Type {
    let Type::Path(path) = ty else { return ty };
    let arguments = path.path.segments.last().map(|segment| &segment.arguments);
    match arguments {
        Some(PathArguments::AngleBracketed(given)) => match given.args.iter().nth(index) {
            Some(GenericArgument::Type(inner)) => inner,
            _ => ty,
        },
        _ => ty,
    }
}
