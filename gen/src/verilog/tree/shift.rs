//! Expressions that move bits: shifts, single bits, replaced bits.

use num_bigint::BigUint;

use super::concat::concat;
use super::expr::{Expr, Kind};
use super::operator::Binary;

impl Expr {
    /// `<<`; by a constant it is a concatenation.
    pub fn shift_left(self, amount: Expr) -> Expr {
        let ty = self.ty.unwrap_or(64);
        if self.is(0) {
            return Expr::constant(BigUint::ZERO, Some(ty));
        }
        if let Some(amount) = amount.small() {
            if amount >= ty {
                return Expr::constant(BigUint::ZERO, Some(ty));
            }
            let pieces = vec![(Expr::number(0u32), amount), (self.clone(), self.width)];
            let out = if amount == 0 { self } else { concat(pieces) };
            return out.cast(ty);
        }
        let truncates_alike = self.width == ty;
        match self.kind {
            Kind::Binary(Binary::ShiftLeft, inner, by) if truncates_alike => {
                inner.shifted_left(total(*by, amount), ty)
            }
            kind => Expr { kind, ..self }.shifted_left(amount, ty),
        }
    }

    /// `<<` by an amount that is not constant.
    pub(super) fn shifted_left(self, amount: Expr, ty: usize) -> Expr {
        let reach = 1usize
            .checked_shl(amount.width as u32)
            .unwrap_or(usize::MAX);
        let width = self.width.saturating_add(reach - 1).min(ty);
        Expr::typed(
            Kind::Binary(Binary::ShiftLeft, Box::new(self), Box::new(amount)),
            width,
            Some(ty),
        )
    }

    /// `>>`; by a constant it is a part select.
    pub fn shift_right(self, amount: Expr) -> Expr {
        let ty = self.ty;
        if self.is(0) {
            return self;
        }
        if let Some(amount) = amount.small() {
            let width = self.width;
            let mut out = self.slice(amount, width);
            out.ty = ty;
            return out;
        }
        if let Kind::Binary(Binary::ShiftRight, inner, by) = self.kind {
            let inner = Expr { ty, ..*inner };
            return inner.shift_right(total(*by, amount));
        }
        let width = self.width;
        Expr::typed(
            Kind::Binary(Binary::ShiftRight, Box::new(self), Box::new(amount)),
            width,
            ty,
        )
    }

    /// The bit at `index`; 0 beyond the width.
    pub fn get_bit(self, index: Expr) -> Expr {
        if let Some(index) = index.small() {
            return self.slice(index, 1).cast(1);
        }
        if let Kind::Signal(_) = self.kind {
            let indices = 1usize.checked_shl(index.width as u32);
            if indices.is_some_and(|indices| indices <= self.width) {
                return Expr::typed(Kind::Index(Box::new(self), Box::new(index)), 1, Some(1));
            }
        }
        self.shift_right(index).cast(1)
    }

    /// The same value with the bit at `index` replaced.
    pub fn replace_bit(self, index: Expr, bit: Expr) -> Expr {
        let ty = self.ty.unwrap_or(64);
        if let Some(low) = index.small() {
            let mut pieces = Vec::new();
            if low > 0 {
                pieces.push((self.clone().slice(0, low), low));
            }
            pieces.push((bit.slice(0, 1), 1));
            let rest = self.width.saturating_sub(low + 1);
            if rest > 0 {
                pieces.push((self.slice(low + 1, rest), rest));
            }
            return concat(pieces).cast(ty);
        }
        let place = |bit: Expr| bit.cast(ty).shift_left(index.clone());
        let kept = if bit.is(1) {
            self
        } else {
            self.bitwise(Binary::And, place(Expr::bit(true)).not())
        };
        kept.bitwise(Binary::Or, place(bit))
    }
}

/// The sum of two shift amounts, wide enough not to wrap.
///
/// Verilator 5.048 to 5.050 merges nested shifts by itself and lets the sum wrap (its issue 7955), so nested shifts must not
/// reach it.
fn total(a: Expr, b: Expr) -> Expr {
    let bits = a.width.max(b.width) + 1;
    a.cast(bits).arithmetic(Binary::Add, b.cast(bits))
}
