//! Expressions of exact width.
//!
//! Every expression has two sizes. Its *type* is the width at which rust-hdl computes: arithmetic wraps and `!` inverts
//! there. Its *width* bounds its value: all bits from there on are 0. The constructors keep both, fold constants, and
//! narrow an expression to the requested bits ([`Expr::slice`]). A kernel written for 64-bit addresses becomes 39-bit
//! Verilog when its signals are 39 bits wide.

use num_bigint::BigUint;
use std::collections::BTreeSet;
use std::hash::{Hash, Hasher};

use super::number::{bits_of, ones};
use super::operator::{Binary, Compare, Reduce};

/// Index of a signal in its module.
pub type SignalId = usize;

/// An expression; see the module's documentation for the two sizes.
#[derive(Clone, Debug, Eq)]
pub struct Expr {
    pub kind: Kind,
    /// The value is below `2^width`; at least 1.
    pub width: usize,
    /// Width of the rust-hdl type; `None` for plain numbers, which take the type of what they meet.
    pub ty: Option<usize>,
}

/// Equal are expressions that compute the same in the same way, whatever type their surroundings take them for.
impl PartialEq for Expr {
    fn eq(&self, other: &Expr) -> bool {
        self.width == other.width && self.kind == other.kind
    }
}

impl Hash for Expr {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.width.hash(state);
        self.kind.hash(state);
    }
}

/// What an expression computes; all results are modulo `2^width` of the expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A number, with the name of the enumeration's variant it stands for.
    Constant(BigUint, Option<String>),
    Signal(SignalId),
    /// `width` bits of the operand from `low` up, which are not all; never of something that could be narrowed itself. With the name of `low`.
    Slice(Box<Expr>, usize, Option<String>),
    Not(Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    Compare(Compare, Box<Expr>, Box<Expr>),
    Reduce(Reduce, Box<Expr>),
    /// Pieces with their exact widths, lowest first.
    Concat(Vec<(Expr, usize)>),
    /// One bit of a signal, chosen by an index that cannot leave it.
    Index(Box<Expr>, Box<Expr>),
}

impl Expr {
    pub fn number(value: impl Into<BigUint>) -> Expr {
        Expr::constant(value.into(), None)
    }

    /// A number of a type.
    pub fn constant(value: BigUint, ty: Option<usize>) -> Expr {
        let value = match ty {
            Some(bits) => value & ones(bits),
            None => value,
        };
        Expr {
            width: bits_of(&value),
            kind: Kind::Constant(value, None),
            ty,
        }
    }

    pub fn bit(value: bool) -> Expr {
        Expr::constant(BigUint::from(u8::from(value)), Some(1))
    }

    /// A signal `width` bits wide in Verilog and `ty` bits wide in rust-hdl.
    pub fn signal(id: SignalId, width: usize, ty: usize) -> Expr {
        Expr {
            kind: Kind::Signal(id),
            width,
            ty: Some(ty),
        }
    }

    pub(super) fn typed(kind: Kind, width: usize, ty: Option<usize>) -> Expr {
        Expr { kind, width, ty }
    }

    /// The value, if it is a constant.
    pub fn value(&self) -> Option<&BigUint> {
        match &self.kind {
            Kind::Constant(value, _) => Some(value),
            _ => None,
        }
    }

    /// The value as a position or amount, if it is a constant of a sensible size.
    pub fn small(&self) -> Option<usize> {
        self.value().and_then(|value| usize::try_from(value).ok())
    }

    /// Whether this is the constant `number`.
    pub fn is(&self, number: u32) -> bool {
        self.value() == Some(&BigUint::from(number))
    }

    /// Adds every signal read to `out`.
    pub fn reads(&self, out: &mut BTreeSet<SignalId>) {
        match &self.kind {
            Kind::Signal(id) => {
                out.insert(*id);
            }
            _ => self.operands().into_iter().for_each(|a| a.reads(out)),
        }
    }

    /// Whether it reads a signal for which `holds` is true.
    pub fn reads_any(&self, holds: &dyn Fn(SignalId) -> bool) -> bool {
        match &self.kind {
            Kind::Signal(id) => holds(*id),
            _ => self.operands().into_iter().any(|a| a.reads_any(holds)),
        }
    }

    /// The expressions it is made of.
    pub fn operands(&self) -> Vec<&Expr> {
        match &self.kind {
            Kind::Constant(..) | Kind::Signal(_) => Vec::new(),
            Kind::Slice(a, ..) | Kind::Not(a) | Kind::Reduce(_, a) => vec![a],
            Kind::Binary(_, a, b) | Kind::Compare(_, a, b) | Kind::Index(a, b) => vec![a, b],
            Kind::Concat(pieces) => pieces.iter().map(|(piece, _)| piece).collect(),
        }
    }

    pub fn arithmetic(self, op: Binary, other: Expr) -> Expr {
        let ty = common_type(&self, &other);
        if let (Some(a), Some(b)) = (self.value(), other.value()) {
            let modulus = ty.map(|bits| ones(bits) + 1u32);
            let value = match op {
                Binary::Add => Some(a + b),
                Binary::Mul => Some(a * b),
                _ if a >= b => Some(a - b),
                _ => modulus.map(|modulus| modulus + a - b),
            };
            if let Some(value) = value {
                return Expr::constant(value, ty);
            }
        }
        let neutral = u32::from(op == Binary::Mul);
        if other.is(neutral) {
            return self;
        }
        if self.is(neutral) && op != Binary::Sub {
            return other;
        }
        if op == Binary::Mul && (self.is(0) || other.is(0)) {
            return Expr::constant(BigUint::ZERO, ty);
        }
        let bound = match op {
            Binary::Add => self.width.max(other.width) + 1,
            Binary::Mul => self.width + other.width,
            _ => ty.unwrap_or(64),
        };
        let width = bound.min(ty.unwrap_or(64));
        Expr::typed(Kind::Binary(op, Box::new(self), Box::new(other)), width, ty)
    }

    /// `!` at the width of the type.
    pub fn not(self) -> Expr {
        let ty = self.ty.unwrap_or(64);
        if self.width == ty
            && let Kind::Not(inner) = self.kind
        {
            return Expr {
                ty: Some(ty),
                ..*inner
            };
        }
        if let Some(value) = self.value() {
            return Expr::constant(value ^ ones(ty), Some(ty));
        }
        if ty == 1 {
            match self.kind {
                Kind::Compare(op, a, b) => {
                    return Expr::typed(Kind::Compare(op.inverse(), a, b), 1, Some(1));
                }
                kind => return Expr::typed(Kind::Not(Box::new(Expr { kind, ..self })), 1, Some(1)),
            }
        }
        Expr::typed(Kind::Not(Box::new(self)), ty, Some(ty))
    }
}

/// The type both operands are brought to.
pub(super) fn common_type(a: &Expr, b: &Expr) -> Option<usize> {
    a.ty.max(b.ty)
}
