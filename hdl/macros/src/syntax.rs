//! What the words of a kernel are: places, constants and conditions that are decided at generation.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Error, Expr, ExprLet, ExprPath, Member, Pat, Result};

/// The name of a signal in the syntax tree, as an expression of type `String`: a text with a place for each index.
#[derive(Clone)]
pub struct Name(String, Vec<TokenStream>);

impl Name {
    pub fn of(name: &impl ToTokens) -> Self {
        Self(name.to_token_stream().to_string(), Vec::new())
    }

    /// The name of a local value.
    pub fn local(text: String) -> Self {
        Self(text, Vec::new())
    }

    pub fn member(self, member: &impl ToTokens) -> Self {
        Self(format!("{}${}", self.0, member.to_token_stream()), self.1)
    }

    pub fn element(mut self, index: &Expr) -> Self {
        self.1.push(quote! { #index });
        Self(self.0 + "${}", self.1)
    }
}

impl ToTokens for Name {
    fn to_tokens(&self, out: &mut TokenStream) {
        let Self(text, indices) = self;
        out.extend(quote! { format!(#text #(, #indices)*) });
    }
}

/// Methods that change no constant, and so are no part of its name.
const METHODS: [&str; 4] = ["val", "into", "index", "to_bits"];

/// The name of a constant in the Verilog: `errors::RECORDS_LOST.mask()` is `RECORDS_LOST_MASK`, and `self._align` is `ALIGN`. That of
/// `self._shifts[i]` is empty: it has none.
pub fn constant(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Field(field) if is_static(expr) => {
            let name = field.member.to_token_stream().to_string();
            Some(name.trim_start_matches('_').to_uppercase())
        }
        Expr::Path(path) => shouted(path),
        Expr::Index(element) => is_static(&element.expr).then(String::new),
        Expr::Field(field) => match &field.member {
            Member::Named(member) => suffixed(&field.base, member),
            Member::Unnamed(_) => None,
        },
        Expr::MethodCall(call) if call.args.is_empty() => {
            let changes = !METHODS.iter().any(|known| call.method == known);
            changes.then(|| suffixed(&call.receiver, &call.method))?
        }
        _ => None,
    }
}

fn suffixed(base: &Expr, suffix: &impl ToTokens) -> Option<String> {
    let suffix = suffix.to_token_stream().to_string().to_uppercase();
    Some(format!("{}_{suffix}", constant(base)?))
}

/// The last segment of a path, if it is in capitals.
fn shouted(path: &ExprPath) -> Option<String> {
    let name = path.path.segments.last()?.ident.to_string();
    let shouts = |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_';
    name.chars().all(shouts).then_some(name)
}

/// The constant that a pattern is, with its name.
pub fn constant_pattern(pattern: &Pat) -> Option<(String, ExprPath)> {
    let path = match pattern {
        Pat::Path(path) => path.clone(),
        Pat::Ident(name) => {
            let name = &name.ident;
            syn::parse_quote! { #name }
        }
        _ => return None,
    };
    Some((shouted(&path)?, path))
}

/// Whether a condition is decided at generation: it reads only fields that start with `_`, or whether a part is present.
pub fn is_static(expr: &Expr) -> bool {
    match expr {
        Expr::Let(_) => true,
        Expr::Field(field) => {
            let is_hidden =
                matches!(&field.member, Member::Named(name) if name.to_string().starts_with('_'));
            is_hidden && is_self(&field.base)
        }
        Expr::Unary(one) => is_static(&one.expr),
        Expr::Paren(inner) => is_static(&inner.expr),
        Expr::Binary(both) => is_static(&both.left) && is_static(&both.right),
        _ => false,
    }
}

pub fn is_self(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(path) if path.path.is_ident("self"))
}

/// Whether it names a signal: `self.a.b[i]`, or `part.b` of an optional part that is present.
pub fn is_place(expr: &Expr) -> bool {
    match expr {
        Expr::Field(field) => is_root(&field.base) || is_place(&field.base),
        Expr::Index(index) => is_place(&index.expr),
        Expr::Try(part) => is_place(&part.expr),
        _ => false,
    }
}

fn is_root(expr: &Expr) -> bool {
    matches!(expr, Expr::Path(path) if path.path.get_ident().is_some()) && constant(expr).is_none()
}

/// The signal of `self.signal.next`.
pub fn driven(left: &Expr) -> Option<&Expr> {
    match left {
        Expr::Field(field) if matches!(&field.member, Member::Named(name) if name == "next") => {
            Some(&field.base)
        }
        _ => None,
    }
}

/// `self.part` and `part.port` of `self.part?.port`, a port of a part that may be absent.
pub fn optional(place: &Expr) -> Option<(&Expr, Expr)> {
    match place {
        Expr::Try(part) => Some((&part.expr, syn::parse_quote! { (*part) })),
        Expr::Field(field) => {
            let (part, base) = optional(&field.base)?;
            let member = &field.member;
            Some((part, syn::parse_quote! { #base.#member }))
        }
        Expr::Index(index) => {
            let (part, base) = optional(&index.expr)?;
            let index = &index.index;
            Some((part, syn::parse_quote! { #base[#index] }))
        }
        _ => None,
    }
}

/// The name and the place of `let Some(part) = &mut self.part`.
pub fn there(test: &ExprLet) -> Result<(String, &Expr)> {
    if let (Pat::TupleStruct(some), Expr::Reference(place)) = (&*test.pat, &*test.expr)
        && let (true, Some(Pat::Ident(name))) = (some.path.is_ident("Some"), some.elems.first())
    {
        return Ok((name.ident.to_string(), &place.expr));
    }
    refuse(test, "write `if let Some(part) = &mut self.part`")
}

/// A message about a place of the source.
pub fn refuse<T>(at: &impl ToTokens, what: &str) -> Result<T> {
    Err(Error::new_spanned(at, what))
}

/// A call of a function of `hpp_hdl::circuit`.
pub fn helper(name: &str, arguments: TokenStream) -> TokenStream {
    let name = quote::format_ident!("{name}");
    quote! { ::hpp_hdl::circuit::#name(#arguments) }
}
