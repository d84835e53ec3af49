//! Bits of expressions: words joined from pieces, and taken apart.

use num_bigint::BigUint;

use super::expr::{Expr, Kind, SignalId, common_type};
use super::number::{ones, run};
use super::operator::{Binary, Reduce};

impl Expr {
    /// The same bits under another type: truncated if that is narrower.
    pub fn cast(self, ty: usize) -> Expr {
        let mut out = self.slice(0, ty);
        out.ty = Some(ty);
        out
    }

    /// `(self >> low)` modulo `2^width`, computed with no more bits than that needs.
    pub fn slice(self, low: usize, width: usize) -> Expr {
        if low >= self.width {
            return Expr::constant(BigUint::ZERO, Some(width));
        }
        let width = width.min(self.width - low);
        if low == 0 && width == self.width {
            return self;
        }
        let ty = Some(width);
        match self.kind {
            Kind::Constant(value, _) => Expr::constant((value >> low) & ones(width), ty),
            Kind::Slice(inner, offset, name) => {
                let mut out = inner.slice(low + offset, width);
                if let (0, Kind::Slice(_, _, known)) = (low, &mut out.kind) {
                    *known = name;
                }
                out
            }
            Kind::Not(inner) => {
                let inner = inner.slice(low, width);
                if let Some(value) = inner.value() {
                    return Expr::constant(value ^ ones(width), ty);
                }
                Expr::typed(Kind::Not(Box::new(inner)), width, ty)
            }
            Kind::Binary(op @ (Binary::And | Binary::Or | Binary::Xor), a, b) => {
                a.slice(low, width).bitwise(op, b.slice(low, width))
            }
            Kind::Binary(op @ (Binary::Add | Binary::Sub | Binary::Mul), a, b) if low == 0 => {
                a.cast(width).arithmetic(op, b.cast(width))
            }
            Kind::Binary(Binary::ShiftLeft, a, by) if low == 0 => {
                let a = a.cast(width);
                if a.is(0) {
                    a
                } else {
                    a.shifted_left(*by, width)
                }
            }
            Kind::Concat(pieces) => concat(cut(pieces, low, width)),
            _ => Expr::typed(Kind::Slice(Box::new(self), low, None), width, ty),
        }
    }

    /// The same with the name of its lowest bit, if it is a part select and `low` has one.
    pub fn from(mut self, low: &Expr) -> Expr {
        if let (Kind::Slice(_, at, name), Kind::Constant(value, known)) =
            (&mut self.kind, &low.kind)
            && *value == BigUint::from(*at)
        {
            name.clone_from(known);
        }
        self
    }

    pub fn bitwise(self, op: Binary, other: Expr) -> Expr {
        let ty = common_type(&self, &other);
        let width = match op {
            Binary::And => self.width.min(other.width),
            _ => self.width.max(other.width),
        };
        if let (Some(a), Some(b)) = (self.value(), other.value()) {
            let value = match op {
                Binary::And => a & b,
                Binary::Or => a | b,
                _ => a ^ b,
            };
            return Expr::constant(value, ty);
        }
        let retyped = |mut e: Expr| {
            e.ty = ty;
            e
        };
        let (a, b) = if self.value().is_some() {
            (other, self)
        } else {
            (self, other)
        };
        if op == Binary::And {
            if let Some(mask) = b.value() {
                if *mask == BigUint::ZERO {
                    return retyped(Expr::number(0u32));
                }
                if let Some((low, bits)) = run(mask) {
                    let pieces = vec![(Expr::number(0u32), low), (a.slice(low, bits), bits)];
                    return retyped(if low == 0 {
                        pieces.into_iter().nth(1).expect("two pieces").0
                    } else {
                        concat(pieces)
                    });
                }
            }
        } else {
            if b.is(0) {
                return retyped(a);
            }
            if op == Binary::Or
                && b.value().is_some_and(|value| *value == ones(b.width))
                && b.width >= a.width
            {
                return retyped(b);
            }
            if let Some(joined) = side_by_side(&a, &b) {
                return retyped(joined);
            }
        }
        if a == b && op != Binary::Xor {
            return retyped(a);
        }
        let (a, b) = (a.slice(0, width), b.slice(0, width));
        Expr::typed(Kind::Binary(op, Box::new(a), Box::new(b)), width, ty)
    }
}

/// Low bits of a concatenation known to be 0.
pub fn trailing_zeros(e: &Expr) -> usize {
    match &e.kind {
        Kind::Concat(pieces) => match pieces.first() {
            Some((piece, width)) if piece.is(0) => *width,
            _ => 0,
        },
        _ => 0,
    }
}

/// The parts of an expression that can be other than 0, lowest first, with their places: `(low, part, width)`.
fn parts(e: &Expr) -> Vec<(usize, Expr, usize)> {
    match &e.kind {
        Kind::Constant(value, _) => match run(value) {
            Some((low, width)) => vec![(low, Expr::number(value >> low), width)],
            None => vec![(0, e.clone(), e.width)],
        },
        Kind::Concat(pieces) => {
            let mut out = Vec::new();
            let mut low = 0;
            for (piece, bits) in pieces {
                let here = parts(piece).into_iter();
                out.extend(here.map(|(place, part, width)| (low + place, part, width)));
                low += bits;
            }
            out.retain(|(_, part, _)| !part.is(0));
            out
        }
        _ => vec![(0, e.clone(), e.width)],
    }
}

/// Two words ORed that share no bit which can be 1: a concatenation.
pub fn side_by_side(a: &Expr, b: &Expr) -> Option<Expr> {
    let mut all = parts(a);
    all.extend(parts(b));
    all.sort_by_key(|(low, _, _)| *low);
    let disjoint = all.windows(2).all(|two| two[0].0 + two[0].2 <= two[1].0);
    if !disjoint {
        return None;
    }
    let mut pieces = Vec::new();
    let mut top = 0;
    for (low, part, width) in all {
        if low > top {
            pieces.push((Expr::number(0u32), low - top));
        }
        pieces.push((part, width));
        top = low + width;
    }
    Some(concat(pieces))
}

/// Whether any bit of a concatenation is 1, without its zeros.
pub fn any_of_pieces(e: &Expr) -> Option<Expr> {
    let Kind::Concat(pieces) = &e.kind else {
        return None;
    };
    let can_be: Vec<_> = pieces.iter().filter(|(piece, _)| !piece.is(0)).collect();
    if can_be.iter().any(|(piece, _)| piece.value().is_some()) {
        return Some(Expr::bit(true));
    }
    if can_be.len() == pieces.len() {
        return None;
    }
    Some(concat(can_be.into_iter().cloned().collect()).reduce(Reduce::Or))
}

/// The pieces that make up `width` bits from `low` up.
pub fn cut(pieces: Vec<(Expr, usize)>, low: usize, width: usize) -> Vec<(Expr, usize)> {
    let mut out = Vec::new();
    let mut start = 0;
    for (piece, bits) in pieces {
        let from = low.max(start);
        let to = (low + width).min(start + bits);
        if from < to {
            out.push((piece.slice(from - start, to - from), to - from));
        }
        start += bits;
    }
    out
}

/// Puts pieces, lowest first, side by side.
pub fn concat(pieces: Vec<(Expr, usize)>) -> Expr {
    let mut flat: Vec<(Expr, usize)> = Vec::new();
    for (piece, bits) in pieces {
        let spare = bits.saturating_sub(piece.width);
        match piece.kind {
            Kind::Concat(inner) => inner
                .into_iter()
                .for_each(|(piece, bits)| push(&mut flat, piece, bits)),
            _ => {
                let width = piece.width;
                push(&mut flat, piece, width);
            }
        }
        if spare > 0 {
            push(&mut flat, Expr::number(0u32), spare);
        }
    }
    while flat.len() > 1 && flat.last().is_some_and(|(piece, _)| piece.is(0)) {
        flat.pop();
    }
    let width = flat.iter().map(|(_, bits)| bits).sum();
    if flat.len() == 1 {
        let (piece, _) = flat.remove(0);
        return piece;
    }
    Expr::typed(Kind::Concat(flat), width, Some(width))
}

/// Appends a piece, merged with the last one if both are constants or adjoining bits of one signal.
fn push(flat: &mut Vec<(Expr, usize)>, piece: Expr, bits: usize) {
    if let Some((last, last_bits)) = flat.last_mut() {
        if let (Some(a), Some(b)) = (last.value(), piece.value()) {
            *last = Expr::number(a | (b << *last_bits));
            *last_bits += bits;
            return;
        }
        if let (Some((a, low)), Some((b, high))) = (signal_part(last), signal_part(&piece)) {
            let whole = *last_bits == last.width && a == b && low + *last_bits == high;
            if let (true, Kind::Slice(inner, ..)) = (whole, &last.kind) {
                *last = (**inner).clone().slice(low, *last_bits + bits);
                *last_bits += bits;
                return;
            }
        }
    }
    flat.push((piece, bits));
}

/// The signal and lowest bit of a part select.
fn signal_part(e: &Expr) -> Option<(SignalId, usize)> {
    match &e.kind {
        Kind::Slice(inner, low, _) => match inner.kind {
            Kind::Signal(id) => Some((id, *low)),
            _ => None,
        },
        _ => None,
    }
}
