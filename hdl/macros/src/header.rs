//! The arguments of the attributes: `combinational, geometry: &Geometry, let bits = geometry.bits(),
//! const last: Bits<8> = bits - 1, depth = 4`.

use proc_macro2::TokenStream;
use syn::parse::{Parse, ParseStream, Parser};
use syn::punctuated::Punctuated;
use syn::{Error, Expr, Ident, Result, Token, Type};

enum Argument {
    /// `name`
    Flag(Ident),
    /// `name: Type`
    Parameter(Ident, Type),
    /// `let name = value`
    Shared(Ident, Expr),
    /// `const name: Type = value`
    Constant(Constant),
    /// `name = value`
    Setting(Ident, Expr),
}

impl Parse for Argument {
    fn parse(input: ParseStream) -> Result<Self> {
        if input.peek(Token![let]) {
            input.parse::<Token![let]>()?;
            let name = input.parse()?;
            input.parse::<Token![=]>()?;
            return Ok(Self::Shared(name, input.parse()?));
        }
        if input.peek(Token![const]) {
            input.parse::<Token![const]>()?;
            let name = input.parse()?;
            input.parse::<Token![:]>()?;
            let ty = input.parse()?;
            input.parse::<Token![=]>()?;
            let value = input.parse()?;
            return Ok(Self::Constant(Constant { name, ty, value }));
        }
        let name = input.parse()?;
        if input.peek(Token![:]) {
            input.parse::<Token![:]>()?;
            Ok(Self::Parameter(name, input.parse()?))
        } else if input.peek(Token![=]) {
            input.parse::<Token![=]>()?;
            Ok(Self::Setting(name, input.parse()?))
        } else {
            Ok(Self::Flag(name))
        }
    }
}

/// A number of the circuit, or with `_` in front of its name a value of the generator.
pub struct Constant {
    pub name: Ident,
    pub ty: Type,
    pub value: Expr,
}

/// The arguments of an attribute.
#[derive(Default)]
pub struct Header {
    /// Flags, such as `combinational`.
    pub flags: Vec<Ident>,
    pub parameters: Vec<(Ident, Type)>,
    /// Values the constructor computes first.
    pub shared: Vec<(Ident, Expr)>,
    /// What the kernel calls by a name.
    pub constants: Vec<Constant>,
    /// Settings, such as `depth`.
    pub settings: Vec<(Ident, Expr)>,
}

impl Header {
    /// Parses the arguments. Other flags and settings are errors.
    pub fn parse(tokens: TokenStream, flags: &[&str], settings: &[&str]) -> Result<Self> {
        let known = |name: &Ident, names: &[&str]| match names.iter().any(|known| name == known) {
            true => Ok(()),
            false => Err(Error::new(
                name.span(),
                format!(
                    "`{name}` is not known here: write `name: Type` for an argument of the constructor, `let name = value` for a shared value{}",
                    [flags, settings]
                        .concat()
                        .iter()
                        .map(|name| format!(", `{name}`"))
                        .collect::<String>()
                ),
            )),
        };
        let mut header = Self::default();
        for argument in Punctuated::<Argument, Token![,]>::parse_terminated.parse2(tokens)? {
            match argument {
                Argument::Flag(name) => {
                    known(&name, flags)?;
                    header.flags.push(name);
                }
                Argument::Parameter(name, ty) => header.parameters.push((name, ty)),
                Argument::Shared(name, value) => header.shared.push((name, value)),
                Argument::Constant(constant) => header.constants.push(constant),
                Argument::Setting(name, value) => {
                    known(&name, settings)?;
                    header.settings.push((name, value));
                }
            }
        }
        Ok(header)
    }

    /// Whether a flag is given.
    pub fn has(&self, flag: &str) -> bool {
        self.flags.iter().any(|known| known == flag)
    }

    /// The value of a required setting.
    pub fn setting(&self, name: &str) -> Result<&Expr> {
        let found = self.settings.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value).ok_or_else(|| {
            Error::new(
                proc_macro2::Span::call_site(),
                format!("`{name} = ...` is missing"),
            )
        })
    }
}
