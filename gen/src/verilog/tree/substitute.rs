//! Substitution: expressions in the place of parts of another expression.

use super::concat::concat;
use super::expr::{Expr, Kind, SignalId};
use super::operator::Binary;

impl Expr {
    /// The expression with some signals replaced. A replacement has the value of the signal; the result is folded again.
    pub fn substituted(&self, with: &dyn Fn(SignalId) -> Option<Expr>) -> Expr {
        self.replaced(&|e| match e.kind {
            Kind::Signal(id) => with(id),
            _ => None,
        })
    }

    /// The expression with some of its parts replaced by others of the same value, the largest first.
    pub fn replaced(&self, with: &dyn Fn(&Expr) -> Option<Expr>) -> Expr {
        if let Some(other) = with(self) {
            return Expr {
                ty: self.ty,
                ..other
            };
        }
        let width = self.width;
        let inner = |e: &Expr| e.replaced(with);
        let cut = |e: &Expr| inner(e).cast(width);
        let out = match &self.kind {
            Kind::Constant(..) | Kind::Signal(_) => return self.clone(),
            Kind::Slice(a, low, name) => {
                let mut out = inner(a).slice(*low, width);
                if let Kind::Slice(_, at, known) = &mut out.kind
                    && at == low
                {
                    known.clone_from(name);
                }
                out
            }
            Kind::Not(a) => cut(a).not(),
            Kind::Binary(Binary::ShiftLeft, a, by) => cut(a).shift_left(inner(by)),
            Kind::Binary(Binary::ShiftRight, a, by) => {
                inner(a).cast(a.width).shift_right(inner(by))
            }
            Kind::Binary(op @ (Binary::And | Binary::Or | Binary::Xor), a, b) => {
                cut(a).bitwise(*op, cut(b))
            }
            Kind::Binary(op, a, b) => cut(a).arithmetic(*op, cut(b)),
            Kind::Compare(op, a, b) => inner(a).compare(*op, inner(b)),
            Kind::Reduce(op, a) => inner(a).cast(a.width).reduce(*op),
            Kind::Concat(pieces) => {
                let pieces = pieces.iter().map(|(piece, bits)| (inner(piece), *bits));
                concat(pieces.collect())
            }
            Kind::Index(a, index) => inner(a).get_bit(inner(index)),
        };
        Expr { ty: self.ty, ..out }
    }

    /// How many operators it takes to write.
    pub fn operators(&self) -> usize {
        let own = match &self.kind {
            Kind::Binary(..) | Kind::Compare(..) | Kind::Reduce(..) | Kind::Index(..) => 1,
            _ => 0,
        };
        let operands = self.operands();
        own + operands.into_iter().map(Expr::operators).sum::<usize>()
    }
}
