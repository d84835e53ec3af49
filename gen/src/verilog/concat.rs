//! Concatenations: putting pieces of words side by side and taking them apart.

use super::expr::{Expr, Kind, SignalId};

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

/// The piece `low` in the zeros at the bottom of `high`.
pub fn join(low: Expr, high: Expr) -> Expr {
    let Kind::Concat(mut pieces) = high.kind else {
        return high;
    };
    let (_, zeros) = pieces.remove(0);
    let gap = zeros - low.width;
    if gap > 0 {
        pieces.insert(0, (Expr::number(0u32), gap));
    }
    let width = low.width;
    pieces.insert(0, (low, width));
    concat(pieces)
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
            Kind::Concat(inner) => {
                inner
                    .into_iter()
                    .for_each(|(piece, bits)| push(&mut flat, piece, bits));
                if spare > 0 {
                    push(&mut flat, Expr::number(0u32), spare);
                }
            }
            Kind::Constant(..) => push(&mut flat, piece, bits),
            _ => {
                let width = piece.width;
                push(&mut flat, piece, width);
                if spare > 0 {
                    push(&mut flat, Expr::number(0u32), spare);
                }
            }
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
            if let (true, Kind::Slice(inner, _)) = (whole, &last.kind) {
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
        Kind::Slice(inner, low) => match inner.kind {
            Kind::Signal(id) => Some((id, *low)),
            _ => None,
        },
        _ => None,
    }
}
