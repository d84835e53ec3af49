//! A field of a circuit: its role, from its type, and its attributes.

use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{
    Attribute, Error, Expr, ExprLit, Field, GenericArgument, Ident, ItemStruct, Lit, Meta,
    PathArguments, PathSegment, Result, Stmt, Token, Type, TypePath, Visibility, parse_quote,
};

use crate::connect;

/// The role of a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `Signal<In, T>` or `Signal<Out, T>`
    Port,
    /// `Signal<Local, T>`
    Wire,
    /// `Register<T>`
    Register,
    /// `Delay<T>`
    Delay,
    /// `Constant<T>`
    Constant,
    /// A plain Rust value, which rust-hdl does not visit.
    Value,
    /// Ports declared elsewhere.
    Bundle,
    /// A circuit or a memory.
    Part,
}

impl Kind {
    /// The name of the role in messages, and the attributes that it allows.
    fn rule(self) -> (&'static str, &'static [&'static str]) {
        match self {
            Self::Port => ("a port", &["bits", "present"]),
            Self::Wire => ("a wire", &["bits", "present"]),
            Self::Register => ("a register", &["bits", "reset", "connect", "present"]),
            Self::Delay => ("a register without reset", &["bits", "connect", "present"]),
            Self::Constant => ("a constant", &["number"]),
            Self::Value => ("a value", &["value"]),
            Self::Bundle => ("a bundle", &["bundle", "flat"]),
            Self::Part => ("a part", &["new", "connect", "present"]),
        }
    }
}

/// The attributes a field may have besides `each`.
const ATTRIBUTES: [&str; 9] = [
    "bits", "present", "reset", "number", "value", "bundle", "flat", "new", "connect",
];

/// Moves what the types of the fields say of an instance into attributes: the `w` of `Bits<16, w>` into `#[bits(w)]`, that of
/// `Register<T, w>` into `#[reset(w)]` and of `Option<T, w>` into `#[present(w)]`. `Queue<geometry>` becomes `Queue` with
/// `#[new(geometry)]`, or with `#[bundle(geometry)]` if it is public.
pub fn spell_out(item: &mut ItemStruct) {
    let is_maker =
        |attribute: &Attribute| ["new", "bundle"].map(|name| attribute.path().is_ident(name));
    let is_value = |name: &Ident| name.to_string().starts_with('_');
    for field in &mut item.fields {
        let maker = match field.vis {
            _ if field.attrs.iter().flat_map(is_maker).any(|is| is) => None,
            Visibility::Public(_) => Some("bundle"),
            _ => Some("new"),
        };
        if !field.ident.as_ref().is_some_and(is_value) {
            spell(&mut field.ty, maker, &mut field.attrs);
        }
    }
}

/// Takes the values out of a type. `maker` is the attribute for the arguments of a constructor.
fn spell(ty: &mut Type, maker: Option<&str>, out: &mut Vec<Attribute>) {
    let Type::Path(TypePath { path, .. }) = ty else {
        return;
    };
    let Some(PathSegment { ident, arguments }) = path.segments.last_mut() else {
        return;
    };
    let outer = ident.to_string();
    let (own, attribute) = match outer.as_str() {
        "Bits" => (1, "bits"),
        "Register" => (1, "reset"),
        "Option" => (1, "present"),
        "Vec" | "Signal" | "Delay" | "Bit" | "Constant" => (usize::MAX, ""),
        _ => maker.map_or((usize::MAX, ""), |maker| (0, maker)),
    };
    let mut given: Vec<GenericArgument> = match std::mem::take(arguments) {
        PathArguments::AngleBracketed(given) => given.args.into_iter().collect(),
        _ => Vec::new(),
    };
    let values = given.split_off(own.min(given.len()));
    if own == 0 || !values.is_empty() {
        let (name, values) = (
            Ident::new(attribute, ident.span()),
            values.iter().map(value),
        );
        out.push(parse_quote! { #[#name(#(#values),*)] });
    }
    if let Some(GenericArgument::Type(inner)) = given.last_mut() {
        let holds_parts = ["Vec", "Option"].contains(&outer.as_str());
        spell(inner, maker.filter(|_| holds_parts), out);
    }
    if !given.is_empty() {
        *arguments = PathArguments::AngleBracketed(parse_quote! { <#(#given),*> });
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

/// A field.
pub struct Declaration {
    /// Attributes that are kept, such as the documentation.
    pub kept: Vec<Attribute>,
    pub vis: Visibility,
    pub name: Ident,
    pub ty: Type,
    /// The type of the field, or of the elements of a vector.
    pub element: Type,
    pub kind: Kind,
    /// The first line of documentation that is not empty.
    pub doc: String,
    /// The field is an `Option`. Whether the part is present is decided at generation.
    pub optional: bool,
    /// Index and number of elements of a vector.
    each: Option<(Ident, Expr)>,
    /// The attributes by name.
    arguments: Vec<(String, TokenStream)>,
}

impl Declaration {
    /// Parses a field.
    pub fn parse(field: &Field) -> Result<Self> {
        let name = field
            .ident
            .clone()
            .expect("checked: every field has a name");
        let (mut kept, mut arguments, mut each) = (Vec::new(), Vec::new(), None);
        for attribute in &field.attrs {
            let path = attribute.path();
            if path.is_ident("each") {
                each = Some(attribute.parse_args_with(parse_each)?);
            } else if let Some(known) = ATTRIBUTES.iter().find(|known| path.is_ident(known)) {
                let tokens = match &attribute.meta {
                    Meta::List(list) => list.tokens.clone(),
                    Meta::Path(_) if *known == "flat" => TokenStream::new(),
                    other => {
                        return Err(Error::new(other.span(), format!("write `#[{known}(...)]`")));
                    }
                };
                arguments.push(((*known).to_string(), tokens));
            } else {
                kept.push(attribute.clone());
            }
        }
        let optional = outer(&field.ty).is_some_and(|name| name == "Option");
        let element = match (&each, vector(&field.ty)) {
            (None, None) if optional && !name.to_string().starts_with('_') => {
                let inner = generic(&field.ty, 0).cloned();
                inner.unwrap_or_else(|| field.ty.clone())
            }
            (Some(_), Some(element)) => element.clone(),
            (None, None) => field.ty.clone(),
            (None, Some(_)) if name.to_string().starts_with('_') => field.ty.clone(),
            (None, Some(_)) => {
                return Err(Error::new(
                    name.span(),
                    format!("vector `{name}` needs `#[each(i in n)]`"),
                ));
            }
            (Some(_), None) => {
                return Err(Error::new(
                    name.span(),
                    format!("`#[each(...)]` makes a vector: declare `{name}: Vec<...>`"),
                ));
            }
        };
        let kind = kind(&name, &element, &arguments);
        let doc = documentation(&field.attrs)
            .into_iter()
            .find(|line| !line.is_empty())
            .unwrap_or_default();
        let declaration = Self {
            kept,
            vis: field.vis.clone(),
            name,
            ty: field.ty.clone(),
            element,
            kind,
            doc,
            optional,
            each,
            arguments,
        };
        declaration.check()?;
        Ok(declaration)
    }

    fn check(&self) -> Result<()> {
        let name = &self.name;
        let refuse = |text: String| Err(Error::new(name.span(), text));
        let (what, allowed) = self.kind.rule();
        if name == "clk" || name == "rst" {
            return refuse(format!("`{name}` is added by the attribute: leave it out"));
        }
        for (attribute, _) in &self.arguments {
            if !allowed.contains(&attribute.as_str()) {
                return refuse(format!(
                    "`#[{attribute}]` does not go with {what} (`{name}`)"
                ));
            }
        }
        if let [only @ ("number" | "value"), ..] = allowed
            && self.argument(only).is_none()
        {
            return refuse(format!("{what} needs `#[{only}(...)]` (`{name}`)"));
        }
        let can_miss = matches!(self.kind, Kind::Part | Kind::Register | Kind::Delay);
        if can_miss && self.optional != self.argument("present").is_some() {
            return refuse(format!(
                "what may be absent is an `Option` with `#[present(...)]` (`{name}`)"
            ));
        }
        if self.optional && !can_miss && self.kind != Kind::Value {
            return refuse(format!("{what} is no `Option` (`{name}`)"));
        }
        if self.kind == Kind::Port && self.doc.is_empty() {
            return refuse(format!(
                "port `{name}` needs a doc comment: it is the port's comment in the Verilog"
            ));
        }
        Ok(())
    }

    fn argument(&self, name: &str) -> Option<&TokenStream> {
        self.arguments
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, tokens)| tokens)
    }

    /// Whether it is a bundle whose ports omit its name.
    pub fn is_flat(&self) -> bool {
        self.argument("flat").is_some()
    }

    /// The statements that connect its ports, for the simulation and for the kernel's syntax tree.
    pub fn connections(&self) -> Result<Vec<(TokenStream, TokenStream)>> {
        let index = self.each.as_ref().map(|(index, _)| index);
        let said = self.arguments.iter().filter(|(name, _)| name == "connect");
        said.map(|(_, arguments)| connect::statements(&self.name, index, self.optional, arguments))
            .collect()
    }

    /// The field in the struct.
    pub fn field(&self) -> TokenStream {
        let Self {
            kept,
            vis,
            name,
            ty,
            ..
        } = self;
        quote! { #(#kept)* #vis #name: #ty }
    }

    /// The field's value in the constructor.
    pub fn value(&self) -> TokenStream {
        let (element, doc) = (&self.element, &self.doc);
        let argument = |name| self.argument(name).cloned().unwrap_or_default();
        let value = match self.kind {
            Kind::Port | Kind::Wire => {
                let signal = match self.argument("bits") {
                    Some(bits) => quote! { ::hpp_hdl::annotate::sized(#bits) },
                    None => quote! { ::rust_hdl::prelude::Signal::default() },
                };
                let signal = match doc.is_empty() {
                    true => signal,
                    false => quote! { ::hpp_hdl::annotate::documented(#signal, #doc) },
                };
                match self.argument("present") {
                    None => signal,
                    Some(there) => quote! { ::hpp_hdl::annotate::present(#signal, #there) },
                }
            }
            Kind::Register | Kind::Delay => {
                let inner = inner(element);
                let bits = self.argument("bits").cloned();
                let bits = bits.unwrap_or_else(
                    || quote! { <#inner as ::rust_hdl::prelude::Synth>::BITS as u32 },
                );
                let reset = match (self.kind, self.argument("reset")) {
                    (Kind::Delay, _) => quote! {},
                    (_, Some(value)) => {
                        quote! { , ::hpp_hdl::circuit::Number::<#inner>::constant(#value) }
                    }
                    (_, None) => quote! { , Default::default() },
                };
                let made = quote! { {
                    let mut register = <#element>::new(#bits #reset);
                    register.q = ::hpp_hdl::annotate::documented(register.q, #doc);
                    register
                } };
                match self.argument("present") {
                    None => made,
                    Some(there) => quote! { (#there).then(|| #made) },
                }
            }
            Kind::Constant => {
                let (inner, number) = (inner(element), argument("number"));
                quote! { ::rust_hdl::prelude::Constant::new(::hpp_hdl::circuit::Number::<#inner>::constant(#number)) }
            }
            Kind::Value => argument("value"),
            Kind::Bundle => {
                let arguments = argument("bundle");
                quote! { <#element>::new(#arguments) }
            }
            Kind::Part => {
                let arguments = argument("new");
                let made = quote! { <#element>::new(#arguments) };
                match self.argument("present") {
                    None => made,
                    Some(there) => quote! { (#there).then(|| #made) },
                }
            }
        };
        match &self.each {
            None => value,
            Some((index, number)) => {
                quote! { (0..#number).map(|#index| { let _ = #index; #value }).collect() }
            }
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

/// `i in n`
fn parse_each(input: syn::parse::ParseStream) -> Result<(Ident, Expr)> {
    let index = input
        .parse()
        .map_err(|error| Error::new(error.span(), "write `#[each(i in n)]`"))?;
    input
        .parse::<Token![in]>()
        .map_err(|error| Error::new(error.span(), "write `#[each(i in n)]`"))?;
    Ok((index, input.parse()?))
}

/// The role of a field, from its name, type and attributes.
fn kind(name: &Ident, element: &Type, arguments: &[(String, TokenStream)]) -> Kind {
    match outer(element).as_deref() {
        _ if name.to_string().starts_with('_') => Kind::Value,
        _ if arguments.iter().any(|(attribute, _)| attribute == "bundle") => Kind::Bundle,
        Some("Signal") => match generic(element, 0).and_then(outer).as_deref() {
            Some("Local") => Kind::Wire,
            _ => Kind::Port,
        },
        Some("Register") => Kind::Register,
        Some("Delay") => Kind::Delay,
        Some("Constant") => Kind::Constant,
        _ => Kind::Part,
    }
}

/// The element type of a vector.
fn vector(ty: &Type) -> Option<&Type> {
    outer(ty)
        .filter(|name| name == "Vec")
        .and_then(|_| generic(ty, 0))
}

/// `Bits<7>` of `Register<Bits<7>>`.
fn inner(ty: &Type) -> TokenStream {
    generic(ty, 0).map_or_else(|| quote! { _ }, |ty| quote! { #ty })
}

/// The last segment of a type's path.
fn outer(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) => path
            .path
            .segments
            .last()
            .map(|segment| segment.ident.to_string()),
        _ => None,
    }
}

/// The generic argument of a type at an index.
fn generic(ty: &Type, index: usize) -> Option<&Type> {
    let Type::Path(path) = ty else { return None };
    let PathArguments::AngleBracketed(arguments) = &path.path.segments.last()?.arguments else {
        return None;
    };
    match arguments.args.iter().nth(index)? {
        GenericArgument::Type(ty) => Some(ty),
        _ => None,
    }
}
