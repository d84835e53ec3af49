//! Properties of expressions: as written, sliced, and substituted into one another.

use num_bigint::BigUint;
use std::collections::BTreeSet;

use super::random::{Lowered, Random};
use super::{Values, value};
use crate::verilog::concat::concat;
use crate::verilog::expr::{Expr, Kind, SignalId};
use crate::verilog::number::ones;
use crate::verilog::operator::{Binary, Compare, Reduce};

/// Calls `see` with random expressions and values of the signals.
fn each(mut see: impl FnMut(&mut Random, &Lowered, Values)) {
    for seed in 0..60 {
        let mut random = Random::new(seed, seed as usize % 4);
        for depth in [1, 1, 1, 2, 2, 2, 3, 3, 4, 5] {
            let lowered = random.expression(depth);
            for _ in 0..4 {
                let values = random.values();
                see(&mut random, &lowered, values);
            }
        }
    }
}

/// Every part of an expression, itself too.
fn parts(e: &Expr) -> Vec<&Expr> {
    let within = e.operands().into_iter().flat_map(parts);
    std::iter::once(e).chain(within).collect()
}

#[test]
fn an_expression_means_what_the_kernel_says() {
    each(|_, lowered, values| {
        let seen = value(&lowered.expr, &values);
        assert_eq!(seen, lowered.expected(&values), "{:?}", lowered.expr);
    });
}

#[test]
fn no_part_of_an_expression_has_bits_beyond_its_width() {
    each(|_, lowered, values| {
        for part in parts(&lowered.expr) {
            assert!(value(part, &values) <= ones(part.width), "{part:?}");
        }
    });
}

#[test]
fn bits_of_an_expression_are_those_of_its_value() {
    each(|random, lowered, values| {
        let (low, width) = (random.pick(40), 1 + random.pick(40));
        let expected = (lowered.expected(&values) >> low) & ones(width);
        let cut = lowered.expr.clone().slice(low, width);
        assert_eq!(value(&cut, &values), expected, "{cut:?}");
        assert!(cut.width <= width);
    });
}

#[test]
fn an_expression_under_another_type_is_cut_to_it() {
    each(|random, lowered, values| {
        let ty = 1 + random.pick(100);
        let cast = lowered.expr.clone().cast(ty);
        assert_eq!(value(&cast, &values), lowered.expected(&values) & ones(ty));
        assert_eq!(cast.ty, Some(ty));
        let inverse = cast.not();
        let expected = (lowered.expected(&values) & ones(ty)) ^ ones(ty);
        assert_eq!(value(&inverse, &values), expected, "{inverse:?}");
        assert_eq!(inverse.ty, Some(ty));
        assert_eq!(inverse.not().ty, Some(ty));
    });
}

#[test]
fn a_bit_that_is_replaced_is_the_only_one() {
    each(|random, lowered, values| {
        let (low, width) = (random.pick(lowered.ty), 1 + random.pick(20));
        let field = random.expression(1);
        let whole = lowered.expr.clone().cast(lowered.ty);
        let (ty, bits) = (whole.ty, whole.width.max(low + width));
        let out = whole.replace_bits(low, width, field.expr.clone());
        assert!(out.ty == ty && out.width <= bits, "{out:?}");
        let old = lowered.expected(&values);
        let kept = &old - (&old & (ones(width) << low));
        let expected = kept | ((field.expected(&values) & ones(width)) << low);
        assert_eq!(value(&out, &values), expected, "{out:?}");
    });
}

#[test]
fn a_signal_may_be_written_as_what_it_is() {
    each(|random, lowered, mut values| {
        let id = random.pick(random.inputs.len());
        let other = random.expression(2).expr.cast(random.inputs[id]);
        let known = |read: SignalId| (read == id).then(|| other.clone());
        let written = lowered.expr.substituted(&known);
        let seen = value(&written, &values);
        values[id] = value(&other, &values);
        assert_eq!(seen, lowered.expected(&values), "{written:?}");
        assert_eq!(written.ty, lowered.expr.ty);
    });
}

#[test]
fn a_part_may_be_written_as_its_value() {
    each(|random, lowered, values| {
        let all = parts(&lowered.expr);
        let part = all[random.pick(all.len())].clone();
        let known = |e: &Expr| (*e == part).then(|| Expr::number(value(e, &values)));
        let written = lowered.expr.replaced(&known);
        assert_eq!(value(&written, &values), lowered.expected(&values));
        assert_eq!(written.ty, lowered.expr.ty);
        let same = lowered.expr.replaced(&|_| None);
        assert_eq!(value(&same, &values), lowered.expected(&values));
    });
}

#[test]
fn an_expression_depends_on_what_it_reads_alone() {
    each(|random, lowered, mut values| {
        let mut read = BTreeSet::new();
        lowered.expr.reads(&mut read);
        let others = random.values();
        for id in 0..values.len() {
            assert_eq!(
                lowered.expr.reads_any(&|read| read == id),
                read.contains(&id)
            );
            if !read.contains(&id) {
                values[id].clone_from(&others[id]);
            }
        }
        assert_eq!(value(&lowered.expr, &values), lowered.expected(&values));
    });
}

/// All that is computed from numbers is a number.
#[test]
fn an_expression_of_numbers_is_a_number() {
    for seed in 0..300 {
        let mut random = Random::new(seed, 5);
        let lowered = random.expression(1 + seed as usize % 5);
        let expected = lowered.expected(&random.values());
        assert_eq!(lowered.expr.value(), Some(&expected), "{:?}", lowered.expr);
        let is_small = usize::try_from(&expected).is_ok();
        assert_eq!(
            lowered.expr.small().map(BigUint::from),
            is_small.then_some(expected)
        );
    }
}

#[test]
fn what_is_shifted_keeps_its_type() {
    each(|random, lowered, values| {
        let ty = 1 + random.pick(100);
        let whole = lowered.expr.clone().cast(ty);
        let bits = &lowered.expected(&values) & ones(ty);
        let (by, more) = (random.expression(1), random.expression(1));
        let [once, twice] = [&by, &more].map(|amount| amount.expr.clone().cast(5));
        let shift = |amount: &Expr| usize::try_from(value(amount, &values)).expect("5 bits");
        let sum = shift(&once) + shift(&twice);
        let right = whole.clone().shift_right(once.clone()).cast(ty + 1);
        let right = right.shift_right(twice.clone());
        assert_eq!(value(&right, &values), &bits >> sum, "{right:?}");
        assert_eq!(right.ty, Some(ty + 1));
        let left = whole.shift_left(once).shift_left(twice);
        assert_eq!(value(&left, &values), (bits << sum) & ones(ty), "{left:?}");
        assert_eq!(left.ty, Some(ty));
    });
}

/// Nothing is computed that is known, and nothing with more bits than it has.
#[test]
fn a_result_has_no_more_bits_than_it_needs() {
    let signal = |id, width| Expr::signal(id, width, 64);
    let (a, b) = (|| signal(0, 3), || signal(1, 4));
    assert_eq!(a().arithmetic(Binary::Mul, b()).width, 7);
    assert_eq!(a().arithmetic(Binary::Add, b()).width, 5);
    assert_eq!(a().arithmetic(Binary::Sub, b()).width, 64);
    assert_eq!(signal(0, 60).arithmetic(Binary::Mul, b()).width, 64);
    let zero = || Expr::number(0u32);
    assert!(a().arithmetic(Binary::Mul, zero()).is(0));
    assert!(zero().arithmetic(Binary::Mul, a()).is(0));
    assert_eq!(a().arithmetic(Binary::Mul, Expr::number(1u32)), a());
    assert_eq!(Expr::number(1u32).arithmetic(Binary::Mul, a()), a());
    assert_eq!(zero().arithmetic(Binary::Add, a()), a());
    assert_eq!(a().arithmetic(Binary::Sub, zero()), a());
    let [seven, three] = [7u32, 3].map(Expr::number);
    assert!(seven.clone().arithmetic(Binary::Sub, three.clone()).is(4));
    assert!(seven.clone().arithmetic(Binary::Sub, seven).is(0));
    assert_eq!(three.not().ty, Some(64));
}

/// A signal has as many bits as the index numbers, or more.
#[test]
fn a_bit_of_a_signal_is_read_by_its_index_if_there_is_one_for_each() {
    for (bits, index, is_read) in [
        (8, 3, true),
        (9, 3, true),
        (7, 3, false),
        (8, 4, false),
        (64, 64, false),
        (64, 6, true),
    ] {
        let word = Expr::signal(0, bits, 64);
        let bit = word.get_bit(Expr::signal(1, index, 64));
        let is_index = matches!(bit.kind, Kind::Index(..));
        assert_eq!((is_index, bit.width), (is_read, 1), "{bits} {index}");
    }
}

#[test]
fn every_operator_of_an_expression_counts() {
    let signal = |id| Expr::signal(id, 4, 4);
    let sum = || signal(0).arithmetic(Binary::Add, signal(1));
    let pieces = vec![(sum(), 4), (signal(2), 4)];
    for (e, operators) in [
        (signal(0), 0),
        (signal(0).not(), 0),
        (signal(0).slice(1, 2), 0),
        (sum(), 1),
        (sum().not(), 1),
        (sum().slice(1, 2), 1),
        (sum().compare(Compare::Less, sum()), 3),
        (sum().reduce(Reduce::Xor), 2),
        (signal(0).get_bit(signal(1).slice(0, 2)), 1),
        (concat(pieces), 1),
    ] {
        assert_eq!(e.operators(), operators, "{e:?}");
    }
}

/// Bits of signals, numbers and pieces of pieces, with the bits each has.
fn pieces(random: &mut Random, depth: usize) -> Vec<(Expr, usize)> {
    let piece = |random: &mut Random| match random.pick(if depth == 0 { 3 } else { 4 }) {
        0 => {
            let bits = 1 + random.pick(4);
            (Expr::number(random.pick(1 << bits)), bits)
        }
        1 => (Expr::number(0u32), 1 + random.pick(3)),
        2 => {
            let id = random.pick(2);
            let (low, bits) = (random.pick(4), 1 + random.pick(4));
            (Expr::signal(id, 8, 8).slice(low, bits), bits)
        }
        _ => {
            let inner = pieces(random, depth - 1);
            let bits = inner.iter().map(|(_, bits)| bits).sum();
            (concat(inner), bits)
        }
    };
    let count = 1 + random.pick(5);
    let mut out: Vec<(Expr, usize)> = Vec::new();
    for _ in 0..count {
        let next = match out.last().map(|(last, _)| &last.kind) {
            // What adjoins the last.
            Some(Kind::Slice(signal, low)) if random.pick(2) == 0 => {
                let top = low + out[out.len() - 1].1;
                let bits = 1 + random.pick(8usize.saturating_sub(top).max(1));
                ((**signal).clone().slice(top, bits), bits)
            }
            _ => piece(random),
        };
        out.push(next);
    }
    out
}

#[test]
fn pieces_stand_side_by_side_in_their_order() {
    for seed in 0..1000 {
        let mut random = Random::new(seed, 1);
        let pieces = pieces(&mut random, 2);
        let values: Values = (0..2).map(|_| random.pick(256).into()).collect();
        let mut expected = BigUint::ZERO;
        for (piece, bits) in pieces.iter().rev() {
            expected = (expected << *bits) | value(piece, &values);
        }
        let all = concat(pieces);
        assert_eq!(value(&all, &values), expected, "{all:?}");
        let near = [0u32, 1, 2, 8].map(|bit| &expected ^ BigUint::from(bit));
        let random = BigUint::from(random.pick(1 << 20));
        for number in near.into_iter().chain([random]) {
            for op in COMPARISONS {
                let holds = BigUint::from(u8::from(op.holds(&expected, &number)));
                let known = Expr::number(number.clone());
                let compared = all.clone().compare(op, known.clone());
                assert_eq!(value(&compared, &values), holds, "{all:?} {op:?} {number}");
                let mirrored = known.compare(op.mirrored(), all.clone());
                assert_eq!(value(&mirrored, &values), holds, "{all:?} {op:?} {number}");
                let other = BigUint::from(1u32) - holds;
                assert_eq!(value(&compared.not(), &values), other);
            }
        }
        for op in [Reduce::Or, Reduce::Xor] {
            let ones = expected.count_ones();
            let holds = if op == Reduce::Or {
                ones > 0
            } else {
                ones % 2 == 1
            };
            let reduced = value(&all.clone().reduce(op), &values);
            assert_eq!(reduced, BigUint::from(u8::from(holds)), "{all:?}");
        }
    }
}

const COMPARISONS: [Compare; 6] = [
    Compare::Equal,
    Compare::NotEqual,
    Compare::Less,
    Compare::LessEqual,
    Compare::Greater,
    Compare::GreaterEqual,
];
