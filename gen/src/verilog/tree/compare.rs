//! Expressions of one bit: comparisons and reductions, decided where widths decide them.

use num_bigint::BigUint;

use super::concat::{any_of_pieces, trailing_zeros};
use super::expr::{Expr, Kind};
use super::number::ones;
use super::operator::{Compare, Reduce};

impl Expr {
    /// `== != < <= > >=`; decided here where the widths decide it.
    pub fn compare(self, op: Compare, other: Expr) -> Expr {
        if self.value().is_some() && other.value().is_none() {
            return other.compare(op.mirrored(), self);
        }
        if let Some(b) = other.value() {
            if let Some(a) = self.value() {
                return Expr::bit(op.holds(a, b));
            }
            let greatest = ones(self.width);
            let at_least = op.holds(&BigUint::ZERO, b);
            let at_most = op.holds(&greatest, b);
            let decided = match op {
                Compare::Equal | Compare::NotEqual => *b > greatest,
                _ => at_least == at_most,
            };
            if decided {
                return Expr::bit(at_most);
            }
            if matches!(op, Compare::Equal | Compare::NotEqual) && trailing_zeros(&self) > 0 {
                let (zeros, width) = (trailing_zeros(&self), self.width);
                if (b & ones(zeros)) != BigUint::ZERO {
                    return Expr::bit(op == Compare::NotEqual);
                }
                let high = Expr::number(b >> zeros);
                return self.slice(zeros, width).compare(op, high);
            }
            if self.width == 1 && matches!(op, Compare::Equal | Compare::NotEqual) {
                let bit = self.cast(1);
                let same = other.is(1) == (op == Compare::Equal);
                return if same { bit } else { bit.not() };
            }
        }
        Expr::typed(
            Kind::Compare(op, Box::new(self), Box::new(other)),
            1,
            Some(1),
        )
    }

    pub fn reduce(self, op: Reduce) -> Expr {
        if let Some(value) = self.value() {
            let ones_needed = self.ty.unwrap_or(self.width) as u64;
            return Expr::bit(match op {
                Reduce::Or => value.count_ones() > 0,
                Reduce::And => value.count_ones() == ones_needed,
                Reduce::Xor => value.count_ones() % 2 == 1,
            });
        }
        if op == Reduce::And && self.ty.is_some_and(|ty| ty > self.width) {
            return Expr::bit(false);
        }
        if self.width == 1 {
            return self.cast(1);
        }
        if op == Reduce::Or
            && let Some(decided) = any_of_pieces(&self)
        {
            return decided;
        }
        Expr::typed(Kind::Reduce(op, Box::new(self)), 1, Some(1))
    }
}
